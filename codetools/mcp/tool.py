"""A tool of a server as a Tool of ours: asked for unless a rule allows it, run by a call to its server."""

from typing import Any

from codetools.config.settings import McpServer
from codetools.core.load import Loaded
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.core.shape import Json
from codetools.core.tool import Tool
from codetools.mcp.allowed_forms import allow_form
from codetools.mcp.arguments import example_arguments, read_arguments
from codetools.mcp.listing import Listed
from codetools.mcp.plain import plain_schema
from codetools.mcp.server import digest, identity

MODULE = "codetools.mcp"
MAX_OPERATION_CHARS = 2000
ANY_OBJECT: dict[str, Any] = {"type": "object"}
NO_TOOL = Listed("", "", "", "", ANY_OBJECT, None, {})


class Arguments(Record):
    """What a call is made of: the arguments, and which form of the tool they were given for, or an empty text."""

    arguments: dict[str, Any]
    form: str


class Answer(Result):
    """What the server answered: `content` is the text that it means for a model, `structured` its data for programs."""

    server: str
    tool: str
    content: str
    structured: Json
    is_error: bool

    def text(self) -> str:
        """Return the text, or the data of an answer that has none."""
        if self.content or self.structured is None:
            return self.content or "(the answer is empty)"
        from codetools.mcp.content import as_text

        return as_text(self.structured)

    def answers_no(self) -> bool:
        """Whether the tool says that it could not do what it was asked."""
        return self.is_error


class McpTool(Tool):
    """A tool made from a listing; `listed` has no description where the server was never asked."""

    server: McpServer = McpServer()
    listed: Listed = NO_TOOL
    is_known: bool = False
    home: str = ""

    def parts(self) -> dict[str, str]:
        """Return what a yes to this tool holds for, part by part."""
        return parts_of(self.server, self.listed, is_known=self.is_known)

    def input_schema(self, *, model_only: bool = True) -> dict[str, Any]:
        """Return the server's schema of the arguments, with what those of our own always have."""
        schema = {"type": "object", "properties": {}, "required": [], **self.listed.input_schema}
        for key, kind in (("properties", dict), ("required", list)):
            if not isinstance(schema[key], kind):
                schema[key] = kind()
        return schema

    def plain_schema(self) -> dict[str, Any]:
        """Return the same in the few keywords that every provider takes."""
        return plain_schema(self.listed.input_schema)

    def output_schema(self) -> dict[str, Any]:
        """Return the schema of `data`; what is in `structured` is for the server's own schema to say."""
        structured = self.listed.output_schema or {}
        return {
            "type": "object",
            "properties": {
                "server": {"type": "string"},
                "tool": {"type": "string"},
                "content": {"type": "string"},
                "structured": structured if not _has_references(structured) else {},
                "is_error": {"type": "boolean"},
            },
            "required": ["server", "tool", "content", "structured", "is_error"],
            "additionalProperties": False,
        }

    def load(self, arguments: Any) -> Loaded[Any]:
        """Read JSON arguments; raise `usage` naming every problem and a valid example."""
        values, repairs = read_arguments(self.listed.input_schema, arguments, self.name)
        return Loaded(Arguments(values, digest(self.parts()) if self.is_known else ""), repairs)

    def example(self) -> dict[str, Any]:
        """Return the smallest valid arguments."""
        return example_arguments(self.listed.input_schema)

    def operation(self, params: Any) -> str:
        """Return what a person is asked about: the tool and its arguments."""
        import json

        shown = json.dumps(params.arguments, ensure_ascii=False)
        if len(shown) > MAX_OPERATION_CHARS:
            shown = f"{shown[:MAX_OPERATION_CHARS]}... ({len(shown):,} characters)"
        return f"run {self.name} {shown}"

    def accept(self) -> None:
        """Take note that the tool was allowed as it is now."""
        allow_form(self.home, self.server.name, self.listed.tool, self.parts())


def parts_of(server: McpServer, listed: Listed, *, is_known: bool = True) -> dict[str, str]:
    """Return what a yes to a tool holds for: how its server is started and, where it is known, what it says."""
    return {**identity(server), **(listed.identity() if is_known else {})}


def said_changed(server: McpServer, listed: Listed, changed: tuple[str, ...]) -> str:
    """Return one sentence on what changed since a tool was allowed."""
    words = " and ".join([", ".join(changed[:-1]), changed[-1]]) if len(changed) > 1 else changed[0]
    said = f"the {words} of the MCP tool changed since it was allowed"
    if "description" in changed:
        said += f"; it now says: {' '.join(listed.description.split())[:300]!r}"
    if "command" in changed or "args" in changed:
        said += f"; its server is now {' '.join((server.command, *server.args))[:300]!r}"
    return said


def _has_references(schema: Any) -> bool:
    if isinstance(schema, list):
        return any(map(_has_references, schema))
    if not isinstance(schema, dict):
        return False
    return "$ref" in schema or any(map(_has_references, schema.values()))
