"""Shows a job's output from a place on, once or until it ends: cleaned as a command's, raw in the log."""

import time
from typing import TYPE_CHECKING

from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.shell.jobs.job import Found
from codetools.shell.jobs.log import log_size, read_log, start_of_tail
from codetools.shell.jobs.waiting import CHECK_SECONDS, Supervisors, again
from codetools.shell.output import Output, Shown
from codetools.shell.window import unfinished_bytes

if TYPE_CHECKING:
    from codetools.shell.surroundings import Surroundings

MOST_TAIL_BYTES = 64 << 20


class Part(Record):
    """A piece of a job's output, and the job as it was then. `cursor` is where to go on."""

    found: Found
    shown: Shown
    first: int
    cursor: int


def read_output(found: Found, context: "Surroundings", start: int | None, tail: int | None, deadline: float) -> Part:
    """Return the output from byte `start` on, or the last `tail` lines; what comes until `deadline` (monotonic) too.

    Raises `usage` for a start beyond the end, `io` where the log is gone, and what the caller's `check_cancelled` does.
    """
    size = log_size(found.place)
    if start is not None and start > size:
        message = f"cursor is {start}, and job {found.job.job_id} has written {size} bytes."
        raise Failure("usage", message, "Pass the cursor of the call before, or none.")
    try:
        first = start or 0
        if tail is not None:
            first = max(first, start_of_tail(found.place, tail, MOST_TAIL_BYTES))
        return _Reader(found, context, first, follows=deadline > time.monotonic()).part(deadline)
    except OSError as error:
        raise Failure("io", f"{found.place.log}: {error.strerror}.") from None


class _Reader:
    def __init__(self, found: Found, context: "Surroundings", first: int, *, follows: bool) -> None:
        self.found = found
        self.context = context
        self.first = self.cursor = first
        log = Path(found.place.log)
        before = _count_lines(found, first)
        self.output = Output(context.limits, None, context.emit if follows else None, log=log, lines_before=before)

    def part(self, deadline: float) -> Part:
        supervisors = Supervisors((self.found,))
        try:
            while True:
                has_ended = supervisors.wait(time.monotonic())
                self._take(log_size(self.found.place), is_all=has_ended)
                now = time.monotonic()
                if has_ended or now >= deadline:
                    break
                self.context.check_cancelled()
                supervisors.wait(min(deadline, now + CHECK_SECONDS))
        finally:
            supervisors.close()
        found = again(self.found)
        if not found.job.is_running:  # it may have ended since
            self._take(log_size(found.place), is_all=True)
        return Part(found, self.output.finish(), self.first, self.cursor)

    def _take(self, end: int, *, is_all: bool) -> None:
        """Take in what came, but for the beginning of a character at its end."""
        for stream, chunk in read_log(self.found.place, self.cursor, end):
            is_last = self.cursor + len(chunk) == end
            kept = chunk[: len(chunk) - unfinished_bytes(chunk)] if is_last and not is_all else chunk
            if kept:
                self.output.take(stream, kept)
            self.cursor += len(kept)


def _count_lines(found: Found, end: int) -> int:
    return sum(chunk.count(b"\n") for _, chunk in read_log(found.place, 0, end)) if end else 0
