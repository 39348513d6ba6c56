"""The tools that a server lists, as they may be shown: checked one by one, named so that every provider takes them.

A tool that breaks a rule is left out with the reason; the others stay.
"""

from typing import Any

from codetools.config.glob import match_name
from codetools.config.servers import fold_name
from codetools.config.settings import McpServer
from codetools.core.record import Record
from codetools.mcp.clean import clean
from codetools.mcp.connection import Connection
from codetools.mcp.faults import fault
from codetools.mcp.protocol.headers import mirrored
from codetools.mcp.server import digest
from codetools.mcp.waiting import Patience

PREFIX = "mcp__"
MAX_TOOLS = 500
MAX_PAGES = 100
MAX_DESCRIPTION_CHARS = 4000
MAX_SCHEMA_CHARS = 100_000
MAX_SCHEMA_DEPTH = 32
MAX_NAME_CHARS = 64  # what providers take
HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_TEXTS = ("description", "title")
_SCHEMAS_BY_NAME = ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas")


class Listed(Record):
    """One tool: `name` is how it is called here, `tool` its name at the server; `hints` are its annotations."""

    name: str
    tool: str
    title: str
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any] | None
    hints: dict[str, Any]

    def identity(self) -> dict[str, str]:
        """Return what makes it the tool that was allowed, part by part, each as a digest."""
        return {
            "description": digest([self.title, self.description]),
            "parameters": digest(self.input_schema),
            "annotations": digest(self.hints),
        }


class LeftOut(Record):
    """A tool that is not offered, and why."""

    tool: str
    why: str


class Listing(Record):
    """The tools of one server. `version` is the revision that it spoke."""

    version: str
    tools: tuple[Listed, ...]
    left_out: tuple[LeftOut, ...]


def fetch_listing(connection: Connection, server: McpServer, caller: Patience) -> Listing:
    """Ask a server for all its tools."""
    connection.tools_changed = False
    raw = pages(connection, "tools/list", "tools", MAX_TOOLS, caller)
    return listing_of(server, raw, connection.version)


def pages(connection: Connection, method: str, key: str, most: int, caller: Patience) -> list[Any]:
    """Return the items of all pages of a list, at most `most` and one; raise the Failure of one that never ends."""
    found: list[Any] = []
    cursors: set[str] = set()
    params: dict[str, Any] = {}
    while True:
        page = connection.ask(method, params, caller)
        items = page.get(key)
        if not isinstance(items, list):
            raise fault(connection.server, f"answered {method} without {key}")
        found += items
        cursor = page.get("nextCursor")
        if len(found) > most or not isinstance(cursor, str):
            return found
        if cursor in cursors or len(cursors) >= MAX_PAGES:
            raise fault(connection.server, f"lists {key} without end")
        cursors.add(cursor)
        params = {"cursor": cursor}


def listing_of(server: McpServer, raw: list[Any], version: str) -> Listing:
    """Return the tools of a raw list that may be offered, and those that are left out."""
    tools: dict[str, Listed] = {}
    originals: set[str] = set()
    left_out: list[LeftOut] = []
    for number, value in enumerate(raw):
        named = value.get("name") if isinstance(value, dict) else None
        shown = clean(named)[:60] if isinstance(named, str) else f"number {number + 1}"
        if number >= MAX_TOOLS:
            left_out.append(LeftOut(shown, f"more than {MAX_TOOLS} tools are listed; this and the rest are left out"))
            break
        if not isinstance(named, str) or not named:
            left_out.append(LeftOut(shown, "it has no name"))
        elif named in originals:
            left_out.append(LeftOut(shown, "its name is listed twice; the first counts"))
        elif why := _reason_against(server, value):
            left_out.append(LeftOut(shown, why))
        elif _is_enabled(server, named):
            originals.add(named)
            listed = _listed(server, named, value, set(tools))
            tools[fold_name(listed.name)] = listed
    return Listing(version, tuple(tools.values()), tuple(left_out))


def _is_enabled(server: McpServer, name: str) -> bool:
    if any(match_name(pattern, name) for pattern in server.disabled_tools):
        return False
    return not server.enabled_tools or any(match_name(pattern, name) for pattern in server.enabled_tools)


def _listed(server: McpServer, tool: str, value: dict[str, Any], taken: set[str]) -> Listed:
    annotations = value.get("annotations")
    hints = annotations if isinstance(annotations, dict) else {}
    title = value.get("title") or hints.get("title")
    description = value.get("description")
    output = value.get("outputSchema")
    return Listed(
        name=_name(server.name, tool, taken),
        tool=tool,
        title=clean(title)[:200] if isinstance(title, str) else "",
        description=clean(description)[:MAX_DESCRIPTION_CHARS].strip() if isinstance(description, str) else "",
        input_schema=_cleaned(value["inputSchema"]),
        output_schema=_cleaned(output) if isinstance(output, dict) and not _schema_fault(output) else None,
        hints={hint: hints[hint] for hint in HINTS if isinstance(hints.get(hint), bool)},
    )


def _name(server: str, tool: str, taken: set[str]) -> str:
    """Return the name that providers take; what had to be changed ends in a piece of the name's digest."""
    plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "_-") else "_" for letter in tool)
    name = f"{PREFIX}{server}__{plain}"
    if plain == tool and len(name) <= MAX_NAME_CHARS and fold_name(name) not in taken:
        return name
    mark = "_" + digest(tool)[:6]
    return name[: MAX_NAME_CHARS - len(mark)] + mark


def _reason_against(server: McpServer, value: dict[str, Any]) -> str:
    schema = value.get("inputSchema")
    if not isinstance(schema, dict) or schema.get("type", "object") != "object":
        return "its inputSchema is not that of an object"
    if why := _schema_fault(schema):
        return why
    if server.url and server.transport != "sse":
        try:
            mirrored(schema)
        except ValueError as error:
            return str(error)
    return ""


def _schema_fault(schema: dict[str, Any]) -> str:
    """Return what forbids a schema: it points elsewhere, or is too large to be sent to a model with every request."""
    size = 0
    waiting: list[tuple[Any, int, bool]] = [(schema, 0, False)]
    while waiting:
        value, depth, is_by_name = waiting.pop()
        if isinstance(value, dict):
            reference = None if is_by_name else value.get("$ref", value.get("$dynamicRef"))
            if isinstance(reference, str) and not reference.startswith("#"):
                return f"its schema refers to {clean(reference)[:60]!r}, and nothing is fetched for a schema"
            waiting += ((inner, depth + 1, key in _SCHEMAS_BY_NAME and not is_by_name) for key, inner in value.items())
            size += sum(map(len, value))
        elif isinstance(value, list):
            waiting += ((inner, depth + 1, False) for inner in value)
        elif isinstance(value, str):
            size += len(value)
        size += 4
        if depth > MAX_SCHEMA_DEPTH:
            return f"its schema is nested more than {MAX_SCHEMA_DEPTH} deep"
        if size > MAX_SCHEMA_CHARS:
            return f"its schema is longer than {MAX_SCHEMA_CHARS:,} characters"
    return ""


def _cleaned(value: Any) -> Any:
    """Return a schema whose descriptions and titles may be shown; all that means something stays as it is."""
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: clean(inner)[:MAX_DESCRIPTION_CHARS] if key in _TEXTS and isinstance(inner, str) else _cleaned(inner)
        for key, inner in value.items()
    }
