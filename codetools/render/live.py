"""A command's output on a terminal as it comes, cleaned and escaped like everything else."""

from collections.abc import Callable

from codetools.core.errors import Failure
from codetools.render.escape import escape_text
from codetools.render.spans import paint
from codetools.render.terminal import Terminal
from codetools.render.write import write_out
from codetools.shell.clean import to_text

STDERR_MARK = "[stderr] "  # where no colour tells the two streams apart
MAX_HELD_CHARS = 65_536
_UNFINISHED = "\x1b\r\x08"  # a line that holds one of these is shown when it is complete


class Live:
    """Shows what a tool emits, below a header line that comes with the first of it.

    `before` is called before anything is shown, to wipe progress. Where it `has_shown` something, after `end`, the
    outcome is rendered with the frame `closing` alone. A terminal that is gone does not stop the call.
    """

    def __init__(self, header: str, terminal: Terminal, before: Callable[[], None]) -> None:
        self.has_shown = False
        self._header = header
        self._terminal = terminal
        self._before = before
        self._held = {"stdout": "", "stderr": ""}
        self._last = ""
        self._ends_line = True
        self._failure: Failure | None = None

    def emit(self, chunk: str, stream: str) -> None:
        """Show a piece of output at once; the end of a line that is still being overwritten waits for the rest."""
        text = self._held[stream] + chunk
        lines, line_feed, tail = text.rpartition("\n")
        is_unfinished = any(mark in tail for mark in _UNFINISHED) and len(tail) < MAX_HELD_CHARS
        self._held[stream] = tail if is_unfinished else ""
        self._show(lines + line_feed + ("" if is_unfinished else tail), stream)

    def end(self) -> None:
        """Show what was held back, and end the last line. Raises `io` where output was lost."""
        for stream, held in self._held.items():
            self._show(held, stream)
        if not self._ends_line:
            self._write("\n")
        if self._failure is not None:
            raise self._failure

    def _show(self, text: str, stream: str) -> None:
        text = escape_text(to_text(text.encode("utf-8", "replace")))
        if not text:
            return
        if not self.has_shown:
            self._before()
            self.has_shown = True
            self._write(self._header)
        if not self._ends_line and stream != self._last:
            self._write("\n")
            self._ends_line = True
        self._write(self._marked(text) if stream == "stderr" else text)
        self._last, self._ends_line = stream, text.endswith("\n")

    def _marked(self, text: str) -> str:
        """Return error output, told apart line by line."""
        first, *rest = text.split("\n")
        mark = "" if self._terminal.color else STDERR_MARK
        start = mark if self._ends_line and first else ""
        lines = [start + first, *(mark + line if line else "" for line in rest)]
        return "\n".join(paint(line, "bad", color=self._terminal.color) for line in lines)

    def _write(self, text: str) -> None:
        if self._failure is not None:
            return
        try:
            write_out(text)
        except Failure as failure:
            self._failure = failure
