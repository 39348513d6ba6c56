"""Asks MCP servers for their resources."""

from typing import Any

from codetools.cli.handmade import WHERE, handmade
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result, Span
from codetools.core.record import Record
from codetools.engine.options import Options

MAX_RESOURCES = 1000


class Params(Record):
    """Which servers."""

    servers: Annotated[tuple[str, ...], Arg("Only these servers.", positional=True, metavar="SERVER")] = ()


class Row(Record):
    """One resource, or where `is_template`, the form of many: `{name}` in its address is to be filled in."""

    server: str
    uri: str
    name: str
    description: str
    media_type: str
    is_template: bool


class Resources(Result):
    """The resources of the servers that answered; `failed` says why others did not."""

    resources: tuple[Row, ...]
    failed: tuple[str, ...]
    cut: tuple[str, ...]

    def text(self) -> str:
        """Return one line per resource."""
        lines = [f"{row.server}  {row.uri}  {row.name}" for row in self.resources]
        return "\n".join([*lines, *self._said()])

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the same in columns."""
        rows = tuple(
            (Span(row.server), Span("", "column"), Span(row.uri, "path"), Span("", "column"), Span(row.name))
            for row in self.resources
        )
        return (*rows, *((Span(line, "warning"),) for line in self._said()))

    def answers_no(self) -> bool:
        """Whether there is none."""
        return not self.resources

    def _said(self) -> list[str]:
        return [f"failed: {why}" for why in self.failed] + [f"cut: {what}" for what in self.cut]


@handmade(examples=("codetools mcp resources", "codetools mcp resources docs --json"), options=(*WHERE, "deny"))
def resources(params: Params, options: Options) -> Resources:
    """Ask MCP servers for their resources, and the templates of such."""
    from codetools.cli.servers import talk
    from codetools.mcp.listing import pages

    kinds = (("resources/list", "resources", "uri"), ("resources/templates/list", "resourceTemplates", "uriTemplate"))
    rows: list[Row] = []
    failed: list[str] = []
    cut: list[str] = []
    with talk(options, params.servers) as talking:

        def ask(server: Any, caller: Any) -> list[Row]:
            connection = talking.connections.connection(server, talking.around, caller)
            if "resources" not in connection.capabilities:
                return []
            found: list[Row] = []
            for method, key, address in kinds:
                for raw in pages(connection, method, key, MAX_RESOURCES, caller):
                    if isinstance(raw, dict) and isinstance(raw.get(address), str):
                        found.append(_row(server.name, raw, address))
            return found

        for said in talking.each(ask):
            if said.failure is not None:
                failed.append(said.failure.line())
            found = said.answer or []
            rows += found[:MAX_RESOURCES]
            if len(found) > MAX_RESOURCES:
                cut.append(f"{said.server.name} lists more than {MAX_RESOURCES} resources")
    return Resources(tuple(rows), tuple(failed), tuple(cut))


def _row(server: str, raw: dict[str, Any], address: str) -> Row:
    from codetools.mcp.clean import clean

    def text(key: str) -> str:
        value = raw.get(key)
        return clean(value)[:2000] if isinstance(value, str) else ""

    name = text("title") or text("name")
    return Row(server, raw[address], name, text("description"), text("mimeType"), address == "uriTemplate")
