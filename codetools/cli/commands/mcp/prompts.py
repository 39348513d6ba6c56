"""Asks an MCP server for its prompts, or for one of them filled in."""

from typing import Any

from codetools.cli.handmade import WHERE, handmade
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result, Span
from codetools.core.record import Record
from codetools.engine.options import Options

MAX_PROMPTS = 500


class Params(Record):
    """Which prompts."""

    server: Annotated[str, Arg("Only this server.", positional=True)] = ""
    name: Annotated[str, Arg("Fill this prompt in.", positional=True)] = ""
    arguments: Annotated[dict[str, Any] | None, Arg("What it is filled in with.", positional=True)] = None


class Row(Record):
    """One prompt; of `arguments` those that are `required` have to be given."""

    server: str
    name: str
    description: str
    arguments: tuple[str, ...]
    required: tuple[str, ...]


class Turn(Record):
    """One message of a prompt that was filled in."""

    role: str
    content: str


class Prompts(Result):
    """The prompts that servers list, or the messages of the one that was asked for."""

    prompts: tuple[Row, ...]
    messages: tuple[Turn, ...]
    failed: tuple[str, ...]

    def text(self) -> str:
        """Return one line per prompt, or the messages."""
        if self.messages:
            return "\n\n".join(f"{turn.role}: {turn.content}" for turn in self.messages)
        lines = [f"{row.server}  {row.name}({_arguments(row)})  {row.description}" for row in self.prompts]
        return "\n".join([*lines, *(f"failed: {why}" for why in self.failed)])

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return a list in columns."""
        if self.messages:
            return ()
        rows = tuple(
            (
                Span(row.server),
                Span("", "column"),
                Span(f"{row.name}({_arguments(row)})", "path"),
                Span("", "column"),
                Span(row.description),
            )
            for row in self.prompts
        )
        return (*rows, *((Span(f"failed: {why}", "warning"),) for why in self.failed))

    def answers_no(self) -> bool:
        """Whether there is none."""
        return not self.prompts and not self.messages


@handmade(
    examples=("codetools mcp prompts docs", """codetools mcp prompts docs explain '{"topic": "indexes"}'"""),
    options=(*WHERE, "deny"),
)
def prompts(params: Params, options: Options) -> Prompts:
    """List the prompts of MCP servers, or fill one in."""
    from codetools.cli.servers import talk
    from codetools.mcp.listing import pages

    with talk(options, (params.server,) if params.server else ()) as talking:

        def ask(server: Any, caller: Any) -> Any:
            connection = talking.connections.connection(server, talking.around, caller)
            if params.name:
                wanted = {"name": params.name, "arguments": params.arguments or {}}
                return connection.ask("prompts/get", wanted, caller)
            if "prompts" not in connection.capabilities:
                return []
            return pages(connection, "prompts/list", "prompts", MAX_PROMPTS, caller)[:MAX_PROMPTS]

        answers = talking.each(ask)
        if params.name:
            if answers[0].failure is not None:
                raise answers[0].failure
            return Prompts((), _turns(answers[0].answer, params.server, talking.engine.limits), ())
        failed = tuple(said.failure.line() for said in answers if said.failure is not None)
        rows = (_row(said.server.name, raw) for said in answers for raw in said.answer or () if isinstance(raw, dict))
        return Prompts(tuple(rows), (), failed)


def _row(server: str, raw: dict[str, Any]) -> Row:
    from codetools.mcp.clean import clean

    given = raw.get("arguments")
    arguments = [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []
    return Row(
        server=server,
        name=clean(str(raw.get("name", ""))),
        description=clean(str(raw.get("description") or raw.get("title") or ""))[:2000],
        arguments=tuple(clean(str(each.get("name", ""))) for each in arguments),
        required=tuple(clean(str(each.get("name", ""))) for each in arguments if each.get("required") is True),
    )


def _turns(found: Any, server: str, limits: Any) -> tuple[Turn, ...]:
    from codetools.mcp.content import read_content

    raw = found.get("messages") if isinstance(found, dict) else None
    turns = []
    for each in raw if isinstance(raw, list) else []:
        if isinstance(each, dict):
            content = read_content([each.get("content")], server, limits, with_images=True)
            notes = [f"[{notice.message}]" for notice in content.notices]
            turns.append(Turn(str(each.get("role", "")), "\n".join(filter(None, [content.text, *notes]))))
    return tuple(turns)


def _arguments(row: Row) -> str:
    return ", ".join(name if name in row.required else f"{name}?" for name in row.arguments)
