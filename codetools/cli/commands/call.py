"""What `codetools call` takes; the call itself goes through a door of its own, which costs less than Typer."""

from typing import Any

from codetools.cli.handmade import handmade
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.engine.options import Options, StagingOptions


class Params(Record):
    """Which tool, with what."""

    tool: Annotated[str, Arg("Name of the tool, or an alias.", positional=True, metavar="TOOL")]
    arguments: Annotated[
        dict[str, Any] | None, Arg("Its arguments; if left out, read from standard input.", positional=True)
    ] = None


@handmade(
    examples=(
        """codetools call read '{"file_path": "README.md"}'""",
        """echo '{"pattern": "TODO"}' | codetools call grep --session s1""",
    ),
    options=tuple(StagingOptions.record_fields),
    prints=False,
)
def call(params: Params, options: Options) -> Result:
    """Make one call with JSON arguments and print its outcome as one JSON document.

    This is the door for programs: the answer is one line of JSON on standard output, never a prompt. The text for the
    model is in its text member. What needs a person's word ends with status 75 and an approval in error.details.
    """
    raise LookupError("call reads its own command line")
