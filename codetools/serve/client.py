"""What a client said of itself, and what the server asks it: in the handshake era a request back, later none."""

import threading
from collections.abc import Callable
from typing import Any

from codetools.core.errors import Failure
from codetools.mcp.protocol import message as messages
from codetools.mcp.protocol.message import Message

CHECK_SECONDS = 0.1


class Client:
    """One client: its capabilities, and the questions to it that are open. Threads may ask at once."""

    def __init__(self, send: Callable[[dict[str, Any]], None]) -> None:
        self._send = send
        self._guard = threading.Lock()
        self._number = 0
        self._open: dict[str, _Question] = {}
        self.capabilities: dict[str, Any] = {}

    def can(self, capability: str) -> bool:
        """Whether the client said that it has a capability."""
        return isinstance(self.capabilities.get(capability), dict)

    def ask(
        self, method: str, params: dict[str, Any] | None, seconds: float, is_cancelled: Callable[[], bool]
    ) -> dict[str, Any]:
        """Return the client's result; raise `denied` for an error or no answer in time, or `interrupted`."""
        with self._guard:
            self._number += 1
            id = f"codetools-{self._number}"
            question = self._open[id] = _Question()
        try:
            self._send(messages.request(id, method, params))
            question.wait(seconds, is_cancelled)
        finally:
            with self._guard:
                self._open.pop(id, None)
        answer = question.answer
        if answer is None:
            self._send(messages.notification("notifications/cancelled", {"requestId": id, "reason": "no answer came"}))
            if is_cancelled():
                raise Failure("interrupted", "the call was cancelled while the client was asked.")
            raise Failure("denied", f"the client did not answer {method} within {seconds:g} seconds.")
        if answer.kind == "error":
            raise Failure("denied", f"the client refused {method}: {answer.error['message'][:300]}.")
        result: dict[str, Any] = answer.result
        return result

    def hear(self, answer: Message) -> None:
        """Take an answer; one to no open question is dropped."""
        with self._guard:
            question = self._open.get(answer.id)
        if question is not None:
            question.answer = answer
            question.is_answered.set()


class _Question:
    def __init__(self) -> None:
        self.is_answered = threading.Event()
        self.answer: Message | None = None

    def wait(self, seconds: float, is_cancelled: Callable[[], bool]) -> None:
        left = seconds
        while left > 0 and not is_cancelled() and not self.is_answered.wait(min(CHECK_SECONDS, left)):
            left -= CHECK_SECONDS
