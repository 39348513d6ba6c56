"""An engine that stays: what a person changes in the settings meanwhile holds from the next call on."""

import os

from codetools.config.places import PROJECT_DIRECTORY
from codetools.engine.engine import Engine, start
from codetools.engine.options import Options
from codetools.engine.servers import LazyConnections
from codetools.state import trust


class Resident:
    """The engine of a door that makes many calls under the same options.

    `new_session` begins with the first call; until then the store need not be asked about it.
    """

    def __init__(self, options: Options, new_session: str | None = None) -> None:
        self._options = options
        self._new_session = new_session
        self._trees: tuple[str, ...] | None = None
        self._connections: LazyConnections | None = None
        self._engine = self._started()
        self._seen = _signature(self._engine)

    def engine(self) -> Engine:
        """Return the engine for the next call; raise the Failure of settings that have become wrong."""
        if _signature(self._engine) != self._seen:
            self.renew()
        return self._engine

    @property
    def last_engine(self) -> Engine:
        """The engine of the last call, whatever has changed since."""
        return self._engine

    def begin(self) -> None:
        """Take note that a call is about to be made."""
        session, self._new_session = self._new_session, None
        if session is not None:
            self._options = self._options.but(session=session)
            self._engine = self._engine.but(options=self._engine.options.but(session=session))

    def renew(self) -> None:
        """Read the settings again, whether or not a file of theirs has changed."""
        before = self._engine
        self._engine = self._started()
        self._seen = _signature(self._engine)
        before.store.close()

    def close(self) -> None:
        """End its connections; calls that still run may find them gone."""
        self._engine.close()
        self._engine.store.close()

    def narrow(self, trees: tuple[str, ...]) -> None:
        """Hold the calls to what of the workspace lies in these trees, absolute and free of links."""
        self._trees = trees
        self.renew()

    def _started(self) -> Engine:
        """Return the engine; its working directory is the root, unless another was named."""
        engine = start(self._options, self._connections)
        self._connections = engine.connections
        workspace = engine.workspace
        if self._options.directory is None and workspace.is_bounded:
            workspace = workspace.but(cwd=workspace.root)
        if self._trees is not None:
            workspace = workspace.narrowed(self._trees)
        policy = engine.policy.but(root=workspace.root.printable(), is_bounded=workspace.is_bounded)
        return engine.but(workspace=workspace, policy=policy)


def _signature(engine: Engine) -> tuple[object, ...]:
    """Return what is different once a settings file has been written, made, removed or trusted."""
    project = os.path.join(engine.workspace.root, PROJECT_DIRECTORY)
    paths = [*(source.path for source in engine.config.sources), os.path.join(engine.home, trust.NAME), project]
    return tuple(_stamp(path) for path in paths)


def _stamp(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
