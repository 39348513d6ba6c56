"""Asks MCP servers for their tools."""

from typing import Any

from codetools.cli.handmade import WHERE, handmade
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result, Span
from codetools.core.record import Record
from codetools.engine.options import Options


class Params(Record):
    """Which servers."""

    servers: Annotated[tuple[str, ...], Arg("Only these servers.", positional=True, metavar="SERVER")] = ()


class Row(Record):
    """One tool. `annotations` are the server's own word, which no decision is loosened by."""

    name: str
    server: str
    tool: str
    title: str
    description: str
    annotations: dict[str, Any]


class Missing(Record):
    """A tool that is not offered, or a server that did not answer, and why."""

    server: str
    tool: str
    why: str


class Tools(Result):
    """The tools of the servers that answered."""

    tools: tuple[Row, ...]
    missing: tuple[Missing, ...]

    def text(self) -> str:
        """Return one line per tool, and one per tool or server that is missing."""
        lines = [f"{row.name}  {_first(row)}" for row in self.tools]
        return "\n".join([*lines, *map(_said, self.missing)])

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the same in columns."""
        rows = tuple((Span(row.name, "path"), Span("", "column"), Span(_first(row))) for row in self.tools)
        return (*rows, *((Span(_said(missing), "warning"),) for missing in self.missing))

    def answers_no(self) -> bool:
        """Whether there is no tool."""
        return not self.tools


@handmade(examples=("codetools mcp tools", "codetools mcp tools docs --json"), options=(*WHERE, "deny"))
def tools(params: Params, options: Options) -> Tools:
    """Ask MCP servers for their tools, and keep the lists.

    The lists are what codetools tools list, show and schema know of these tools: those start no server. A server that
    does not answer is said, and the others are listed.
    """
    from codetools.cli.servers import talk

    rows: list[Row] = []
    missing: list[Missing] = []
    with talk(options, params.servers) as talking:
        connections, around = talking.connections, talking.around
        for said in talking.each(lambda server, caller: connections.listing(server, around, caller)[1]):
            name = said.server.name
            if said.answer is None:
                missing.append(Missing(name, "", said.failure.line() if said.failure else ""))
                continue
            missing += [Missing(name, left.tool, left.why) for left in said.answer.left_out]
            for listed in said.answer.tools:
                text = listed.description
                rows.append(Row(listed.name, name, listed.tool, listed.title, text, listed.hints))
    return Tools(tuple(rows), tuple(missing))


def _first(row: Row) -> str:
    return row.description.split("\n")[0] or row.title


def _said(missing: Missing) -> str:
    return f"left out: {missing.server} {missing.tool}: {missing.why}" if missing.tool else f"failed: {missing.why}"
