"""One client's conversation, whatever carries it: requests in, answers out, calls on threads of their own."""

import threading
from collections.abc import Callable
from typing import Any

from codetools import __version__
from codetools.core.errors import Failure
from codetools.engine.engine import Engine
from codetools.engine.lock import is_locked
from codetools.engine.resident import Resident
from codetools.engine.turns import Turns
from codetools.mcp.protocol import message as messages
from codetools.mcp.protocol.message import Message
from codetools.mcp.protocol.revisions import (
    CAPABILITIES_KEY,
    COMPLETE,
    HANDSHAKE,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    LATEST_HANDSHAKE,
    METHOD_NOT_FOUND,
    STATELESS,
    UNSUPPORTED_VERSION,
    VERSION_KEY,
)
from codetools.serve.call import Call, Refused
from codetools.serve.client import Client
from codetools.serve.roots import trees_of
from codetools.serve.shown import listed_tools, shown_names

SERVER = {"name": "codetools", "title": "codetools", "version": __version__}
SERVER_KEY = "io.modelcontextprotocol/serverInfo"
INSTRUCTIONS = (
    "Files, search and commands in one workspace. Relative paths start at its root. A result that was cut says how to "
    "go on. What needs a person's word is not done until it is given."
)
_MAY_BRING_TOOLS = ("mcp_", "tools_")  # what else changes the list than the settings
MOST_WAITING = 1000  # calls; more are refused
MOST_WAITING_BYTES = 64 << 20
ROOTS_SECONDS = 10.0
_ROOTS_MAY_DIFFER = ("notifications/initialized", "notifications/roots/list_changed")
TTL_MS = 5000  # for how long a list may be kept: tools come and go with settings and searches


class Conversation:
    """Requests are taken one by one and never wait for a call; `send` may be used by several threads."""

    def __init__(self, resident: Resident, send: Callable[[dict[str, Any]], None]) -> None:
        self._resident = resident
        self._send = send
        self._turns = Turns(resident.engine().limits.batch_calls)
        self._guard = threading.Lock()
        self._calls: dict[Any, Call] = {}
        self._waiting_bytes = 0
        self._is_to_narrow = False
        self._listed: tuple[Engine, tuple[str, ...]] | None = None
        self._is_locked = is_locked()
        self.client = Client(send)

    def take(self, message: Message, size: int = 0) -> None:
        """Take one message of `size` bytes; what needs time goes on by itself."""
        if message.kind == "request":
            self._take_request(message, size)
        elif message.kind == "notification":
            self._take_notification(message)
        else:
            self.client.hear(message)

    def finish(self, seconds: float | None = None) -> None:
        """Wait until every call is answered, or for so long."""
        self._turns.wait(seconds=seconds)

    def cancel(self) -> None:
        """Cancel every call that is not answered."""
        with self._guard:
            calls = tuple(self._calls.values())
        for call in calls:
            call.cancelled.set()

    def _take_request(self, message: Message, size: int) -> None:
        try:
            version = _version_of(message)
            if message.method == "tools/call":
                self._begin_call(message, version, size)
                return
            result = self._answered(message, version)
        except Refused as refused:
            self._send(messages.error(message.id, refused.code, refused.why, refused.data))
        except Failure as failure:
            self._send(messages.error(message.id, INTERNAL_ERROR, failure.line()))
        else:
            self._send(messages.result(message.id, _complete(result) if version in STATELESS else result))

    def _answered(self, message: Message, version: str) -> dict[str, Any]:
        if message.method == "ping" and version not in STATELESS:
            return {}
        if message.method == "initialize" and version not in STATELESS:
            return self._initialized(message)
        if message.method == "tools/list":
            result: dict[str, Any] = {"tools": self._tools()}
            return {**result, **_kept(version)}
        if message.method == "server/discover":
            return {
                "supportedVersions": list(STATELESS),
                "capabilities": {"tools": {}},
                "instructions": INSTRUCTIONS,
                "_meta": {SERVER_KEY: SERVER},
                **_kept(version),
            }
        raise Refused(METHOD_NOT_FOUND, f"{message.method[:100]} is not offered")

    def _initialized(self, message: Message) -> dict[str, Any]:
        asked = message.params.get("protocolVersion")
        if not isinstance(asked, str):
            raise Refused(INVALID_PARAMS, "initialize names a protocolVersion")
        capabilities = message.params.get("capabilities")
        self.client.capabilities = capabilities if isinstance(capabilities, dict) else {}
        return {
            "protocolVersion": asked if asked in HANDSHAKE else LATEST_HANDSHAKE,
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": SERVER,
            "instructions": INSTRUCTIONS,
        }

    def _tools(self) -> list[dict[str, Any]]:
        engine = self._resident.engine()
        tools = listed_tools(engine)
        self._listed = (engine, tuple(tool["name"] for tool in tools))
        return tools

    def _begin_call(self, message: Message, version: str, size: int) -> None:
        self._resident.begin()
        call = Call(self._resident, self.client, message, version, self._send, may_ask=not self._is_locked)
        with self._guard:
            if message.id in self._calls:
                raise Refused(INVALID_PARAMS, "a request with this id is not answered yet")
            if len(self._calls) >= MOST_WAITING or (self._calls and self._waiting_bytes + size > MOST_WAITING_BYTES):
                raise Refused(INTERNAL_ERROR, f"{len(self._calls)} calls wait already, and no more are kept")
            self._calls[message.id] = call
            self._waiting_bytes += size
        self._turns.put(lambda: self._make(call, size), is_safe=call.is_safe)

    def _make(self, call: Call, size: int) -> None:
        answer = call.answer()
        with self._guard:
            self._calls.pop(call.id, None)
            self._waiting_bytes -= size
        if answer is not None:
            self._send(answer)
        self._tell_of_other_tools(call.name)

    def _tell_of_other_tools(self, called: str) -> None:
        """Say so where the list that the client has is no longer the list there is."""
        engine = self._resident.last_engine
        if self._listed is None or (engine is self._listed[0] and not called.startswith(_MAY_BRING_TOOLS)):
            return
        names = shown_names(engine)
        if names != self._listed[1]:
            self._send(messages.notification("notifications/tools/list_changed"))
        self._listed = (engine, names)

    def _take_notification(self, message: Message) -> None:
        if message.method == "notifications/cancelled":
            with self._guard:
                call = self._calls.get(_hashable(message.params.get("requestId")))
            if call is not None:
                call.cancelled.set()
        elif message.method in _ROOTS_MAY_DIFFER and self.client.can("roots") and not self._is_to_narrow:
            self._is_to_narrow = True  # one that waits asks for all that is said until then
            self._turns.put(self._narrow, is_safe=False)

    def _narrow(self) -> None:
        """Ask for the client's roots before anything else is done; without an answer the workspace stays as it is."""
        self._is_to_narrow = False
        try:
            trees = trees_of(self.client.ask("roots/list", None, ROOTS_SECONDS, lambda: False))
            if trees is not None:
                self._resident.narrow(trees)
        except Failure:  # of the client: nothing is narrowed; of the settings: the next call tells
            return


def _version_of(message: Message) -> str:
    """Return the revision that a request is made under; the latest with a handshake where it names none."""
    meta = message.params.get("_meta")
    meta = meta if isinstance(meta, dict) else {}
    asked = meta.get(VERSION_KEY)
    if asked is None and message.method != "server/discover":
        return LATEST_HANDSHAKE
    if asked not in STATELESS:
        if isinstance(asked, str):
            data = {"supported": list(STATELESS), "requested": asked}
            raise Refused(UNSUPPORTED_VERSION, f"revision {asked[:40]} is not spoken here", data)
        raise Refused(INVALID_PARAMS, f"_meta names no {VERSION_KEY}")
    if not isinstance(meta.get(CAPABILITIES_KEY), dict):
        raise Refused(INVALID_PARAMS, f"_meta has no {CAPABILITIES_KEY}")
    return str(asked)


def _complete(result: dict[str, Any]) -> dict[str, Any]:
    return result if "resultType" in result else {"resultType": COMPLETE, **result}


def _kept(version: str) -> dict[str, Any]:
    return {"ttlMs": TTL_MS, "cacheScope": "private"} if version in STATELESS else {}


def _hashable(id: Any) -> Any:
    return id if isinstance(id, str | int) else None
