"""Lists the tools."""

from typing import Annotated

from codetools.cli.choosing import Choice, chosen
from codetools.cli.handmade import WHERE, handmade
from codetools.core.arg import Arg
from codetools.core.outcome import Result, Span
from codetools.core.record import Record
from codetools.engine.options import Options


class Params(Choice):
    """Which tools."""

    names: Annotated[tuple[str, ...], Arg("Only these tools.", positional=True, metavar="TOOL")] = ()


class Row(Record):
    """One tool. `reversible` tools only stage changes: they can be undone, and shown with --dry-run."""

    name: str
    summary: str
    aliases: tuple[str, ...]
    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool
    concurrency_safe: bool
    reversible: bool


class Tools(Result):
    """The tools that were asked for."""

    tools: tuple[Row, ...]

    def text(self) -> str:
        """Return one line per tool: its name and what it does."""
        width = max((len(row.name) for row in self.tools), default=0)
        return "\n".join(f"{row.name.ljust(width)}  {row.summary}" for row in self.tools)

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return one line per tool in columns."""
        return tuple((Span(row.name, "path"), Span("", "column"), Span(row.summary)) for row in self.tools)

    def answers_no(self) -> bool:
        """Whether no tool is left."""
        return not self.tools


EXAMPLES = ("codetools tools list", "codetools tools list --read-only --json")


@handmade(examples=EXAMPLES, options=(*WHERE, "deny"))
def list(params: Params, options: Options) -> Tools:
    """List the tools, with what they may do."""
    rows = []
    for tool, _ in chosen(params, params.names, options):
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
            )
        )
    return Tools(tuple(rows))
