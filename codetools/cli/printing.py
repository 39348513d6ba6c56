"""How one outcome is printed: one JSON document, a stream of them, or what a person reads."""

import sys
from typing import TYPE_CHECKING, Any

from codetools.cli.values import Given
from codetools.core.errors import Failure
from codetools.core.outcome import Outcome
from codetools.render.envelope import envelope_line
from codetools.render.terminal import Terminal, terminal_of
from codetools.render.write import write_error, write_out

if TYPE_CHECKING:
    from codetools.context import Emit
    from codetools.engine.asking import Answer, Asker, Question
    from codetools.render.progress import Progress
    from codetools.render.stream import Stream


class Printing:
    """What the output options of one command line ask for, and the terminals they apply to."""

    def __init__(self, given: Given) -> None:
        self.as_json = bool(given.common.get("json"))
        color: Any = given.common.get("color", "auto")
        self.out: Terminal = terminal_of(sys.stdout, color)
        self.error: Terminal = terminal_of(sys.stderr, color)
        self.stream: Stream | None = _stream() if given.common.get("stream") else None
        self._progress: Progress | None = None

    @property
    def is_for_person(self) -> bool:
        """Whether a person reads the answer."""
        return not self.as_json and self.stream is None

    def asker(self, has_session: bool) -> "Asker | None":
        """Return who is asked: the person who typed the command, where there is one."""
        if not (self.is_for_person and self.error.is_terminal and terminal_of(sys.stdin).is_terminal):
            return None
        return lambda question: self._ask(question, has_session)

    def emit(self) -> "Emit | None":
        """Return where output goes as it comes."""
        return self.stream.emit if self.stream else None

    def progress(self, name: str) -> "Progress | None":
        """Return the line that says how far a long call has come, where a person can see it."""
        if not (self.is_for_person and self.error.moves):
            return None
        from codetools.render.progress import Progress

        progress = self._progress = Progress(name, sys.stderr, self.error)
        return progress

    def _ask(self, question: "Question", has_session: bool) -> "Answer":
        from codetools.cli.dialog import ask

        if self._progress is not None:
            self._progress.hide()
        return ask(question, self.error, has_session=has_session)


def print_outcome(outcome: Outcome, printing: Printing, subject: str = "", inside: tuple[str, ...] = ()) -> int:
    """Print an outcome and return the exit code; a long one goes through a pager that lies `inside` no workspace."""
    try:
        if printing.stream is not None:
            printing.stream.finish(outcome)
        elif printing.as_json:
            write_out(envelope_line(outcome))
        else:
            _print_for_person(outcome, printing, subject, inside)
    except Failure as failure:
        write_error(f"codetools {outcome.tool}: {failure.line()}\n")
        return failure.exit_code
    status = outcome.data.process_status() if outcome.data is not None else None
    return outcome.exit_code if status is None else status


def print_bare(outcome: Outcome, printing: Printing) -> int:
    """Print a document without a line above or below it; return the exit code."""
    if outcome.failure is not None or printing.as_json or outcome.data is None:
        return print_outcome(outcome, printing)
    from codetools.render.spans import layout

    lines = outcome.data.display() if printing.out.is_terminal or printing.out.color else ()
    text = "\n".join(layout(lines, color=printing.out.color)) if lines else outcome.data.plain()
    try:
        write_out(text.rstrip("\n") + "\n")
    except Failure as failure:
        write_error(f"codetools {outcome.tool}: {failure.line()}\n")
        return failure.exit_code
    return outcome.exit_code


def _print_for_person(outcome: Outcome, printing: Printing, subject: str, inside: tuple[str, ...]) -> None:
    from codetools.render.human import render

    rendering = render(outcome, printing.out, printing.error, subject)
    if rendering.out and printing.out.moves:
        from codetools.render.pager import page

        if page(rendering.out, printing.out, inside):
            write_error(rendering.error)
            return
    if rendering.out:
        write_out(rendering.out)
    write_error(rendering.error)


def _stream() -> "Stream":
    from codetools.render.stream import Stream

    return Stream()
