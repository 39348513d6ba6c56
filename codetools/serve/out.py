"""The way out to a client over a pipe: one that has gone, or takes nothing for long, ends the conversation."""

import os
import select
import threading
from time import monotonic
from typing import Any

from codetools.mcp.protocol import message as messages
from codetools.mcp.protocol.message import written
from codetools.mcp.protocol.revisions import INVALID_REQUEST

PATIENCE_SECONDS = 60.0  # for a client that takes nothing, while answers wait for it
PIECE_BYTES = 4096  # what a pipe that is ready for some takes without waiting
CHECK_SECONDS = 1.0


class Out:
    """Writes messages, whole and one after the other; threads may send at once, and wait while the client is slow.

    `closed` becomes readable when nothing can be sent any more.
    """

    def __init__(self, descriptor: int, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._descriptor = descriptor
        self._patience_seconds = patience_seconds
        self._turn = threading.Lock()
        self._ready = select.poll()
        self._ready.register(descriptor, select.POLLOUT)
        self.closed, self._close = os.pipe()
        self.is_closed = False

    def send(self, message: dict[str, Any]) -> None:
        """Write one message; once closed, do nothing."""
        try:
            line = written(message)
        except ValueError as error:  # never without a bug of ours; the request must not stay open for it
            line = written(messages.error(message.get("id"), INVALID_REQUEST, f"the answer is no JSON: {error}"))
        with self._turn:
            self._write(memoryview(line))

    def close(self) -> None:
        """Send nothing more; whoever waits to send gives up soon."""
        self.is_closed = True
        os.write(self._close, b"x")

    def give_up_within(self, seconds: float) -> None:
        """Wait less for a client that takes nothing: nothing more will be asked."""
        self._patience_seconds = min(self._patience_seconds, seconds)

    def _write(self, line: memoryview) -> None:
        took_at = monotonic()
        while line and not self.is_closed:
            if not self._ready.poll(CHECK_SECONDS * 1000):
                if monotonic() - took_at > self._patience_seconds:
                    self.close()
                continue
            try:
                line = line[os.write(self._descriptor, line[:PIECE_BYTES]) :]
            except BlockingIOError:  # somebody else filled it first
                continue
            except OSError:
                self.close()
            took_at = monotonic()
