"""One tool from what was typed to what is printed, through the same engine as every other door."""

from contextlib import nullcontext
from time import monotonic
from typing import TYPE_CHECKING, Any

from codetools.cli.printing import Printing, print_outcome
from codetools.cli.reference import Command
from codetools.cli.texts import with_texts
from codetools.cli.values import Given, refuse_missing
from codetools.core.errors import Failure
from codetools.core.load import load
from codetools.core.outcome import Outcome
from codetools.core.tool import Tool
from codetools.engine.call import call, failed
from codetools.engine.engine import Engine, start
from codetools.engine.options import Options, StagingOptions

if TYPE_CHECKING:
    from codetools.context import Emit


def run_tool(tool: Tool, command: Command, given: Given) -> int:
    """Make the call that was typed and print its outcome; return the exit code."""
    started = monotonic()
    printing = Printing(given)
    try:
        refuse_missing(command, given)
        options = options_of(tool, given)
        engine = start(options)
        arguments = with_texts(engine, given)
    except Failure as failure:
        return print_outcome(failed(tool.name, failure, started), printing)
    subject = _subject(tool, arguments) if printing.out.is_terminal else ""
    emit = printing.emit(_header(tool, subject, printing))
    outcome = _called(tool, engine, arguments, options, printing, emit, started)
    engine.close(waits=False)
    return print_outcome(outcome, printing, subject, tuple(root.path for root in engine.workspace.roots))


def options_of(tool: Tool, given: Given) -> Options:
    """Return the options that were typed for a tool; raise `usage` for a wrong value."""
    record: type[Options] = StagingOptions if tool.effects.stages else Options
    values = {name: value for name, value in given.common.items() if name in record.record_fields}
    return load(record, values, tool.name).params


def _called(
    tool: Tool,
    engine: Engine,
    arguments: dict[str, Any],
    options: Options,
    printing: Printing,
    emit: "Emit | None",
    started: float,
) -> Outcome:
    progress = printing.progress(tool.name)
    with progress or nullcontext():
        return call(
            engine,
            tool.name,
            arguments,
            dry_run=isinstance(options, StagingOptions) and options.dry_run,
            asker=printing.asker(engine.session is not None),
            emit=emit,
            progress=progress.update if progress else None,
            started=started,
        )


def _header(tool: Tool, subject: str, printing: Printing) -> str | None:
    """Return the line above live output; none for a tool whose result is all there is to see."""
    if tool.effects.stages or not printing.out.is_terminal:
        return None
    from codetools.render.human import header_line

    return header_line(tool.name, subject, printing.out)


def _subject(tool: Tool, arguments: dict[str, Any]) -> str:
    from codetools.render.subject import subject_of

    try:
        return subject_of(tool.load(arguments).params)
    except Failure:
        return ""
