"""One command written by hand, from what was typed to what is printed, in the same envelope as a tool."""

import os
from collections.abc import Callable
from time import monotonic

from codetools.cli.handmade import Handmade
from codetools.cli.places import roots_of
from codetools.cli.printing import Printing, print_outcome
from codetools.cli.reference import Command
from codetools.cli.values import Given, refuse_missing
from codetools.core.errors import Failure, from_os_error
from codetools.core.load import load
from codetools.core.outcome import Outcome, Result
from codetools.core.path import Path
from codetools.engine.options import Options
from codetools.render.show import show_text
from codetools.render.write import tell_lost


def run_handmade(found: Handmade, command: Command, given: Given) -> int:
    """Run the command that was typed and print its outcome; return the exit code."""
    name = " ".join(found.words)
    if found.calls is not None:
        from codetools.cli.run_call import run_call

        return run_call(found, command, given)

    def work() -> Result:
        refuse_missing(command, given)
        options = load(Options, {key: given.common[key] for key in found.options if key in given.common}, name).params
        return found.run(load(found.params, given.own, name).params, options)

    printing = Printing(given)
    outcome = outcome_of(name, work, given.common.get("directory"))
    roots = roots_of(given.common) if printing.out.is_terminal else ()
    if found.form is None or not printing.is_for_person or not outcome.ok:
        return print_outcome(outcome, printing, roots=roots, is_bare=True)
    try:
        show_text(found.form(outcome.data, printing.out), printing.out, roots)
    except Failure as failure:
        return tell_lost(name, failure, outcome)
    return outcome.exit_code


def outcome_of(name: str, work: Callable[[], Result], directory: str | None = None) -> Outcome:
    """Return the outcome of some work that is no tool's; `directory` is where it was told to work."""
    started = monotonic()
    result: Result | None = None
    failure: Failure | None = None
    try:
        result = work()
    except Failure as raised:
        failure = raised
    except OSError as error:
        failure = from_os_error(error, str(error.filename or name))
    except KeyboardInterrupt:
        failure = Failure("interrupted", f"{name} was interrupted.")
    return Outcome(
        tool=name,
        text=failure.model_text() if failure else result.text() if result else "",
        data=result,
        failure=failure,
        changes=(),
        changed=False,
        dry_run=False,
        undo=None,
        notices=(),
        images=(),
        duration_ms=int((monotonic() - started) * 1000),
        cwd=_working_directory(directory),
    )


def _working_directory(directory: str | None) -> Path:
    try:
        return Path(os.path.realpath(directory) if directory else os.getcwd())
    except (OSError, ValueError):
        return Path(".")
