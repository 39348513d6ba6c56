"""What a request over HTTP repeats in its headers, so that machines on the way need not read its body."""

from typing import Any

VERSION_HEADER = "MCP-Protocol-Version"
SESSION_HEADER = "Mcp-Session-Id"
METHOD_HEADER = "Mcp-Method"
NAME_HEADER = "Mcp-Name"
PARAMETER_PREFIX = "Mcp-Param-"
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}  # which param is the name header
EXTENSION = "x-mcp-header"
MAX_DEPTH = 32
_BEGIN, _END = "=?base64?", "?="
_MOST_INTEGER = (1 << 53) - 1
_TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_PRIMITIVES = ("string", "integer", "boolean")


def header_value(value: str) -> str:
    """Return a value as a header can carry it: as it is where it is plain ASCII, else marked base64."""
    is_plain = all(" " <= character <= "~" or character == "\t" for character in value)
    is_marked = value.startswith(_BEGIN) and value.endswith(_END)
    if is_plain and value == value.strip(" \t") and not is_marked:
        return value
    import base64

    return f"{_BEGIN}{base64.b64encode(value.encode('utf-8', 'replace')).decode('ascii')}{_END}"


def value_of_header(header: str) -> str | None:
    """Return the value that a header carries, or None where it is malformed."""
    if not all(" " <= character <= "~" or character == "\t" for character in header):
        return None
    if not (header.startswith(_BEGIN) and header.endswith(_END)):
        return header
    import base64

    try:
        return base64.b64decode(header[len(_BEGIN) : -len(_END)], validate=True).decode("utf-8")
    except ValueError:
        return None


def standard_headers(message: dict[str, Any], version: str) -> dict[str, str]:
    """Return the headers that every request of the stateless era has."""
    method = message["method"]
    headers = {VERSION_HEADER: version, METHOD_HEADER: method}
    name = message.get("params", {}).get(NAMED_BY.get(method, ""))
    return {**headers, NAME_HEADER: header_value(name)} if isinstance(name, str) else headers


def mirrored(schema: Any) -> dict[tuple[str, ...], str]:
    """Return which arguments a tool wants in headers: the path of each and the header's own name.

    Raises ValueError, with the reason, for a schema that breaks the rules: such a tool must not be offered over HTTP.
    """
    found: dict[tuple[str, ...], str] = {}
    _collect(schema, (), found, is_reachable=True, depth=0)
    names = [name.lower() for name in found.values()]
    if len(set(names)) < len(names):
        raise ValueError(f"two parameters have the same {EXTENSION}")
    return found


def parameter_headers(wanted: dict[tuple[str, ...], str], arguments: dict[str, Any]) -> dict[str, str]:
    """Return the headers that these arguments are mirrored in; one that is absent or null has none."""
    headers: dict[str, str] = {}
    for path, name in wanted.items():
        value: Any = arguments
        for part in path:
            value = value.get(part) if isinstance(value, dict) else None
        if isinstance(value, bool):
            headers[PARAMETER_PREFIX + name] = "true" if value else "false"
        elif isinstance(value, float) and value.is_integer():
            headers[PARAMETER_PREFIX + name] = str(int(value))
        elif isinstance(value, str | int):
            headers[PARAMETER_PREFIX + name] = header_value(str(value))
    return headers


def _collect(
    schema: Any, path: tuple[str, ...], found: dict[tuple[str, ...], str], *, is_reachable: bool, depth: int
) -> None:
    if depth > MAX_DEPTH:
        raise ValueError(f"its schema is nested more than {MAX_DEPTH} deep")
    if isinstance(schema, list):
        for item in schema:
            _collect(item, path, found, is_reachable=False, depth=depth + 1)
    if not isinstance(schema, dict):
        return
    if EXTENSION in schema:
        found[path] = _checked(schema, is_reachable=is_reachable and bool(path))
    for key, value in schema.items():
        if key == "properties" and isinstance(value, dict):
            for name, inner in value.items():
                _collect(inner, (*path, name), found, is_reachable=is_reachable, depth=depth + 1)
        elif key not in ("default", "const", "enum", "examples"):
            _collect(value, path, found, is_reachable=False, depth=depth + 1)


def _checked(schema: dict[str, Any], *, is_reachable: bool) -> str:
    name = schema[EXTENSION]
    if not isinstance(name, str) or not name or not _TOKEN.issuperset(name):
        raise ValueError(f"an {EXTENSION} is no header name")
    if not is_reachable:
        raise ValueError(f"the {EXTENSION} {name!r} is not reached by properties alone")
    if schema.get("type") not in _PRIMITIVES:
        raise ValueError(f"the {EXTENSION} {name!r} is of a parameter that is no string, integer or boolean")
    return name
