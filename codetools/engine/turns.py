"""In which order the calls of one door run: neighbours that are safe together at once, any other alone."""

import threading
from collections import deque
from collections.abc import Callable

from codetools.core.record import Record


class _Waiting(Record):
    work: Callable[[], None]
    is_safe: bool


class Turns:
    """Runs work on threads, in the order in which it came.

    Work that is safe runs beside its neighbours that are, at most `most` at a time; other work waits for all before it
    and holds up all behind it. Work does not raise.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._changed = threading.Condition()
        self._waiting: deque[_Waiting] = deque()
        self._running = 0
        self._is_shared = True  # whether what runs is safe
        self._threads = 0
        self._idle = 0

    def put(self, work: Callable[[], None], *, is_safe: bool) -> None:
        """Have `work` done when its turn comes; returns at once."""
        with self._changed:
            self._waiting.append(_Waiting(work, is_safe))
            if self._idle < len(self._waiting) and self._threads < self._most:
                self._threads += 1
                threading.Thread(target=self._serve, daemon=True).start()
            self._changed.notify_all()

    def wait(self, fewer_than: int = 1, seconds: float | None = None) -> None:
        """Return once fewer than so many wait or run, or after so many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) + self._running < fewer_than, seconds)

    def _serve(self) -> None:
        while True:
            turn = self._next()
            try:
                turn.work()
            finally:
                with self._changed:
                    self._running -= 1
                    self._changed.notify_all()

    def _next(self) -> _Waiting:
        with self._changed:
            self._idle += 1
            self._changed.wait_for(self._may_start)
            self._idle -= 1
            turn = self._waiting.popleft()
            self._running += 1
            self._is_shared = turn.is_safe
            return turn

    def _may_start(self) -> bool:
        if not self._waiting or self._running >= self._most:
            return False
        return self._running == 0 or (self._is_shared and self._waiting[0].is_safe)
