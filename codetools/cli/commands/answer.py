"""What `codetools answer` takes; the calls themselves go through a door of its own, which costs less than Typer."""

from codetools.cli.handmade import handmade
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.engine.options import AnswerOptions, Options


class Params(Record):
    """Nothing but options: the response stands on standard input."""


@handmade(
    examples=(
        "codetools answer --format anthropic --session s1 < response.json",
        "curl ... | tee response.json | codetools answer --format openai",
    ),
    options=tuple(AnswerOptions.record_fields),
    takes=AnswerOptions,
    prints=False,
)
def answer(params: Params, options: Options) -> Result:
    """Make the tool calls of a model's response and print the messages to append, as a JSON list.

    The response of the provider's API is read from standard input. Every call gets an answer in that provider's form,
    images and error flags included: unknown tools, malformed arguments and calls that need approval are told to the
    model. The status is 1, with an empty list, where the model asked for nothing; 75 where approvals wait, which
    standard error names; 69 where the response says that the provider failed.
    """
    raise LookupError("answer reads its own command line")
