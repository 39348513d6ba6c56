"""A command's output on a terminal as it comes, escaped like everything else."""

from collections.abc import Callable

from codetools.render.escape import escape_text
from codetools.render.write import write_out


class Live:
    """Shows what a tool emits, below a header line that comes with the first of it.

    `before` is called before anything is shown, to wipe progress. Once `has_shown`, the outcome is rendered with the
    frame `closing` alone, after `end`.
    """

    def __init__(self, header: str, before: Callable[[], None]) -> None:
        self.has_shown = False
        self._header = header
        self._before = before
        self._held = ""
        self._ends_line = True

    def emit(self, chunk: str) -> None:
        """Show a piece of output at once; half of a CRLF waits for the other half."""
        text = self._held + chunk
        self._held = "\r" if text.endswith("\r") else ""
        self._show(text.removesuffix("\r"))

    def end(self) -> None:
        """Show what was held back, and end the last line."""
        held, self._held = self._held, ""
        self._show(held)
        if not self._ends_line:
            self._show("\n")

    def _show(self, text: str) -> None:
        if not text:
            return
        if not self.has_shown:
            self._before()
            self.has_shown = True
            write_out(self._header)
        shown = escape_text(text)
        self._ends_line = shown.endswith("\n")
        write_out(shown)
