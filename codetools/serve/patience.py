"""How long a connection over HTTP may take to say what it wants: one that drips, or says nothing, is closed."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0  # for the headers of a request, from the connection's start or the last answer's end


class Patient(H11Protocol):
    """One connection. Between requests the server's own, shorter patience holds until the first byte of the next."""

    head_seconds = HEAD_SECONDS
    _waited: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def on_response_complete(self) -> None:
        """Begin to wait for the next."""
        super().on_response_complete()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        if self._waited is not None:
            self._waited.cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._waited is not None:
            self._waited.cancel()
        self._waited = self.loop.call_later(self.head_seconds, self._judge)

    def _judge(self) -> None:
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if not is_answering and not self.transport.is_closing():
            self.transport.abort()
