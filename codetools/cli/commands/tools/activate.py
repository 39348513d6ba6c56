"""Shows tools to a session by hand."""

from codetools.cli.handmade import WHERE, handmade
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.engine.engine import start
from codetools.engine.options import Options
from codetools.state.active_tools import ActiveTools


class Params(Record):
    """Which tools."""

    names: Annotated[tuple[str, ...], Arg("Tools to show.", positional=True, metavar="TOOL")]


class Activated(Result):
    """What the session is shown from now on, besides the core."""

    session: str
    tools: tuple[str, ...]

    def text(self) -> str:
        """Return one line."""
        return f"session {self.session} is shown, besides the core: {', '.join(self.tools)}"


@handmade(
    examples=(
        "codetools tools activate undo history --session s1",
        "codetools tools activate mcp__docs__search --session s1 --json",
    ),
    options=(*WHERE, "session"),
)
def activate(params: Params, options: Options) -> Activated:
    """Show tools to a session, as a search by the model does."""
    engine = start(options)
    if engine.session is None:
        raise Failure("usage", "tools activate needs a session.", "Add --session ID.")
    names = tuple(engine.registry.find(name).name for name in params.names)
    active = ActiveTools(engine.store())
    active.activate(engine.session, names)
    return Activated(engine.session, active.names(engine.session))
