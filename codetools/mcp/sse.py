"""A server of the old kind (2024-11-05): a stream of events brings its messages, ours are posted where it says."""

import threading
from collections.abc import Callable
from typing import Any

from codetools.mcp.connection import Listener, oddity_of
from codetools.mcp.exchange import Call, Exchange, Reply
from codetools.mcp.faults import fault
from codetools.mcp.http import AGENT, post
from codetools.mcp.origin import Origin
from codetools.mcp.protocol.events import Event, Events
from codetools.mcp.protocol.headers import VERSION_HEADER
from codetools.mcp.protocol.lines import TooLong
from codetools.mcp.protocol.message import MAX_MESSAGE_BYTES, Id, NotAMessage, read_message, written
from codetools.mcp.waiting import Patience, TimedOut

STREAM_SECONDS = 7 * 86400.0


class Sse:
    """The stream, and where to post; `headers` are the user's and are never shown."""

    def __init__(self, server: str, origin: Origin, headers: dict[str, str], listener: Listener) -> None:
        self._server = server
        self._origin = origin
        self._headers = {**AGENT, **headers}
        self._listener = listener
        self._target: Origin | None = None
        self._because = "gave no address to post to"
        self._is_ready = threading.Event()
        asked = {"Accept": "text/event-stream", **self._headers}
        self._stream = Exchange(Call("GET", origin, asked, None, STREAM_SECONDS), self._take, self._lose)

    def send(self, message: dict[str, Any], version: str, headers: dict[str, str], caller: Patience) -> None:
        """Post one message; the answer comes by the stream."""
        if not self._is_ready.wait(caller.left()):
            raise TimedOut
        if self._target is None:
            raise fault(self._server, self._because, lost=True)
        sent = {"Content-Type": "application/json", **self._headers, **({VERSION_HEADER: version} if version else {})}
        post(self._server, Call("POST", self._target, sent, written(message), caller.left()), caller)

    def abandon(self, id: Id) -> bool:
        """Return False: the server has to be told."""
        return False

    def stderr(self) -> str:
        """Return nothing: a server behind an address has no error output of ours."""
        return ""

    def close(self, *, at_once: bool = False, waits: bool = True) -> None:
        """Break the stream off, which ends the session."""
        self._stream.abandon()
        self._is_ready.set()

    def _take(self, reply: Reply, read: Callable[[], bytes]) -> None:
        if reply.status >= 400 or reply.media_type != "text/event-stream":
            self._lose(f"answers with HTTP {reply.status} and no stream of events")
            return
        events = Events(MAX_MESSAGE_BYTES)
        try:
            while chunk := read():
                for event in events.feed(chunk):
                    self._hear(event)
        except TooLong as error:
            self._lose(f"sent {error}")
            return
        self._lose("closed its stream")

    def _hear(self, event: Event) -> None:
        if event.name == "endpoint" and self._target is None:
            self._target = self._origin.joined(event.data)
            if self._target is None:
                self._lose("wants messages posted to another origin")
            self._is_ready.set()
        elif event.name == "message":
            try:
                self._listener.message(read_message(event.data))
            except NotAMessage as error:
                self._listener.oddity(oddity_of(error, event.data))

    def _lose(self, because: str) -> None:
        self._because = because
        self._listener.lost(because)
        self._is_ready.set()
