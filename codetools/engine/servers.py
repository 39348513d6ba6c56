"""The tools of the configured MCP servers as a source: nothing of it is imported before such a tool is meant."""

from typing import TYPE_CHECKING

from codetools.config.settings import McpServer
from codetools.core.limits import Limits
from codetools.core.tool import Tool

if TYPE_CHECKING:
    from codetools.mcp.connections import Connections
    from codetools.mcp.source import Servers

START = "mcp_"


class LazyConnections:
    """The connections of a door, made on their first use; they outlive the engines of a resident one."""

    def __init__(self) -> None:
        self._connections: Connections | None = None

    def __call__(self) -> "Connections":
        """Return the connections."""
        if self._connections is None:
            from codetools.mcp.connections import Connections

            self._connections = Connections()
        return self._connections

    def close(self, *, waits: bool = True) -> None:
        """End what was opened, servers of ours with their trees. A door that is about to end need not wait for it."""
        if self._connections is not None:
            self._connections.close(waits=waits)


class LazyServers:
    """The source of every tool that a server of the settings listed."""

    def __init__(self, servers: tuple[McpServer, ...], home: str, connections: LazyConnections) -> None:
        self._servers = servers
        self._home = home
        self._connections = connections
        self._source: Servers | None = None

    def words(self) -> tuple[tuple[str, ...], ...]:
        """Return the name of every tool that is known, each as one word."""
        return self._found().words() if self._servers else ()

    def load(self, name: str) -> Tool | None:
        """Return the tool of this name, or None."""
        return self._found().load(name) if self._servers and name.startswith(START) else None

    def description(self, tool: Tool, limits: Limits) -> str | None:
        """Return what the server says of its tool, or None for a tool of another source."""
        return self._found().description(tool, limits) if tool.name.startswith(START) else None

    def _found(self) -> "Servers":
        if self._source is None:
            from codetools.mcp.source import Servers

            self._source = Servers(self._servers, self._home, self._connections())
        return self._source
