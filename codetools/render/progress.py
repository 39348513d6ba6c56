"""Says on standard error that a long call is still at work, on a terminal only."""

import threading
import time
from types import TracebackType
from typing import Self, TextIO

from codetools.render.escape import escape_line
from codetools.render.terminal import Terminal
from codetools.render.width import fit

QUIET_SECONDS = 1.0
REDRAW_SECONDS = 0.25
CLEAR_LINE = "\r\x1b[K"


class Progress:
    """One line that is drawn after a second, kept up to date, and wiped at the end or by `hide`.

    `update` is called from the thread that works; the line is drawn by one of its own, so that a silent tool shows how
    long it has run.
    """

    def __init__(
        self, name: str, stream: TextIO | None, terminal: Terminal, quiet_seconds: float = QUIET_SECONDS
    ) -> None:
        self._name = name if "__" in name else name.replace("_", " ")
        self._stream = stream
        self._terminal = terminal
        self._quiet_seconds = quiet_seconds
        self._what = ""
        self._is_drawn = False
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._began = 0.0

    def __enter__(self) -> Self:
        self._began = time.monotonic()
        if self._terminal.moves and self._stream is not None:
            self._thread = threading.Thread(target=self._draw_until_stopped, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hide()

    def update(self, done: float, total: float | None = None, message: str = "") -> None:
        """Say how far the call is; `total` is None where it is not known."""
        share = f"{done:g}/{total:g}" if total else f"{done:g}" if done else ""
        self._what = " ".join(part for part in (share, message) if part)

    def hide(self) -> None:
        """Wipe the line for good: a result or a question comes next."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        with self._lock:
            if self._is_drawn:
                self._write(CLEAR_LINE)
                self._is_drawn = False

    def _draw_until_stopped(self) -> None:
        wait_seconds = self._quiet_seconds
        while not self._stopped.wait(wait_seconds):
            wait_seconds = REDRAW_SECONDS
            with self._lock:
                self._write(CLEAR_LINE + self._line())
                self._is_drawn = True

    def _line(self) -> str:
        seconds = int(time.monotonic() - self._began)
        text = " ".join(part for part in (f"{self._name}: {seconds} s", self._what) if part)
        return fit(escape_line(text), self._terminal.width - 1)

    def _write(self, text: str) -> None:
        assert self._stream is not None
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            self._stopped.set()
