"""What stands before the HTTP server: the token, the headers that a page in a browser cannot forge, a bounded body."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
App = Callable[[Scope, Any, Any], Awaitable[None]]
LOOPBACK = ("127.0.0.1", "localhost", "::1")
BODY_SECONDS = 30.0


class Guard:
    """Lets through what shows the bearer token, names this host, comes from no foreign page and sends its body in time.

    `host` is the name that is served at, beside those of this machine itself; None lets any host through, for a server
    at every address of a machine cannot know its names.
    """

    def __init__(
        self, app: App, token: str, host: str | None, most_bytes: int, body_seconds: float = BODY_SECONDS
    ) -> None:
        self._app = app
        self._most_bytes = most_bytes
        self._body_seconds = body_seconds
        self._token = token.encode()
        self._hosts = None if host is None else {*LOOPBACK, host.lower()}

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Pass a request on, or answer why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal([(name.lower(), value) for name, value in scope["headers"]])
        if refusal is None:
            try:
                async with asyncio.timeout(self._body_seconds):
                    body = await self._body(receive)
            except TimeoutError:
                refusal = 408, "the body did not come in time"
            except _TooLarge:
                refusal = 413, f"a request has at most {self._most_bytes >> 20} MiB"
            else:
                await self._app(scope, _Replay(body, receive), send)
                return
        status, why = refusal
        headers = [(b"content-type", b"text/plain; charset=utf-8")]
        headers += [(b"www-authenticate", b'Bearer realm="codetools"')] if status == 401 else []
        headers += [(b"connection", b"close")] if status in (408, 413) else []
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": f"{why}\n".encode()})

    def _refusal(self, headers: list[tuple[bytes, bytes]]) -> tuple[int, str] | None:
        hosts = [value for name, value in headers if name == b"host"]
        if len(hosts) != 1 or not self._is_ours(hosts[0].decode("latin-1")):
            return 421, "this server does not answer for that host"
        origins = [value for name, value in headers if name == b"origin"]
        if any(not self._is_our_page(origin.decode("latin-1")) for origin in origins):
            return 403, "pages of that origin may not use this server"
        tokens = [value for name, value in headers if name == b"authorization"]
        scheme, _, token = (tokens[0] if len(tokens) == 1 else b"").partition(b" ")
        if scheme.lower() != b"bearer" or not hmac.compare_digest(token.strip(), self._token):
            return 401, "show the bearer token that the server printed when it started"
        return None

    async def _body(self, receive: Any) -> list[dict[str, Any]]:
        """Return the messages that the body came in, up to its end."""
        messages: list[dict[str, Any]] = []
        size = 0
        while True:
            messages.append(await receive())
            size += len(messages[-1].get("body", b""))
            if size > self._most_bytes:
                raise _TooLarge
            if not messages[-1].get("more_body", False):  # also where the client has gone
                return messages

    def _is_ours(self, authority: str) -> bool:
        return self._hosts is None or _host_of(authority) in self._hosts

    def _is_our_page(self, origin: str) -> bool:
        scheme, _, authority = origin.partition("://")
        return scheme in ("http", "https") and _host_of(authority) in (self._hosts or LOOPBACK)


class _TooLarge(Exception):
    pass


class _Replay:
    """Says again what was heard of a request, and then what comes."""

    def __init__(self, messages: list[dict[str, Any]], receive: Any) -> None:
        self._messages = messages[::-1]
        self._receive = receive

    async def __call__(self) -> Any:
        return self._messages.pop() if self._messages else await self._receive()


def _host_of(authority: str) -> str:
    """Return the host of `host:port`, in lower case."""
    if authority.startswith("["):
        return authority[1:].partition("]")[0].lower()
    return authority.partition(":")[0].lower()
