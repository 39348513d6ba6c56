"""The way out of a batch: one line at a time, in the order of the requests or as they are finished."""

import threading
from typing import Any

from codetools.core.errors import Failure
from codetools.core.outcome import Outcome
from codetools.core.record import Record
from codetools.render.envelope import envelope, json_line
from codetools.render.write import write_out


class _Held(Record):
    id: Any
    outcome: Outcome | None  # None where there is nothing to say


class Answers:
    """The answers of one batch, and those that wait for one before them. Threads give them."""

    def __init__(self, session: str, *, is_ordered: bool) -> None:
        self._session = session
        self._is_ordered = is_ordered
        self._turn = threading.Lock()
        self._held: dict[int, _Held] = {}
        self._places = 0
        self._next = 0
        self.is_over = False  # nobody reads any more
        self.failure: Failure | None = None

    def place(self) -> int:
        """Return the place of the next request."""
        self._places += 1
        return self._places - 1

    def give(self, place: int, request_id: Any, outcome: Outcome | None) -> None:
        """Write an answer, when its turn has come."""
        with self._turn:
            if not self._is_ordered:
                self._write_answer(_Held(request_id, outcome))
                return
            self._held[place] = _Held(request_id, outcome)
            while self._next in self._held:
                self._write_answer(self._held.pop(self._next))
                self._next += 1

    def skip(self, place: int) -> None:
        """Take note that a line needs no answer."""
        self.give(place, None, None)

    def event(self, request_id: Any, stream: str, chunk: str) -> None:
        """Pass on a piece of output."""
        with self._turn:
            self._write({"event": "output", "id": request_id, "stream": stream, "text": chunk})

    def _write_answer(self, held: _Held) -> None:
        if held.outcome is not None:
            self._write({"id": held.id, "session": self._session, **envelope(held.outcome)})

    def _write(self, document: dict[str, Any]) -> None:
        if self.is_over:
            return
        try:
            self.is_over = not write_out(json_line(document))
        except Failure as failure:
            self.failure, self.is_over = failure, True
