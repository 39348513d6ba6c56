"""One workspace under one set of settings, ready for calls."""

import os
from _thread import allocate_lock  # what `threading` is made of, without the millisecond that it costs
from typing import TYPE_CHECKING, Any

from codetools.config.glob import escape
from codetools.config.load import Config, load_config
from codetools.config.names import NameSet
from codetools.config.rules import Rule, parse_rule
from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.outcome import Notice
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.engine.built_in import BUILT_IN, Modules
from codetools.engine.lock import refuse_if_looser
from codetools.engine.options import Options
from codetools.engine.policy import Policy
from codetools.engine.registry import Registry
from codetools.files.workspace import Workspace, find_workspace, parse_root
from codetools.state.home import state_home

if TYPE_CHECKING:
    from codetools.engine.floor import Floor
    from codetools.engine.servers import LazyConnections
    from codetools.state.store import Store

ROOM_FOR_NOTICES = 300  # characters
STORE_NAME = "store.sqlite"


class LazyStore:
    """The store, opened on its first use: most reads need none."""

    def __init__(self, home: str, lock_seconds: float) -> None:
        self._home = home
        self._lock_seconds = lock_seconds
        self._turn = allocate_lock()
        self._store: Store | None = None

    def __call__(self) -> "Store":
        """Return the store; raise `io` where it cannot be opened."""
        with self._turn:
            if self._store is None:
                from codetools.state.store import open_store

                self._store = open_store(self._home, self._lock_seconds)
            return self._store

    def close(self) -> None:
        """Close the store; its next use opens it again."""
        if self._store is not None:
            self._store.close()

    def notices(self) -> list[Notice]:
        """Return what happened to the store since this was last asked."""
        if self._store is None:
            return []
        found, self._store.notices[:] = list(self._store.notices), []
        return found


class Engine(Record):
    """What calls share.

    `store` opens the store on its first use; `registry` finds the tools there are; `ids` are the caller's message, call
    and model ids, for the audit.
    """

    options: Options
    workspace: Workspace
    config: Config
    policy: Policy
    home: str
    store: LazyStore
    registry: Registry
    connections: Any  # LazyConnections, or None where no server is configured
    ids: tuple[tuple[str, str], ...]

    @property
    def limits(self) -> Limits:
        """The caps in force."""
        return self.config.settings.limits

    def may_share(self, name: str) -> bool:
        """Return whether a call of this tool may run beside others; of a tool that is none the call itself tells."""
        try:
            return self.registry.find(name).effects.concurrency_safe
        except Exception:  # noqa: BLE001
            return False

    def close(self, *, waits: bool = True) -> None:
        """End the connections to servers; a door that is about to end need not wait until their processes are gone."""
        if self.connections is not None:
            self.connections.close(waits=waits)

    @property
    def session(self) -> str | None:
        """The id that groups these calls."""
        return self.options.session


def start(options: Options, connections: "LazyConnections | None" = None) -> Engine:
    """Find the workspace, read the settings, make the policy; raise the Failure that stands in the way.

    `connections` to MCP servers are those of an engine before this one. Whoever starts an engine closes it.
    """
    is_below = refuse_if_looser(options)
    options = with_environment(options)
    home = state_home()
    floors = _floors_above(home) if is_below else ()
    if floors:
        is_read_only = options.read_only or any(floor.read_only for floor in floors)
        options = options.but(config=floors[0].config, read_only=is_read_only)
    added = tuple(parse_root(text) for text in options.add_dir)
    workspace = _confined(find_workspace(options.directory, options.root, added), floors)
    _refuse_state_inside(workspace, home)
    root = workspace.root if workspace.is_bounded else None
    config = load_config(home, root, options.config, options.allow, options.deny, BUILT_IN.names)
    for floor in floors:
        config = config.but(settings=floor.tighten(config.settings))
    roots = tuple(parse_root(text) for text in config.settings.roots)
    if roots:
        workspace = _confined(workspace.but(roots=(*workspace.roots, *roots)), floors)
        _refuse_state_inside(workspace, home)
    store = LazyStore(home, config.settings.limits.lock_seconds)
    rules = [*config.rules, *(rule for floor in floors for rule in floor.denials)]
    if all(floor.session == options.session for floor in floors):
        rules += _session_rules(options, workspace, home, store)
    policy = _policy(options, workspace, config, home, tuple(rules))
    config = _narrowed(config, options.max_chars)
    registry, connections = _registry(config, home, connections)
    return Engine(options, workspace, config, policy, home, store, registry, connections, _ids())


def _registry(
    config: Config, home: str, connections: "LazyConnections | None"
) -> "tuple[Registry, LazyConnections | None]":
    if not config.settings.mcp:
        return BUILT_IN, connections
    from codetools.engine.servers import LazyConnections, LazyServers

    connections = connections or LazyConnections()
    return Registry((Modules(), LazyServers(config.settings.mcp, home, connections))), connections


def _narrowed(config: Config, max_chars: int | None) -> Config:
    """Let the tools themselves cut at the caller's cap, so that what they say of going on is true."""
    if max_chars is None:
        return config
    limits = config.settings.limits
    room = max(max_chars // 3, max_chars - ROOM_FOR_NOTICES)
    narrowed = limits.but(
        read_chars=min(limits.read_chars, room),
        stdout_bytes=min(limits.stdout_bytes, room * 3 // 4),
        stderr_bytes=min(limits.stderr_bytes, room // 4),
    )
    return config.but(settings=config.settings.but(limits=narrowed))


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


def hold_descendants(engine: Engine, process: int) -> None:
    """Let no `codetools` below `process`, which is about to run a command, be looser than the call that runs it.

    Where that cannot be written down, one below finds no word of it, and does nothing.
    """
    from codetools.config.places import chosen_user_file
    from codetools.engine.floor import NAME_LISTS, Floor, lay_floor

    settings = engine.config.settings
    floor = Floor(
        config=chosen_user_file(engine.options.config),
        session=engine.session,
        read_only=engine.options.read_only,
        roots=engine.workspace.roots,
        denials=tuple(rule for rule in engine.policy.rules if rule.effect == "deny"),
        names=tuple(getattr(settings, key) for key in NAME_LISTS),
        sandbox=settings.shell.sandbox,
        network=settings.shell.network,
    )
    try:
        lay_floor(engine.home, floor, process)
    except (OSError, Failure):
        return


def _floors_above(home: str) -> "tuple[Floor, ...]":
    from codetools.engine.floor import floors_above

    return floors_above(home)


def _confined(workspace: Workspace, floors: "tuple[Floor, ...]") -> Workspace:
    for floor in floors:
        workspace = floor.confine(workspace)
    return workspace


def _policy(options: Options, workspace: Workspace, config: Config, home: str, rules: tuple[Rule, ...]) -> Policy:
    settings = config.settings
    real_home = os.path.realpath(home)
    yolo = "command line" if options.yolo else config.origin("yolo") if settings.yolo else None
    return Policy(
        rules=rules,
        secrets=NameSet(settings.secrets),
        protected=NameSet(settings.protected),
        yolo=yolo,
        is_read_only=options.read_only,
        is_bounded=workspace.is_bounded,
        root=workspace.root.printable(),
        kept=(f"{escape(real_home)}/spool/*", f"{escape(real_home)}/jobs/*/log"),
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
    return tuple(parse_rule(text, "allow", "session", BUILT_IN.names(), anchor=workspace.root) for text in texts)
