"""Prints tools as a provider wants them listed."""

from typing import Any, Literal

from codetools.cli.choosing import Choice, chosen
from codetools.cli.handmade import WHERE, handmade
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result
from codetools.engine.engine import start
from codetools.engine.options import Options

Format = Literal["openai", "openai-responses", "openai-strict", "anthropic", "gemini", "mcp", "json", "markdown"]


class Params(Choice):
    """Which tools, and for whom."""

    names: Annotated[tuple[str, ...], Arg("Only these tools, in this order.", positional=True, metavar="TOOL")] = ()
    format: Annotated[Format, Arg("What the document is for.", short="f", metavar="FORMAT")] = "json"
    indent: Annotated[bool, Arg("Lay the document out for a person.")] = False


class Schema(Result):
    """One document: `document.tools` is its value, `printed` its text."""

    format: str
    document: dict[str, Any]
    printed: str

    def text(self) -> str:
        """Return the bare document."""
        return self.printed


@handmade(
    examples=(
        "codetools tools schema --format anthropic read edit grep",
        "codetools tools schema --format markdown --read-only",
    ),
    options=(*WHERE, "deny", "session"),
)
def schema(params: Params, options: Options) -> Schema:
    """Print the tools' schemas as a provider takes them.

    The document is printed bare: openai is the list of Chat Completions tools, openai-responses that of the Responses
    API, openai-strict the list for strict mode, anthropic that of Messages, gemini one tool with its function
    declarations, mcp the list of tools/list, json a list of JSON Schemas (2020-12), markdown a section for a system
    prompt.
    """
    from codetools.render.schemas import export, export_text

    tools = chosen(params, params.names, start(options))
    document = export(tools, params.format)
    printed = export_text(tools, params.format, indent=params.indent)
    return Schema(params.format, {"tools": document}, printed)
