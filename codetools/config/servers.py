"""The MCP servers of a settings file: a mapping by name, each checked whole, with the place of what is wrong."""

from typing import TYPE_CHECKING, Any

from codetools.config.settings import McpServer
from codetools.core.errors import Failure
from codetools.core.suggest import nearest

if TYPE_CHECKING:
    from codetools.config.strict import Place

MAX_SERVERS = 50
MAX_NAME_CHARS = 40
KEY = "mcp"
_TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_OWN_HEADERS = ("host", "content-length", "content-type", "accept", "transfer-encoding", "connection")
_OWN_PREFIX = "mcp-"


def check_names(values: Any, place: "Place", path: str) -> dict[str, Any]:
    """Return the servers by name where `values` is such a mapping; raise `config`."""
    if not isinstance(values, dict):
        raise _wrong(path, place, f"'{KEY}' holds no servers of the form 'name: {{command: ...}}'")
    if len(values) > MAX_SERVERS:
        raise _wrong(path, place, f"'{KEY}' holds more than {MAX_SERVERS} servers")
    folded: dict[str, str] = {}
    for name in values:
        if not _is_name(name):
            what = f"the server name '{name[:60]}' is not made of letters, digits and single '-' or '_' between them"
            raise _wrong(path, place.inner[name], what)
        other = folded.setdefault(fold_name(name), name)
        if other != name:
            raise _wrong(path, place.inner[name], f"the server names '{other}' and '{name}' differ too little")
    return values


def check_server(name: str, values: dict[str, Any], place: "Place", path: str) -> None:
    """Raise `config` for a server that is not one, beyond the types of its values."""
    inner = place.inner
    ways = [way for way in ("command", "url") if values.get(way)]
    if len(ways) != 1:
        raise _wrong(path, place, f"the server '{name}' needs either a command or a url")
    has_command = ways == ["command"]
    for other in ("url", "headers") if has_command else ("args", "env"):
        if other in values:
            raise _wrong(path, inner[other], f"'{KEY}.{name}.{other}' has no meaning beside a {ways[0]}")
    transport = values.get("transport", "auto")
    if transport != "auto" and (transport == "stdio") != has_command:
        raise _wrong(path, inner["transport"], f"the transport of '{name}' is {transport}, but it has a {ways[0]}")
    command = values.get("command", "")
    if "/" in command and not command.startswith(("/", "~/", "$")):
        what = f"the command of '{name}' is a relative path, which is another one in every project"
        raise _wrong(path, inner["command"], what, "Write a name, an absolute path, or ~/.")
    for mapping, check in (("env", _check_variable), ("headers", _check_header)):
        for key, value in (values.get(mapping) or {}).items():
            at = inner[mapping].inner[key]
            if not isinstance(value, str) or any(character in value for character in "\0\r\n"):
                raise _wrong(path, at, f"'{KEY}.{name}.{mapping}.{key}' is not one line of text", "Quote it.")
            check(key, at, path)


def server_of(name: str, values: dict[str, Any]) -> McpServer:
    """Return the server that checked values describe."""
    given: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    seconds = float(values.get("timeout_seconds", McpServer.timeout_seconds))
    return McpServer(**{**given, "name": name, "timeout_seconds": seconds})


def shown(server: McpServer) -> dict[str, Any]:
    """Return a server as it may be printed: values that may be secrets are hidden, `$NAME` is not one."""
    hidden = {}
    for mapping in ("env", "headers"):
        values = getattr(server, mapping)
        if values:
            hidden[mapping] = {key: value if _is_variable(value) else "(hidden)" for key, value in values.items()}
    plain = {name: getattr(server, name) for name in server.record_fields if name not in ("name", "env", "headers")}
    kept = {key: list(value) if isinstance(value, tuple) else value for key, value in plain.items()}
    return {**{key: value for key, value in kept.items() if value not in ("", [])}, **hidden}


def fold_name(name: str) -> str:
    """Return a name as names are compared: models write hyphens and capitals as they please."""
    return name.lower().replace("-", "_")


NO_SERVERS = "The settings name none; see codetools config path user, and mcp in man codetools-config."


def nearest_server(name: str, servers: tuple[McpServer, ...]) -> str:
    """Return the hint for a name that is none of the servers'."""
    known = [server.name for server in servers]
    near = nearest(name, known)
    if near:
        return f"Did you mean {near!r}?"
    return f"Servers: {', '.join(known)}." if known else NO_SERVERS


def _is_name(name: str) -> bool:
    parts = name.replace("-", "_").split("_")
    return len(name) <= MAX_NAME_CHARS and all(part.isascii() and part.isalnum() for part in parts)


def _is_variable(value: str) -> bool:
    bare = value.removeprefix("$").removeprefix("{").removesuffix("}")
    return value.startswith("$") and value in (f"${bare}", f"${{{bare}}}") and bare.isupper() and bare.isidentifier()


def _check_variable(name: str, at: "Place", path: str) -> None:
    if not name.isascii() or not name.replace("_", "a").isalnum() or name[0].isdigit():
        raise _wrong(path, at, f"'{name[:60]}' is no name of an environment variable")


def _check_header(name: str, at: "Place", path: str) -> None:
    if not name or not _TOKEN.issuperset(name):
        raise _wrong(path, at, f"'{name[:60]}' is no name of a header")
    if name.lower() in _OWN_HEADERS or name.lower().startswith(_OWN_PREFIX):
        raise _wrong(path, at, f"the header '{name}' is the client's own")


def _wrong(path: str, place: "Place", what: str, hint: str = "") -> Failure:
    return Failure("config", f"{path}:{place.line}:{place.column}: {what}.", hint)
