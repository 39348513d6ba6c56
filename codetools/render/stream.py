"""A call as JSON lines while it runs, for `--stream`: output as it comes, and the envelope last."""

from codetools.core.errors import Failure
from codetools.core.outcome import Outcome
from codetools.render.envelope import envelope, json_line
from codetools.render.write import write_out


class Stream:
    """Writes `{"event": "output", "stream": "stdout", "text": …}` lines, and last `{"event": "outcome", …envelope}`.

    A reader that leaves, or an output that is full, does not stop the call: it may be changing files. `finish` raises
    what went wrong.
    """

    def __init__(self) -> None:
        self._reader_is_there = True
        self._failure: Failure | None = None

    def emit(self, chunk: str, stream: str) -> None:
        """Pass a piece of output on at once."""
        if chunk:
            self._write(json_line({"event": "output", "stream": stream, "text": chunk}))

    def finish(self, outcome: Outcome) -> bool:
        """Write the outcome; return whether a reader is still there. Raises `io` where output was lost."""
        self._write(json_line({"event": "outcome", **envelope(outcome)}))
        if self._failure is not None:
            raise self._failure
        return self._reader_is_there

    def _write(self, line: str) -> None:
        if self._failure is not None or not self._reader_is_there:
            return
        try:
            self._reader_is_there = write_out(line)
        except Failure as failure:
            self._failure = failure
