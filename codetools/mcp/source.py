"""The configured servers as a source of tools: from what they last listed, without starting one."""

from typing import TYPE_CHECKING

from codetools.config.servers import fold_name
from codetools.config.settings import McpServer
from codetools.core.limits import Limits
from codetools.core.tool import Tool
from codetools.mcp.listing import PREFIX, Listed, Listing
from codetools.mcp.making import make_tool, unknown_tool
from codetools.mcp.tool import MODULE
from codetools.mcp.tool_lists import kept_listing, stamp_of

if TYPE_CHECKING:
    from codetools.mcp.connections import Connections


class Servers:
    """The tools of `servers`, the settings' `mcp`; `home` is the state directory, `connections` those of the door."""

    def __init__(self, servers: tuple[McpServer, ...], home: str, connections: "Connections") -> None:
        self._servers = servers
        self._home = home
        self._connections = connections
        self._kept: dict[str, tuple[tuple[int, ...], Listing | None]] = {}

    def words(self) -> tuple[tuple[str, ...], ...]:
        """Return the name of every tool that is known, each as one word."""
        return tuple((listed.name,) for server in self._servers for listed in self._listed(server))

    def load(self, name: str) -> Tool | None:
        """Return the tool of this name, also written `mcp_server_tool`, or None where no server of ours is named.

        Of a server that was never asked any tool may be named: what it takes shows when it is called.
        """
        folded = fold_name(name)
        for server in self._servers:
            for start in (f"{PREFIX}{fold_name(server.name)}__", f"mcp_{fold_name(server.name)}_"):
                if folded.startswith(start) and len(folded) > len(start) and (tool := self._find(server, name, start)):
                    return tool
        return None

    def description(self, tool: Tool, limits: Limits) -> str | None:
        """Return what the server says of its tool, or None for a tool of another source."""
        if tool.module != MODULE:
            return None
        listed: Listed = tool.listed  # type: ignore[attr-defined]
        return listed.description or tool.summary

    def _find(self, server: McpServer, name: str, start: str) -> Tool | None:
        rest = fold_name(name).removeprefix(start)
        if self._listing(server) is None:
            tool = name[len(start) :]
            exposed = f"{PREFIX}{server.name}__{tool}"
            return make_tool(server, unknown_tool(server, exposed, tool), self._home, self._connections, is_known=False)
        wanted = f"{PREFIX}{fold_name(server.name)}__{rest}"
        for listed in self._listed(server):
            if fold_name(listed.name) == wanted:
                return make_tool(server, listed, self._home, self._connections, is_known=True)
        return None

    def _listed(self, server: McpServer) -> tuple[Listed, ...]:
        kept = self._listing(server)
        return kept.tools if kept is not None else ()

    def _listing(self, server: McpServer) -> Listing | None:
        """Return the kept list of a server, read again where it was written since."""
        stamp = stamp_of(self._home, server)
        if server.name not in self._kept or self._kept[server.name][0] != stamp:
            self._kept[server.name] = (stamp, kept_listing(self._home, server))
        return self._kept[server.name][1]
