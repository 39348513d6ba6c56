"""Waiting for one answer: until a deadline, until the caller cancels, passing on how far the other side has come."""

import threading
import time
from collections.abc import Callable

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.mcp.protocol.message import Message

CHECK_SECONDS = 0.1

Progress = Callable[[int, int | None, str], None]


class Patience(Record):
    """How long a caller waits: `deadline` by the monotonic clock; `check` raises where the call is to end."""

    deadline: float
    check: Callable[[], None] | None = None
    progress: Progress | None = None

    def left(self) -> float:
        """Return the seconds until the deadline, at least 0."""
        return max(0.0, self.deadline - time.monotonic())

    def at_most(self, seconds: float) -> "Patience":
        """Return the same with an earlier end."""
        return self.but(deadline=min(self.deadline, time.monotonic() + seconds))


def patience(seconds: float) -> Patience:
    """Return the patience of a caller that nobody cancels."""
    return Patience(time.monotonic() + seconds)


class TimedOut(Exception):
    """The deadline has passed."""


class Waiter:
    """One request whose answer has not come."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._answer: Message | Failure | None = None
        self._came: tuple[int, int | None, str] | None = None

    def answer(self, answer: Message | Failure) -> None:
        """Take the answer, or what stands in its way; the first counts."""
        with self._changed:
            self._answer = self._answer or answer
            self._changed.notify()

    def advance(self, done: int, total: int | None, message: str) -> None:
        """Take how far it has come; of several that come at once the last counts."""
        with self._changed:
            self._came = (done, total, message)
            self._changed.notify()

    def wait(self, caller: Patience) -> Message:
        """Return the answer; raise TimedOut, the Failure that stands in its way, or what `check` raises."""
        while True:
            with self._changed:
                if self._answer is None and self._came is None:
                    self._changed.wait(min(caller.left(), CHECK_SECONDS if caller.check else caller.left()))
                answer, came, self._came = self._answer, self._came, None
            if came is not None and caller.progress is not None:
                caller.progress(*came)
            if isinstance(answer, Failure):
                raise answer
            if answer is not None:
                return answer
            if caller.check is not None:
                caller.check()
            if not caller.left():
                raise TimedOut
