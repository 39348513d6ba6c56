"""What `codetools mcp serve` takes; it runs through a door of its own, which costs less than Typer."""

from codetools.cli.handmade import handmade
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.engine.options import Options, ServeOptions


class Params(Record):
    """Nothing but options."""


@handmade(
    examples=("codetools mcp serve", "codetools mcp serve --root ~/project --read-only"),
    options=tuple(ServeOptions.record_fields),
    takes=ServeOptions,
    prints=False,
)
def serve(params: Params, options: Options) -> Result:
    """Offer the tools to an MCP client, on standard input and output.

    The client gets every tool that the settings do not deny, under the same decisions as everywhere. What needs a
    person's word is asked for through the client where it can show a form, else it is an error that says so. A client's
    roots narrow the workspace. With --http it is streamable HTTP for several clients, on the loopback address unless
    another is named; CODETOOLS_MCP_TOKEN is the bearer token that they must show, and one is made up where it is unset.
    """
    raise LookupError("mcp serve reads its own command line")
