"""Reads a resource of an MCP server."""

from typing import Any

from codetools.cli.handmade import WHERE, handmade
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.engine.options import Options


class Params(Record):
    """Which resource."""

    server: Annotated[str, Arg("Name of the server.", positional=True)]
    uri: Annotated[str, Arg("Address of the resource, as the server lists it.", positional=True)]


class Content(Result):
    """What a resource holds: its text; `notes` say what is left out, such as images and audio."""

    server: str
    uri: str
    content: str
    notes: tuple[str, ...]

    def text(self) -> str:
        """Return the text, and what is left out."""
        return "\n".join([self.content, *(f"[{note}]" for note in self.notes)]).lstrip("\n")


@handmade(
    examples=("codetools mcp read docs file:///guide.md", "codetools mcp read docs file:///guide.md --json"),
    options=(*WHERE, "deny"),
)
def read(params: Params, options: Options) -> Content:
    """Read a resource of an MCP server."""
    from codetools.cli.servers import talk
    from codetools.mcp.content import read_resources
    from codetools.mcp.waiting import patience

    with talk(options, (params.server,)) as talking:
        (server,) = talking.servers
        caller = patience(server.timeout_seconds)
        connection = talking.connections.connection(server, talking.around, caller)
        found: Any = connection.ask("resources/read", {"uri": params.uri}, caller).get("contents")
        content = read_resources(found, server.name, talking.engine.limits, with_images=True)
    notes = [notice.message for notice in content.notices]
    notes += [f"an image ({image.media_type}, {image.width} x {image.height}) is left out" for image in content.images]
    return Content(server.name, params.uri, content.text, tuple(notes))
