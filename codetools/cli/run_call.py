"""A command written by hand that is a call of a tool: the same engine, the same question, the same envelope."""

from contextlib import nullcontext
from time import monotonic

from codetools.cli.handmade import Handmade
from codetools.cli.printing import Printing, print_outcome
from codetools.cli.reference import Command
from codetools.cli.values import Given, refuse_missing
from codetools.core.errors import Failure
from codetools.core.load import load
from codetools.engine.call import call, failed
from codetools.engine.engine import Engine
from codetools.engine.options import Options


def run_call(found: Handmade, command: Command, given: Given) -> int:
    """Make the call and print its outcome; return the exit code."""
    started = monotonic()
    name = " ".join(found.words)
    printing = Printing(given)
    assert found.calls is not None
    try:
        refuse_missing(command, given)
        common = {key: given.common[key] for key in found.options if key in given.common}
        options = load(Options, common, name).params
        engine: Engine
        engine, tool, arguments = found.calls(load(found.params, given.own, name).params, options)
    except Failure as failure:
        return print_outcome(failed(name, failure, started), printing)
    progress = printing.progress(tool)
    try:
        with progress or nullcontext():
            outcome = call(
                engine,
                tool,
                arguments,
                asker=printing.asker(engine.session is not None),
                progress=progress.update if progress else None,
                started=started,
            )
    finally:
        engine.close(waits=False)
    return print_outcome(outcome, printing, "", tuple(root.path for root in engine.workspace.roots))
