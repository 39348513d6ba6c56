"""Calls a tool of an MCP server by the names that the server uses."""

from typing import Any

from codetools.cli.handmade import handmade
from codetools.core.arg import Annotated, Arg
from codetools.core.record import Record
from codetools.engine.options import Options


class Params(Record):
    """Which tool, with what."""

    server: Annotated[str, Arg("Name of the server.", positional=True)]
    tool: Annotated[str, Arg("Name of the tool, as the server lists it.", positional=True)]
    arguments: Annotated[dict[str, Any] | None, Arg("Its arguments.", positional=True)] = None


def named(params: Params, options: Options) -> tuple[Any, str, dict[str, Any]]:
    """Return the engine, the name by which the tool is called here, and the arguments."""
    from codetools.cli.servers import named_server
    from codetools.engine.engine import start
    from codetools.mcp.listing import PREFIX
    from codetools.mcp.tool_lists import kept_listing

    engine = start(options)
    server = named_server(engine, params.server)
    kept = kept_listing(engine.home, server)
    listed = next((listed.name for listed in kept.tools if listed.tool == params.tool), "") if kept else ""
    return engine, listed or f"{PREFIX}{server.name}__{params.tool}", params.arguments or {}


@handmade(
    examples=("""codetools mcp call docs search '{"query": "install"}'""", "codetools mcp call time get_current_time"),
    options=tuple(Options.record_fields),
    calls=named,
)
def call(params: Params, options: Options) -> None:
    """Call a tool of an MCP server.

    It is the same call as codetools call mcp__SERVER__TOOL: asked about unless a rule such as mcp__SERVER__* allows it.
    """
