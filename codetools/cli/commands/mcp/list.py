"""Lists the MCP servers of the settings."""

from codetools.cli.handmade import WHERE, handmade
from codetools.config.servers import NO_SERVERS
from codetools.config.settings import McpServer
from codetools.core.outcome import Result, Span
from codetools.core.record import Record
from codetools.engine.engine import start
from codetools.engine.options import Options


class Params(Record):
    """Nothing to say."""


class Row(Record):
    """One server. `tools` is null where it was never asked; `left_out` of its tools are not offered."""

    name: str
    transport: str
    where: str
    origin: str
    tools: int | None
    left_out: int
    protocol: str


class Servers(Result):
    """The servers, in the order of the settings."""

    servers: tuple[Row, ...]

    def text(self) -> str:
        """Return one line per server."""
        if not self.servers:
            return f"There are no MCP servers. {NO_SERVERS}"
        return "\n".join(f"{row.name}  {_count(row)}  {row.where}" for row in self.servers)

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the same in columns."""
        return tuple(
            (Span(row.name, "path"), Span("", "column"), Span(_count(row)), Span("", "column"), Span(row.where, "dim"))
            for row in self.servers
        )

    def answers_no(self) -> bool:
        """Whether no server is configured."""
        return not self.servers


@handmade(examples=("codetools mcp list", "codetools mcp list --json"), options=WHERE)
def list(params: Params, options: Options) -> Servers:
    """List the MCP servers of the settings, starting none.

    The settings name them under mcp; those of a project count once it is trusted. How many tools a server has is what
    it said when it was last asked, by codetools mcp tools or by a call.
    """
    from codetools.mcp.tool_lists import kept_listing

    engine = start(options)
    rows = []
    for server in engine.config.settings.mcp:
        kept = kept_listing(engine.home, server)
        rows.append(
            Row(
                name=server.name,
                transport=_transport(server),
                where=server.url or " ".join((server.command, *server.args)),
                origin=engine.config.origin(f"mcp.{server.name}"),
                tools=len(kept.tools) if kept is not None else None,
                left_out=len(kept.left_out) if kept is not None else 0,
                protocol=kept.version if kept is not None else "",
            )
        )
    return Servers(tuple(rows))


def _transport(server: McpServer) -> str:
    if server.transport != "auto":
        return server.transport
    return "stdio" if server.command else "http"


def _count(row: Row) -> str:
    if row.tools is None:
        return "not asked yet"
    left_out = f", {row.left_out} left out" if row.left_out else ""
    return f"{row.tools} tools{left_out}"
