"""Takes a session back to the tools that every session begins with."""

from codetools.cli.handmade import WHERE, handmade
from codetools.core.errors import Failure
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.engine.engine import start
from codetools.engine.options import Options
from codetools.state.active_tools import ActiveTools


class Params(Record):
    """Nothing but the session."""


class Forgotten(Result):
    """What the session is no longer shown."""

    session: str
    tools: tuple[str, ...]

    def text(self) -> str:
        """Return one line."""
        return f"session {self.session} is shown the core alone, no longer: {', '.join(self.tools) or 'nothing'}"


@handmade(
    examples=("codetools tools reset --session s1", "codetools tools reset --session s1 --json"),
    options=(*WHERE, "session"),
)
def reset(params: Params, options: Options) -> Forgotten:
    """Forget which tools a session has activated: it is shown the core again."""
    engine = start(options)
    if engine.session is None:
        raise Failure("usage", "tools reset needs a session.", "Add --session ID.")
    return Forgotten(engine.session, ActiveTools(engine.store()).reset(engine.session))
