"""One open connection to a server: requests and their answers told apart by id, both eras, whatever carries them."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from codetools import __version__
from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.mcp.faults import RemoteError, fault, refused
from codetools.mcp.protocol import message as messages
from codetools.mcp.protocol.message import Message, NotAMessage
from codetools.mcp.protocol.revisions import (
    COMPLETE,
    INPUT_REQUIRED,
    METHOD_NOT_FOUND,
    PROGRESS_KEY,
    STATELESS,
    request_meta,
)
from codetools.mcp.waiting import Patience, TimedOut, Waiter, patience

CLIENT = {"name": "codetools", "version": __version__}
REPLY_SECONDS = 1.0
MAX_ODDITIES = 1000  # lines that are no messages, and answers that nothing asked for, until we have had enough
MAX_ROUNDS = 8  # how often one request may be sent back for more input


if TYPE_CHECKING:
    from typing import Protocol

    class Transport(Protocol):
        """What carries messages. It hands what comes to the Listener that it was made with."""

        def send(self, message: dict[str, Any], version: str, headers: dict[str, str], caller: Patience) -> None:
            """Send one message; raise TimedOut, or the Failure of the server."""

        def abandon(self, id: messages.Id) -> bool:
            """Give up what still brings the answer to a request; return whether that tells the server enough."""

        def stderr(self) -> str:
            """Return the tail of the server's error output."""

        def close(self, *, at_once: bool = False, waits: bool = True) -> None:
            """End it, in bounded time; without `waits`, at once, and what is left of its end goes on alone."""


class Listener(Record):
    """Who hears what a transport brings: a message, something that is none, the end of it all, the end of one request.

    The end is told in words that follow the server's name.
    """

    message: Callable[[Message], None]
    oddity: Callable[[str], None]
    lost: Callable[[str], None]
    failed: Callable[[messages.Id, Failure], None]


class Connection:
    """A connection that was made; `negotiation.connect` makes them. Threads may share it.

    `roots` are the trees that the server may hear of. `version` is the revision that is spoken, `info` and
    `capabilities` what the server said of itself. `tools_changed` is whether it has said that its list of tools is no
    longer what it was.
    """

    def __init__(self, server: str, roots: tuple[str, ...], open_transport: "Callable[[Listener], Transport]") -> None:
        self.server = server
        self.version = ""
        self.info: dict[str, Any] = {}
        self.capabilities: dict[str, Any] = {}
        self.tools_changed = False
        self.is_lost = False
        self.session_ended = False
        self._roots = roots
        self.offers: dict[str, Any] = {"roots": {}} if roots else {}  # our capabilities
        self._guard = threading.Lock()
        self._number = 0
        self._waiting: dict[messages.Id, Waiter] = {}
        self._oddities = 0
        self._last_oddity = ""
        self._lost_because = ""
        self._transport = open_transport(Listener(self._hear, self._hear_oddity, self._lose, self._fail))

    @property
    def is_stateless(self) -> bool:
        """Whether it speaks a revision without a handshake."""
        return self.version in STATELESS

    def ask(
        self, method: str, params: dict[str, Any], caller: Patience, headers: dict[str, str] | None = None
    ) -> dict[str, Any]:
        """Return the result of a request, answering what the server asks back; raise the Failure in its way."""
        more: dict[str, Any] = {}
        for _ in range(MAX_ROUNDS):
            try:
                found = self.request(method, {**params, **more}, caller, headers)
            except RemoteError as error:
                raise refused(self.server, method, error) from None
            kind = found.get("resultType", COMPLETE)
            if kind == COMPLETE:
                return found
            if kind != INPUT_REQUIRED:
                raise fault(self.server, f"answered {method} with a result of the unknown type {str(kind)[:40]!r}")
            more = self._more(found)
        raise fault(self.server, f"asked back more than {MAX_ROUNDS} times for one {method}")

    def request(
        self,
        method: str,
        params: dict[str, Any],
        caller: Patience,
        headers: dict[str, str] | None = None,
        *,
        is_probe: bool = False,
    ) -> dict[str, Any]:
        """Return the result of one request; raise RemoteError where the server refuses, else the Failure in its way.

        A server that does not answer in time is ended, unless something else is asked of it or this is only a probe.
        """
        if self.is_lost:
            raise self._gone()
        with self._guard:
            self._number += 1
            id = self._number
            waiter = self._waiting[id] = Waiter()
        message = messages.request(id, method, self._with_meta(params, id, caller))
        try:
            self._transport.send(message, self.version, headers or {}, caller)
            answer = waiter.wait(caller)
        except TimedOut:
            raise self._give_up(id, method, is_probe=is_probe) from None
        except Failure as failure:
            if failure.kind in ("interrupted", "timeout"):
                self._cancel(id, "the caller has cancelled it")
            raise
        except BaseException:
            self._cancel(id, "the caller has ended")
            raise
        finally:
            with self._guard:
                self._waiting.pop(id, None)
        if answer.error is not None:
            error = answer.error
            raise RemoteError(error["code"], error["message"], error.get("data"), error.get("status", 0))
        found: dict[str, Any] = answer.result
        return found

    def notify(self, method: str, params: dict[str, Any] | None, caller: Patience) -> None:
        """Send a notification."""
        try:
            self._transport.send(messages.notification(method, params), self.version, {}, caller)
        except TimedOut:
            raise self._give_up(None, method, is_probe=False) from None

    def close(self, *, at_once: bool = False, waits: bool = True) -> None:
        """End the connection and, where it is ours, the server with its whole tree; in bounded time.

        Without `waits` it is still ending when this returns: for a process that is about to end itself.
        """
        self.is_lost = True
        self._transport.close(at_once=at_once, waits=waits)

    def _with_meta(self, params: dict[str, Any], id: messages.Id, caller: Patience) -> dict[str, Any]:
        meta = dict(params.get("_meta", {}))
        if self.is_stateless:
            meta.update(request_meta(self.version, self.offers, CLIENT))
        if caller.progress is not None:
            meta[PROGRESS_KEY] = id
        return {**params, "_meta": meta} if meta else params

    def _give_up(self, id: messages.Id | None, method: str, *, is_probe: bool) -> Failure:
        """Return the failure; the server is told, and ended if it has nothing else to do."""
        what = f"did not answer {method} in time"
        if self._last_oddity:
            what += f" (it sent {self._last_oddity})"
        failure = fault(self.server, what, self._transport.stderr(), "timeout")
        if id is not None and is_probe:
            self._transport.abandon(id)
        elif id is not None:
            self._cancel(id, "it took too long")
        with self._guard:
            is_alone = not set(self._waiting) - {id}
        if is_alone and not is_probe:
            self.close(at_once=True)
        return failure

    def _cancel(self, id: messages.Id, reason: str) -> None:
        if self._transport.abandon(id):
            return
        try:
            params = {"requestId": id, "reason": reason}
            message = messages.notification("notifications/cancelled", params)
            self._transport.send(message, self.version, {}, patience(REPLY_SECONDS / 4))
        except (TimedOut, Failure):
            return

    def _more(self, found: dict[str, Any]) -> dict[str, Any]:
        """Return what a request is sent again with."""
        more: dict[str, Any] = {}
        if "requestState" in found:
            more["requestState"] = found["requestState"]
        asked = found.get("inputRequests") or {}
        if not isinstance(asked, dict):
            raise fault(self.server, "asked back in a form that the protocol does not know")
        answers: dict[str, Any] = {}
        for key, wanted in asked.items():
            method = wanted.get("method") if isinstance(wanted, dict) else None
            if method == "roots/list" and self._roots:
                answers[key] = self._listed_roots()
            elif method == "elicitation/create":
                answers[key] = {"action": "cancel"}  # nobody is there to be asked
            else:
                raise fault(self.server, f"asked for {str(method)[:60]}, which is not offered to servers")
        return {**more, "inputResponses": answers} if answers else more

    def _listed_roots(self) -> dict[str, Any]:
        from urllib.parse import quote

        return {"roots": [{"uri": "file://" + quote(root.encode("utf-8", "surrogateescape"))} for root in self._roots]}

    def _hear(self, message: Message) -> None:
        """Take one message; called by the transport, in whichever thread brings it."""
        if message.kind == "request":
            self._reply(message)
        elif message.kind == "notification":
            self._hear_notification(message)
        else:
            with self._guard:
                waiter = self._waiting.get(message.id) if type(message.id) is int else None
            if waiter is not None:
                waiter.answer(message)
            elif message.id is None:
                self._hear_oddity(f"an error for no request: {message.error['message'][:100]!r}")
            else:
                self._hear_oddity(f"an answer with the id {str(message.id)[:40]!r}, which nothing waits for")

    def _hear_notification(self, message: Message) -> None:
        if message.method == "notifications/tools/list_changed":
            self.tools_changed = True
        elif message.method == "notifications/progress":
            token = message.params.get(PROGRESS_KEY)
            with self._guard:
                waiter = self._waiting.get(token) if type(token) is int else None
            done, total = _whole(message.params.get("progress")), _whole(message.params.get("total"))
            said = message.params.get("message")
            if waiter is not None and done is not None:
                waiter.advance(done, total, said[:1000] if isinstance(said, str) else "")

    def _reply(self, message: Message) -> None:
        if message.method == "ping":
            reply = messages.result(message.id, {})
        elif message.method == "roots/list" and self._roots:
            reply = messages.result(message.id, self._listed_roots())
        else:
            reply = messages.error(message.id, METHOD_NOT_FOUND, f"{message.method[:60]} is not offered")
        try:
            self._transport.send(reply, self.version, {}, patience(REPLY_SECONDS))
        except (TimedOut, Failure):
            self._lose("asks, but does not read the answer")

    def _hear_oddity(self, what: str) -> None:
        self._oddities += 1
        self._last_oddity = what
        if self._oddities > MAX_ODDITIES:
            self._lose(f"speaks nonsense, last {what}")

    def _fail(self, id: messages.Id, failure: Failure) -> None:
        with self._guard:
            waiter = self._waiting.get(id)
        if failure.details.get("session_ended"):
            self.session_ended = self.is_lost = True
        if waiter is not None:
            waiter.answer(failure)

    def _lose(self, because: str) -> None:
        with self._guard:
            if self.is_lost:
                return
            self.is_lost = True
            self._lost_because = because
            waiting = tuple(self._waiting.values())
        for waiter in waiting:
            waiter.answer(self._gone())

    def _gone(self) -> Failure:
        because = self._lost_because or "is no longer connected"
        if self._last_oddity and self._last_oddity not in because:
            because += f" (before that it sent {self._last_oddity})"
        return fault(self.server, because, self._transport.stderr(), lost=True)


def _whole(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e15:
        return None
    return int(value)


def oddity_of(error: NotAMessage, line: bytes | str) -> str:
    """Return what is said of something that is no message."""
    shown = line[:80] if isinstance(line, str) else line[:80].decode("utf-8", "replace")
    return f"{shown!r}, but {error.why}"
