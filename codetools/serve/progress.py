"""What a client hears of a call that takes long: that it goes on, and the last that was said."""

from collections.abc import Callable
from time import monotonic
from typing import Any

from codetools.mcp.protocol import message as messages
from codetools.mcp.protocol.revisions import PROGRESS_KEY

EVERY_SECONDS = 0.5
MAX_MESSAGE_CHARS = 300


class Beat:
    """Tells a client with a progress token of a call that goes on; whatever the call does often calls `beat`.

    What is counted is seconds: it always grows, as the protocol wants, whichever parts a call has.
    """

    def __init__(self, token: str | int, send: Callable[[dict[str, Any]], None]) -> None:
        self._token = token
        self._send = send
        self._began = self._told_at = monotonic()
        self._said = ""

    def beat(self) -> None:
        """Say that the call goes on, when the last word is some time ago."""
        now = monotonic()
        if now - self._told_at < EVERY_SECONDS:
            return
        self._told_at = now
        params: dict[str, Any] = {PROGRESS_KEY: self._token, "progress": round(now - self._began, 1)}
        if self._said:
            params["message"] = self._said
        self._send(messages.notification("notifications/progress", params))

    def count(self, done: int, total: int | None, said: str) -> None:
        """Take a step of work."""
        self._said = f"{said} {done:,}" + (f" of {total:,}" if total is not None else "")
        self.beat()

    def output(self, chunk: str, stream: str) -> None:
        """Take a piece of a command's output; its last line is shown."""
        lines = [line for line in chunk.splitlines() if line.strip()]
        if lines:
            self._said = lines[-1][:MAX_MESSAGE_CHARS]
        self.beat()
