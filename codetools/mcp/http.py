"""A server behind an address: each message is one POST, its answer a JSON document or a stream of events."""

import threading
import time
from collections.abc import Callable
from typing import Any

from codetools import __version__
from codetools.mcp.connection import Listener, oddity_of
from codetools.mcp.exchange import ERROR_BODY_BYTES, Broken, Call, Exchange, Reply
from codetools.mcp.faults import fault
from codetools.mcp.origin import Origin
from codetools.mcp.protocol.events import Events
from codetools.mcp.protocol.headers import SESSION_HEADER, VERSION_HEADER, standard_headers
from codetools.mcp.protocol.lines import TooLong
from codetools.mcp.protocol.message import MAX_MESSAGE_BYTES, Id, NotAMessage, read_message, written
from codetools.mcp.protocol.revisions import STATELESS
from codetools.mcp.waiting import Patience, TimedOut

AGENT = {"User-Agent": f"codetools/{__version__}"}
ACCEPT = "application/json, text/event-stream"
MAX_STREAM_BYTES = 4 * MAX_MESSAGE_BYTES
MAX_RESUMES = 100
LEAST_RETRY_MS = 100
GOODBYE_SECONDS = 0.5
SESSION_ENDED = 404


class Http:
    """The address and what the server wants repeated; `headers` are the user's and are never shown."""

    def __init__(self, server: str, origin: Origin, headers: dict[str, str], listener: Listener) -> None:
        self._server = server
        self._origin = origin
        self._headers = headers
        self._listener = listener
        self._session = ""
        self._version = ""
        self._guard = threading.Lock()
        self._exchanges: dict[Id, Exchange] = {}

    def send(self, message: dict[str, Any], version: str, headers: dict[str, str], caller: Patience) -> None:
        """Post one message. The answer to a request comes by the listener; anything else is waited for here."""
        self._version = version
        id = message.get("id") if "method" in message else None
        sent = {**self._common(ACCEPT), "Content-Type": "application/json", **headers}
        if version in STATELESS and "method" in message:
            sent.update(standard_headers(message, version))
        elif version:
            sent[VERSION_HEADER] = version
        if self._session:
            sent[SESSION_HEADER] = self._session
        call = Call("POST", self._origin, sent, written(message).rstrip(b"\n"), caller.left())
        if id is not None:
            answer = _Answer(self, message, caller)
            with self._guard:
                self._exchanges[id] = Exchange(call, answer.take, answer.fail)
            return
        post(self._server, call, caller)

    def abandon(self, id: Id) -> bool:
        """Break off the exchange of a request: by itself, that cancels it in the stateless era."""
        with self._guard:
            exchange = self._exchanges.pop(id, None)
        if exchange is not None:
            exchange.abandon()
        return self._version in STATELESS

    def stderr(self) -> str:
        """Return nothing: a server behind an address has no error output of ours."""
        return ""

    def close(self, *, at_once: bool = False, waits: bool = True) -> None:
        """Break off what is under way, and end the session where there is one."""
        with self._guard:
            exchanges, self._exchanges = tuple(self._exchanges.values()), {}
        for exchange in exchanges:
            exchange.abandon()
        if self._session and not at_once:
            headers = {**self._common(ACCEPT), SESSION_HEADER: self._session, VERSION_HEADER: self._version}
            call = Call("DELETE", self._origin, headers, None, GOODBYE_SECONDS)
            exchange = Exchange(call, lambda reply, read: None, lambda what: None)
            exchange.thread.join(GOODBYE_SECONDS)
            exchange.abandon()

    def _common(self, accept: str) -> dict[str, str]:
        return {"Accept": accept, **AGENT, **self._headers}

    def forget(self, id: Id) -> None:
        """Let go of an exchange that is over."""
        with self._guard:
            self._exchanges.pop(id, None)

    def keep_session(self, reply: Reply) -> None:
        """Take the session that the server gave with its answer to the handshake."""
        session = reply.headers.get(SESSION_HEADER.lower(), "")
        if session and all("!" <= character <= "~" for character in session) and len(session) <= 4096:
            self._session = session

    def resumed(self, last_id: str, seconds: float) -> Call:
        """Return the request by which a stream that broke off is taken up again."""
        headers = {**self._common("text/event-stream"), "Last-Event-ID": last_id}
        if self._session:
            headers[SESSION_HEADER] = self._session
        if self._version:
            headers[VERSION_HEADER] = self._version
        return Call("GET", self._origin, headers, None, seconds)

    def lost_session(self, status: int) -> bool:
        """Whether an HTTP status says that the session is over."""
        return status == SESSION_ENDED and bool(self._session)


class _Answer:
    """The answer to one request, as it comes."""

    def __init__(self, http: Http, message: dict[str, Any], caller: Patience) -> None:
        self._http = http
        self._id: Id = message["id"]
        self._is_handshake = message["method"] == "initialize"
        self._caller = caller
        self._has_come = False
        self._resumes = 0

    def fail(self, what: str, **details: Any) -> None:
        """Tell that there will be no answer."""
        self._http.forget(self._id)
        self._http._listener.failed(self._id, fault(self._http._server, what, **details))

    def take(self, reply: Reply, read: Callable[[], bytes]) -> None:
        """Hand on what an answer holds."""
        if reply.status >= 400:
            self._take_refusal(reply, read)
        elif reply.media_type == "text/event-stream":
            if self._is_handshake:
                self._http.keep_session(reply)
            self._take_stream(read)
        elif reply.media_type == "application/json":
            if self._is_handshake:
                self._http.keep_session(reply)
            self._take_document(_whole(read, MAX_MESSAGE_BYTES))
        else:
            self.fail(
                f"answers with HTTP {reply.status} and {reply.media_type[:60] or 'no content'}, not MCP",
                status=reply.status,
            )

    def _take_refusal(self, reply: Reply, read: Callable[[], bytes]) -> None:
        """Hand on a JSON-RPC error in an HTTP one; else the HTTP one is the failure."""
        if self._http.lost_session(reply.status):
            self.fail("has ended the session", session_ended=True)
            return
        try:
            message = read_message(_whole(read, ERROR_BODY_BYTES))
        except (NotAMessage, Broken):
            reason = "".join(filter(str.isprintable, reply.reason))[:60]
            self.fail(f"answers with HTTP {reply.status} {reason}".rstrip(), status=reply.status)
            return
        if message.kind == "error":
            self._hear(message.but(id=self._id, error={**message.error, "status": reply.status}))
        else:
            self.fail(f"answers with HTTP {reply.status}", status=reply.status)

    def _take_document(self, content: bytes) -> None:
        try:
            message = read_message(content)
        except NotAMessage as error:
            self.fail(f"answered {oddity_of(error, content)}")
            return
        self._hear(message)
        if not self._has_come:
            self.fail("answered something else than was asked")

    def _take_stream(self, read: Callable[[], bytes]) -> None:
        """Hand on the messages of a stream until the answer is among them."""
        events = Events(MAX_MESSAGE_BYTES)
        size = 0
        try:
            while not self._has_come and (chunk := read()):
                size += len(chunk)
                if size > MAX_STREAM_BYTES:
                    raise Broken(f"sent more than {MAX_STREAM_BYTES >> 20} MiB for one request")
                for event in events.feed(chunk):
                    if event.name == "message":
                        self._take_event(event.data)
        except TooLong as error:
            raise Broken(f"sent {error}") from None
        except (OSError, ValueError):
            if events.last_id is None:
                raise
        if not self._has_come:
            self._resume(events)

    def _take_event(self, data: str) -> None:
        try:
            self._hear(read_message(data))
        except NotAMessage as error:
            self._http._listener.oddity(oddity_of(error, data))

    def _hear(self, message: Any) -> None:
        if message.kind in ("result", "error") and message.id == self._id:
            self._has_come = True
            self._http.forget(self._id)
        self._http._listener.message(message)

    def _resume(self, events: Events) -> None:
        """Ask for the rest of a stream that the server broke off, as it wanted: after a while, by its last event."""
        self._resumes += 1
        wait = max(LEAST_RETRY_MS, events.retry_ms or 0) / 1000
        if events.last_id is None or not events.last_id.isascii() or not events.last_id.isprintable():
            self.fail("ended its answer before it was whole")
        elif self._resumes > MAX_RESUMES or wait >= self._caller.left():
            self.fail("broke off its answer, and comes back to it too late")
        else:
            time.sleep(wait)
            call = self._http.resumed(events.last_id, self._caller.left())
            with self._http._guard:
                if self._id in self._http._exchanges:
                    self._http._exchanges[self._id] = Exchange(call, self.take, self.fail)


def post(server: str, call: Call, caller: Patience) -> None:
    """Send what has no answer of its own, and wait until it is taken; raise TimedOut or the server's failure."""
    failures: list[str] = []

    def take(reply: Reply, read: Callable[[], bytes]) -> None:
        if reply.status >= 400:
            failures.append(f"answers with HTTP {reply.status}")

    exchange = Exchange(call, take, failures.append)
    exchange.thread.join(caller.left())
    if exchange.thread.is_alive():
        exchange.abandon()
        raise TimedOut
    if failures:
        raise fault(server, failures[0])


def _whole(read: Callable[[], bytes], most_bytes: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while chunk := read():
        parts.append(chunk)
        size += len(chunk)
        if size > most_bytes:
            raise Broken(f"answers with more than {most_bytes >> 10:,} KiB")
    return b"".join(parts)
