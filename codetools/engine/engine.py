"""One workspace under one set of settings, ready for calls."""

import os
from typing import TYPE_CHECKING, Any

from codetools.config.load import Config, load_config
from codetools.config.names import NameSet
from codetools.config.rules import Rule, parse_rule
from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.outcome import Notice
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.engine.lock import refuse_if_looser
from codetools.engine.options import Options
from codetools.engine.policy import Policy
from codetools.engine.registry import tool_names
from codetools.files.workspace import Workspace, find_workspace, parse_root
from codetools.state.home import state_home

if TYPE_CHECKING:
    from codetools.state.store import Store

STORE_NAME = "store.sqlite"


class LazyStore:
    """The store, opened on its first use: most reads need none."""

    def __init__(self, home: str, lock_seconds: float) -> None:
        self._home = home
        self._lock_seconds = lock_seconds
        self._store: Store | None = None

    def __call__(self) -> "Store":
        """Return the store; raise `io` where it cannot be opened."""
        if self._store is None:
            from codetools.state.store import open_store

            self._store = open_store(self._home, self._lock_seconds)
        return self._store

    def notices(self) -> list[Notice]:
        """Return what happened to the store since this was last asked."""
        if self._store is None:
            return []
        found, self._store.notices[:] = list(self._store.notices), []
        return found


class Engine(Record):
    """What calls share.

    `store` opens the store on its first use; `ids` are the caller's message, call and model ids, for the audit.
    """

    options: Options
    workspace: Workspace
    config: Config
    policy: Policy
    home: str
    store: LazyStore
    ids: tuple[tuple[str, str], ...]

    @property
    def limits(self) -> Limits:
        """The caps in force."""
        return self.config.settings.limits

    @property
    def session(self) -> str | None:
        """The id that groups these calls."""
        return self.options.session


def start(options: Options) -> Engine:
    """Find the workspace, read the settings, make the policy; raise the Failure that stands in the way."""
    refuse_if_looser(options)
    options = with_environment(options)
    added = tuple(parse_root(text) for text in options.add_dir)
    workspace = find_workspace(options.directory, options.root, added)
    home = state_home()
    _refuse_state_inside(workspace, home)
    root = workspace.root if workspace.is_bounded else None
    config = load_config(home, root, options.config, options.allow, options.deny, tool_names)
    roots = tuple(parse_root(text) for text in config.settings.roots)
    if roots:
        workspace = workspace.but(roots=(*workspace.roots, *roots))
        _refuse_state_inside(workspace, home)
    store = LazyStore(home, config.settings.limits.lock_seconds)
    policy = _policy(options, workspace, config, home, store)
    return Engine(options, workspace, config, policy, home, store, _ids())


def with_environment(options: Options) -> Options:
    """Return the options with what the environment says where the command line says nothing."""
    values: dict[str, Any] = {}
    for name in ("root", "session"):
        given = os.environ.get(f"CODETOOLS_{name.upper()}")
        if given and getattr(options, name) is None:
            values[name] = Path(given) if name == "root" else given
    return options.but(**values) if values else options


def _refuse_state_inside(workspace: Workspace, home: str) -> None:
    """Raise `config` where the tools could touch the state, by whichever links it is named."""
    if any(workspace.holds(place) for place in (home, os.path.realpath(home))):
        message = f"the state directory {home} lies in the workspace."
        raise Failure("config", message, "Set CODETOOLS_HOME elsewhere, or name smaller trees.")


def _ids() -> tuple[tuple[str, str], ...]:
    names = ("message", "call", "model")
    return tuple((name, value) for name in names if (value := os.environ.get(f"CODETOOLS_{name.upper()}")))


def _policy(options: Options, workspace: Workspace, config: Config, home: str, store: LazyStore) -> Policy:
    settings = config.settings
    real_home = os.path.realpath(home)
    yolo = "command line" if options.yolo else config.origin("yolo") if settings.yolo else None
    return Policy(
        rules=(*config.rules, *_session_rules(options, workspace, home, store)),
        secrets=NameSet(settings.secrets),
        protected=NameSet(settings.protected),
        yolo=yolo,
        is_read_only=options.read_only,
        is_bounded=workspace.is_bounded,
        spool=os.path.join(real_home, "spool"),
        private=(home, real_home, *config.private),
    )


def _session_rules(options: Options, workspace: Workspace, home: str, store: LazyStore) -> tuple[Rule, ...]:
    """Return what a person allowed for this session; a store that cannot be read allows nothing."""
    if options.session is None or not os.path.exists(os.path.join(home, STORE_NAME)):
        return ()
    from codetools.state.session_rules import SessionRules

    try:
        texts = SessionRules(store()).rules(options.session, workspace.root)
    except Failure:
        return ()
    return tuple(parse_rule(text, "allow", "session", tool_names(), anchor=workspace.root) for text in texts)
