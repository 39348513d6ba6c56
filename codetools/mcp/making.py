"""Makes the Tool of what a server listed: its effects are ours to say, its words are as far as they were allowed."""

from typing import TYPE_CHECKING, Any

from codetools.config.settings import McpServer
from codetools.core.tool import Effects
from codetools.mcp.allowed_forms import what_changed
from codetools.mcp.listing import Listed
from codetools.mcp.run import run_tool
from codetools.mcp.tool import MODULE, NO_TOOL, Answer, Arguments, McpTool, parts_of, said_changed

if TYPE_CHECKING:
    from codetools.mcp.caller import Caller
    from codetools.mcp.connections import Connections


def make_tool(server: McpServer, listed: Listed, home: str, connections: "Connections", *, is_known: bool) -> McpTool:
    """Return the tool that `listed` describes."""

    def run(params: Arguments, context: "Caller") -> Answer:
        return run_tool(made, params, context, connections)

    parts = parts_of(server, listed, is_known=is_known)
    changed = what_changed(home, server.name, listed.tool, parts)
    summary = (
        listed.description.split("\n")[0][:200]
        or listed.title
        or f"Tool {listed.tool} of the MCP server {server.name}."
    )
    made = McpTool(
        name=listed.name,
        words=(listed.name,),
        summary=summary,
        effects=_effects(listed.hints),
        params=Arguments,
        result=Answer,
        run=run,
        module=MODULE,
        aliases=(f"mcp_{server.name}_{listed.name.removeprefix(f'mcp__{server.name}__')}".lower().replace("-", "_"),),
        title=listed.title,
        search_hint=listed.tool,
        caution=said_changed(server, listed, changed) if changed else "",
        server=server,
        listed=listed,
        is_known=is_known,
        home=home,
    )
    return made


def unknown_tool(server: McpServer, name: str, tool: str) -> Listed:
    """Return what stands for a tool of a server that was never asked for its list."""
    return NO_TOOL.but(name=name, tool=tool)


def _effects(hints: dict[str, Any]) -> Effects:
    """Return the effects that decisions are made by: a server's own word never makes one looser."""
    return Effects(
        read_only=False,
        destructive=True,
        idempotent=False,
        open_world=True,
        concurrency_safe=hints.get("readOnlyHint") is True,
    )
