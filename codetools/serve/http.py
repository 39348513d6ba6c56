"""The server over streamable HTTP, for several clients: the official SDK carries the messages, every call is ours."""

import asyncio
import os
import secrets
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import mcp_types
import uvicorn
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata

from codetools import __version__
from codetools.core.errors import Failure
from codetools.engine.lock import is_locked
from codetools.engine.resident import Resident
from codetools.engine.turns import Turns
from codetools.mcp.protocol.message import MAX_MESSAGE_BYTES, Message
from codetools.mcp.protocol.revisions import CAPABILITIES_KEY, INPUT_REQUIRED, INTERNAL_ERROR, STATELESS
from codetools.render.write import write_error
from codetools.serve.call import Call, Refused
from codetools.serve.conversation import INSTRUCTIONS, TTL_MS
from codetools.serve.guard import Guard
from codetools.serve.patience import Patient
from codetools.serve.roots import trees_of
from codetools.serve.sessions import IDLE_SECONDS, MOST_SESSIONS, Sessions
from codetools.serve.shown import listed_tools

TOKEN_VARIABLE = "CODETOOLS_MCP_TOKEN"
PATH = "/mcp"
MOST_CONNECTIONS = 500
ROOTS_SECONDS = 10.0
NO_SESSION = ""

Context = ServerRequestContext[Any, Any]


def serve_http(open_resident: Callable[[], Resident], address: str) -> int:
    """Serve until interrupted; return the exit code. Raises `usage` for a wrong address, `unavailable` for a taken."""
    host, port = _address(address)
    listening = _listening(host, port)
    token = os.environ.get(TOKEN_VARIABLE) or secrets.token_urlsafe(24)
    app = Guard(http_app(open_resident), token, None if _is_any(host) else host, MAX_MESSAGE_BYTES)
    shown = f"[{host}]" if ":" in host else host
    write_error(f"codetools mcp serve: http://{shown}:{listening.getsockname()[1]}{PATH}\n")
    if TOKEN_VARIABLE not in os.environ:
        write_error(f"codetools mcp serve: Authorization: Bearer {token}\n")
    config = uvicorn.Config(
        app,
        http=Patient,
        ws="none",
        log_level="critical",
        lifespan="on",
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=5,
    )
    uvicorn.Server(config).run(sockets=[listening])
    return 0


def http_app(open_resident: Callable[[], Resident]) -> Any:
    """Return the ASGI application, without the guard before it."""
    desk = _Desk(open_resident)
    server: Server[Any] = Server(
        "codetools",
        version=__version__,
        title="codetools",
        instructions=INSTRUCTIONS,
        on_list_tools=desk.list_tools,
        on_call_tool=desk.call_tool,
        get_tool_input_schema=desk.input_schema,
    )
    server.add_notification_handler(
        "notifications/roots/list_changed", mcp_types.NotificationParams, desk.take_new_roots
    )
    return server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=MAX_MESSAGE_BYTES,
        session_idle_timeout=IDLE_SECONDS,
        max_sessions=MOST_SESSIONS,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the guard's work
    )


class _Desk:
    """Takes the requests of every client. Each session has an engine of its own, since its roots are its own."""

    def __init__(self, open_resident: Callable[[], Resident]) -> None:
        self._sessions = Sessions(open_resident)
        self._common = open_resident()  # of all that come without a session
        self._turns = Turns(self._common.engine().limits.batch_calls)
        self._may_ask = not is_locked()

    def input_schema(self, name: str) -> dict[str, Any] | None:
        """Return what a tool takes, for the headers that repeat arguments; what is no tool the call itself tells."""
        try:
            return self._common.engine().registry.find(name).input_schema()
        except Failure:
            return None

    async def list_tools(self, context: Context, params: Any) -> mcp_types.ListToolsResult:
        async with self._resident(context) as resident:
            tools = await asyncio.to_thread(lambda: listed_tools(resident.engine()))
            return mcp_types.ListToolsResult.model_validate({"tools": tools, "ttlMs": TTL_MS, "cacheScope": "private"})

    async def call_tool(self, context: Context, params: mcp_types.CallToolRequestParams) -> Any:
        async with self._resident(context) as resident:
            result = await self._result(resident, context, params)
        if result.get("resultType") == INPUT_REQUIRED:
            return mcp_types.InputRequiredResult.model_validate(result)
        return mcp_types.CallToolResult.model_validate(result)

    async def take_new_roots(self, context: Context, params: Any) -> None:
        """Ask for a client's roots anew before its next request is answered."""
        self._sessions.widen(_session_of(context))

    async def _result(
        self, resident: Resident, context: Context, params: mcp_types.CallToolRequestParams
    ) -> dict[str, Any]:
        resident.begin()
        client = _Client(context, asyncio.get_running_loop())
        request = _request(context, params)
        call = Call(resident, client, request, context.protocol_version, client.send, may_ask=self._may_ask)
        done: asyncio.Future[dict[str, Any] | None] = client.loop.create_future()

        def make() -> None:
            try:
                found = call.result()
            except Refused as refused:
                client.loop.call_soon_threadsafe(_settle, done, None, refused)
            else:
                client.loop.call_soon_threadsafe(_settle, done, found, None)

        self._turns.put(make, is_safe=call.is_safe)
        try:
            return await done or {"content": []}
        finally:
            call.cancelled.set()  # of one that was answered nothing is left to cancel

    @asynccontextmanager
    async def _resident(self, context: Context) -> AsyncIterator[Resident]:
        """Give the engine that a request is for; what stands in the way is an error of the protocol."""
        session = _session_of(context)
        try:
            if session == NO_SESSION:
                yield self._common
                return
            async with self._sessions.resident(session, partial(_narrow, context)) as resident:
                yield resident
        except Refused as refused:
            raise MCPError(refused.code, refused.why, refused.data) from None
        except Failure as failure:
            raise MCPError(INTERNAL_ERROR, failure.line()) from None


def _session_of(context: Context) -> str:
    """Return the session of a request; where there is no handshake there are none, whatever a header says."""
    if context.protocol_version in STATELESS:
        return NO_SESSION
    headers = getattr(context.request, "headers", {})
    return headers.get("mcp-session-id") or NO_SESSION


async def _narrow(context: Context, resident: Resident) -> None:
    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.roots is None:
        return
    try:
        async with asyncio.timeout(ROOTS_SECONDS):
            found = await context.session.send_request(
                mcp_types.ListRootsRequest(),
                mcp_types.ListRootsResult,
                metadata=ServerMessageMetadata(related_request_id=context.request_id),
            )
    except (MCPError, TimeoutError):
        return
    trees = trees_of(found.model_dump(mode="json"))
    if trees is not None:
        await asyncio.to_thread(resident.narrow, trees)


def _settle(done: "asyncio.Future[Any]", result: Any, error: Exception | None) -> None:
    if done.done():  # nobody waits any more
        return
    if error is not None:
        done.set_exception(error)
    else:
        done.set_result(result)


class _Client:
    """One client as a call sees it: asked and told from the call's thread, answered in the server's loop."""

    def __init__(self, context: Context, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._session = context.session
        self._request_id = context.request_id

    def can(self, capability: str) -> bool:
        capabilities = self._session.client_capabilities
        return getattr(capabilities, capability, None) is not None

    def ask(
        self, method: str, params: dict[str, Any] | None, seconds: float, is_cancelled: Callable[[], bool]
    ) -> dict[str, Any]:
        form = params or {}
        asked = asyncio.run_coroutine_threadsafe(
            self._session.elicit_form(form["message"], form["requestedSchema"], self._request_id), self.loop
        )
        waited = threading.Event()
        asked.add_done_callback(lambda _: waited.set())
        while seconds > 0 and not is_cancelled() and not waited.wait(0.1):
            seconds -= 0.1
        if not asked.done():
            asked.cancel()
            raise Failure("denied", f"the client did not answer {method}.")
        try:
            return asked.result().model_dump(mode="json")
        except MCPError as error:
            raise Failure("denied", f"the client refused {method}: {error}.") from None

    def send(self, message: dict[str, Any]) -> None:
        params = message["params"]
        told = self._session.report_progress(params["progress"], None, params.get("message"))
        asyncio.run_coroutine_threadsafe(told, self.loop)


def _request(context: Context, params: mcp_types.CallToolRequestParams) -> Message:
    values = params.model_dump(mode="json", by_alias=True, exclude_none=True)
    capabilities = context.session.client_capabilities
    if context.protocol_version in STATELESS and capabilities is not None:
        meta = values.setdefault("_meta", {})
        meta.setdefault(CAPABILITIES_KEY, capabilities.model_dump(mode="json", by_alias=True, exclude_none=True))
    return Message("request", "tools/call", values, context.request_id)


def _address(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        raise Failure("usage", f"{address!r} is no address to serve at.", "Name a port, or HOST:PORT.")
    return host.strip("[]") or "127.0.0.1", int(port)


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen(128)
    except OSError as error:
        raise Failure("unavailable", f"cannot serve at {host}:{port}: {error.strerror or error}.") from None
    return listening


def _is_any(host: str) -> bool:
    return host in ("0.0.0.0", "::")
