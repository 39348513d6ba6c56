"""Says what would be decided about a call, without making it."""

from typing import Any, Literal

from codetools.cli.handmade import handmade
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result, Span
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.engine.options import Options

ROLES = {"allow": "good", "ask": "warning", "deny": "bad"}


class Params(Record):
    """Which call; what follows the tool are its own arguments and options."""

    tool: Annotated[str, Arg("Tool; its own arguments and options follow.", positional=True, metavar="TOOL")]


class Part(Record):
    """One simple command of a script, and what it was judged to be."""

    command: str
    verdict: str
    reason: str
    kind: str
    writes: tuple[Path, ...] = ()


class Checked(Result):
    """What would be decided. `rule` decides and comes from `origin`; both are null for a default."""

    tool: str
    decision: Literal["allow", "ask", "deny"]
    reason: str
    rule: Annotated[str | None, Arg("The rule that decides; null for a default.")]
    origin: Annotated[str | None, Arg("Where that rule comes from.")]
    verdict: Literal["read_only", "ask", "banned"] | None = None
    kind: Annotated[str | None, Arg("Its class: search, read, list, write, silent, general or neutral.")] = None
    parts: tuple[Part, ...] | None = None

    def text(self) -> str:
        """Return the decision and why."""
        unsaid = [word for word in (self.rule, self.origin) if word and word not in self.reason]
        by = f" [{', from '.join(unsaid)}]" if unsaid else ""
        lines = [f"{self.decision}: {self.reason}{by}"]
        for part in self.parts or ():
            lines.append(f"  {part.verdict:9}  {part.kind:7}  {part.command}  ({part.reason})")
        return "\n".join(lines)

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the same with the decision in its colour."""
        first, *rest = self.text().split("\n")
        _, colon, after = first.partition(":")
        return (Span(self.decision, ROLES[self.decision]), Span(colon + after)), *((Span(line),) for line in rest)

    def answers_no(self) -> bool:
        """Whether the call would not simply run."""
        return self.decision != "allow"


@handmade(
    examples=("codetools permissions check edit src/app.py a b", "codetools permissions check bash -- git status"),
    options=("root", "directory", "config"),
    takes_tool=True,
)
def check(params: Params, options: Options) -> Any:
    """Say what would be decided about a call: allow, ask or deny, and by which rule.

    Nothing is done. What follows the tool's name are its own arguments and options. For a command, its verdict and that
    of each of its parts are shown too. The status is 0 for allow and 1 for ask and deny.
    """
    raise LookupError("check goes on with the command of a tool")
