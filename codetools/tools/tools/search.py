"""Finds tools among many, and has the model shown them from then on."""

from typing import TYPE_CHECKING

from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result, Span
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, tool
from codetools.search.tools import rank

if TYPE_CHECKING:
    from codetools.context import Context

NAME = "tools_search"


class Params(Record):
    """What is looked for."""

    query: Annotated[str, Arg("What the tool should do, or its name.", positional=True)]
    limit: Annotated[int, Arg("Most tools to show.", minimum=1, maximum=50)] = 5


class Found(Record):
    """One tool. `activated` is whether this search has had it shown to the model."""

    name: str
    summary: str
    activated: bool


class Tools(Result):
    """The tools that fit, the best first."""

    query: str
    tools: tuple[Found, ...]
    total_tools: int
    session: str | None

    def text(self) -> str:
        """Return one line per tool, and what happened."""
        if not self.tools:
            return f"No tool fits {self.query!r}. Try other words: a verb and what it works on."
        lines = [f"{found.name}: {found.summary}" for found in self.tools]
        if self.total_tools > len(self.tools):
            lines.append(f"[{self.total_tools - len(self.tools)} more fit; ask for more with limit]")
        activated = [found.name for found in self.tools if found.activated]
        if activated:
            lines.append(f"[activated: {', '.join(activated)}; they can be called from now on]")
        elif self.session is None:
            lines.append("[without a session nothing is activated; any of them can be called by name]")
        return "\n".join(lines)

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return one line per tool in columns."""
        return tuple((Span(found.name, "path"), Span("", "column"), Span(found.summary)) for found in self.tools)

    def answers_no(self) -> bool:
        """Whether no tool fits."""
        return not self.tools


@tool(
    READ_ONLY,
    aliases=("search_tools", "tool_search", "find_tool"),
    search_hint="find discover list more tools capability activate",
    examples=("codetools tools search 'undo a change'", "codetools tools search jobs --session s1 --json"),
)
def search(params: Params, context: "Context") -> Tools:
    """Find tools by what they do, and have the session shown them."""
    fitting = [known for known in rank(params.query, context.known_tools()) if known.name != NAME]
    found = fitting[: params.limit]
    new = tuple(known.name for known in found if not known.is_shown) if context.session is not None else ()
    if new:
        context.activate_tools(new)
    rows = tuple(Found(known.name, known.summary, known.name in new) for known in found)
    return Tools(params.query, rows, len(fitting), context.session)
