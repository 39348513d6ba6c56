"""What `codetools batch` takes; the calls themselves go through a door of its own, which costs less than Typer."""

from codetools.cli.handmade import handmade
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.engine.options import BatchOptions, Options


class Params(Record):
    """Nothing but options: the calls stand on standard input."""


@handmade(
    examples=(
        """echo '{"id": 1, "tool": "read", "input": {"file_path": "README.md"}}' | codetools batch""",
        "codetools batch --session s1 --unordered < calls.jsonl",
    ),
    options=tuple(BatchOptions.record_fields),
    takes=BatchOptions,
    prints=False,
)
def batch(params: Params, options: Options) -> Result:
    """Make many calls, each a line of JSON in and a line of JSON out; an open pipe is a resident server.

    A line is {"id": 1, "tool": "read", "input": {...}}, with "dry_run": true or "approve": ID where needed. Each answer
    is the call's envelope with its id and the session, in the order of the lines, or as finished with --unordered.
    Neighbouring calls that only look run together, any other runs alone, after all before it and before all behind it.
    {"cancel": 1} ends a call that has not been answered. A bad line is answered by an error; the end of the input ends
    the batch once all is answered. Without --session the calls share a new one.
    """
    raise LookupError("batch reads its own command line")
