"""How one outcome is printed: one JSON document, a stream of them, or what a person reads."""

import sys
from time import monotonic
from typing import TYPE_CHECKING

from codetools.cli.values import Given
from codetools.core.errors import Failure
from codetools.core.outcome import Outcome
from codetools.render.envelope import envelope_line
from codetools.render.terminal import COLORS, Color, Terminal, terminal_of
from codetools.render.write import tell_lost, write_last

if TYPE_CHECKING:
    from codetools.context import Emit
    from codetools.engine.asking import Answer, Asker, Question
    from codetools.render.human import Frame
    from codetools.render.live import Live
    from codetools.render.progress import Progress
    from codetools.render.stream import Stream


class Printing:
    """What the output options of one command line ask for, and the terminals they apply to."""

    def __init__(self, given: Given) -> None:
        self.as_json = bool(given.common.get("json"))
        self.color: Color = checked_color(given.common.get("color", "auto"))
        self.out: Terminal = terminal_of(sys.stdout, self.color)
        self.error: Terminal = terminal_of(sys.stderr, self.color)
        self.stream: Stream | None = _stream() if given.common.get("stream") else None
        self.live: Live | None = None
        self.asked_seconds = 0.0
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

    def emit(self, header: str | None) -> "Emit | None":
        """Return where output goes as it comes; on a terminal below the `header` line, where there is one."""
        if self.stream is not None:
            return self.stream.emit
        if header is None or not (self.is_for_person and self.out.is_terminal):
            return None
        from codetools.render.live import Live

        self.live = Live(header, self.out, self._hide_progress)
        return self.live.emit

    def progress(self, name: str) -> "Progress | None":
        """Return the line that says how far a long call has come, where a person can see it."""
        if not (self.is_for_person and self.error.moves):
            return None
        from codetools.render.progress import Progress

        progress = self._progress = Progress(name, sys.stderr, self.error)
        return progress

    def _ask(self, question: "Question", has_session: bool) -> "Answer":
        from codetools.cli.dialog import ask

        self._hide_progress()
        began = monotonic()
        try:
            return ask(question, self.error, has_session=has_session)
        finally:
            self.asked_seconds += monotonic() - began

    def _hide_progress(self) -> None:
        if self._progress is not None:
            self._progress.hide()


def checked_color(word: str) -> Color:
    """Return what `--color` was given; raise `usage` for anything else."""
    for color in COLORS:
        if word == color:
            return color
    raise Failure("usage", f"--color is {word!r}, not one of {', '.join(COLORS)}.")


def print_outcome(
    outcome: Outcome, printing: Printing, subject: str = "", roots: tuple[str, ...] = (), *, is_bare: bool = False
) -> int:
    """Print an outcome and return the exit code; `is_bare` leaves out the lines above and below a document."""
    try:
        if printing.stream is not None:
            printing.stream.finish(outcome)
        elif printing.as_json:
            write_last(envelope_line(outcome))
        else:
            _show(outcome, printing, subject, roots, is_bare=is_bare)
    except Failure as failure:
        return tell_lost(outcome.tool, failure, outcome)
    except KeyboardInterrupt:
        return tell_lost(outcome.tool, Failure("interrupted", "interrupted while the answer was printed."), outcome)
    status = outcome.data.process_status() if outcome.data is not None else None
    return outcome.exit_code if status is None else status


def _show(outcome: Outcome, printing: Printing, subject: str, roots: tuple[str, ...], *, is_bare: bool) -> None:
    from codetools.render.show import show

    if outcome.notices or outcome.failure is not None:
        from codetools.cli.typed_form import as_typed

        outcome = as_typed(outcome)
    frame: Frame = "bare" if is_bare else "whole"
    if printing.live is not None:
        printing.live.end()
        frame = "closing" if printing.live.has_shown else frame
    # how long a person thought is no property of the call
    duration_ms = max(0, outcome.duration_ms - int(printing.asked_seconds * 1000))
    show(outcome.but(duration_ms=duration_ms), color=printing.color, subject=subject, frame=frame, roots=roots)


def _stream() -> "Stream":
    from codetools.render.stream import Stream

    return Stream()
