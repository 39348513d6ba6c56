"""Lists the tools."""

from typing import Literal

from codetools.cli.checking import plain_decision
from codetools.cli.choosing import Choice, chosen
from codetools.cli.handmade import WHERE, handmade
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result, Span
from codetools.core.record import Record
from codetools.core.tool import TOOLS_PACKAGE, Tool
from codetools.engine.engine import start
from codetools.engine.offered import activated, offered_tools
from codetools.engine.options import Options


class Params(Choice):
    """Which tools."""

    names: Annotated[tuple[str, ...], Arg("Only these tools.", positional=True, metavar="TOOL")] = ()


Decided = Literal["allow", "ask", "deny"]
State = Literal["core", "active", "hidden"]


class Row(Record):
    """One tool. `reversible` tools only stage changes: they can be undone, and shown with --dry-run.

    `source` is `built in`, or the MCP server it comes from. `decision` is what a plain call of it comes to, on a file
    of the workspace with an ordinary name, or with a command that does more than read: each is judged by itself.
    `state` is whether a model is shown it: always, in this session, or once it was searched for.
    """

    name: str
    summary: str
    aliases: tuple[str, ...]
    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool
    concurrency_safe: bool
    reversible: bool
    source: str
    decision: Decided
    state: State

    @property
    def kind(self) -> str:
        """What it may do, in a word."""
        return "looks" if self.read_only else "changes" if self.reversible else "acts"


class Tools(Result):
    """The tools that were asked for."""

    tools: tuple[Row, ...]

    def text(self) -> str:
        """Return one line per tool: its name, its state, what a plain call comes to, what it may do, its summary."""
        cells = [(row.name, row.state, row.decision, row.kind, row.source) for row in self.tools]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = []
        for row, texts in zip(self.tools, cells, strict=True):
            columns = (text.ljust(width) for text, width in zip(texts, widths, strict=True))
            lines.append(f"{'  '.join(columns)}  {row.summary}")
        return "\n".join(lines)

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return one line per tool in columns."""
        return tuple((Span(row.name, "path"), *_cells(row), _COLUMN, Span(row.summary)) for row in self.tools)

    def answers_no(self) -> bool:
        """Whether no tool is left."""
        return not self.tools


_COLUMN = Span("", "column")
EXAMPLES = ("codetools tools list", "codetools tools list --read-only --json")


@handmade(examples=EXAMPLES, options=(*WHERE, "deny", "session"))
def list(params: Params, options: Options) -> Tools:
    """List the tools, with what they may do."""
    engine = start(options)
    offered = {tool.name for tool in offered_tools(engine)}
    core = offered - set(activated(engine))
    rows = []
    for tool, _ in chosen(params, params.names, engine):
        effects = tool.effects
        rows.append(
            Row(
                name=tool.name,
                summary=tool.summary,
                aliases=tool.aliases,
                read_only=effects.read_only,
                destructive=effects.destructive,
                idempotent=effects.idempotent,
                open_world=effects.open_world,
                concurrency_safe=effects.concurrency_safe,
                reversible=effects.stages,
                source=_source(tool),
                decision=plain_decision(engine, tool),
                state="core" if tool.name in core else "active" if tool.name in offered else "hidden",
            )
        )
    return Tools(tuple(rows))


def _cells(row: Row) -> tuple[Span, ...]:
    texts = (row.state, row.decision, row.kind, row.source)
    return tuple(span for text in texts for span in (_COLUMN, Span(text, "dim")))


def _source(tool: Tool) -> str:
    if tool.module.startswith(TOOLS_PACKAGE):
        return "built in"
    return f"mcp:{tool.name.split('__')[1]}"
