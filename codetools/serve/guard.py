"""What stands before the HTTP server: the token, and the headers that a page in a browser cannot forge."""

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
App = Callable[[Scope, Any, Any], Awaitable[None]]
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Guard:
    """Lets through what shows the bearer token, names this host and comes from no foreign page.

    `host` is the name that is served at, beside those of this machine itself; None lets any host through, for a server
    at every address of a machine cannot know its names.
    """

    def __init__(self, app: App, token: str, host: str | None) -> None:
        self._app = app
        self._token = token.encode()
        self._hosts = None if host is None else {*LOOPBACK, host.lower()}

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Pass a request on, or answer why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal([(name.lower(), value) for name, value in scope["headers"]])
        if refusal is None:
            await self._app(scope, receive, send)
            return
        status, why = refusal
        headers = [(b"content-type", b"text/plain; charset=utf-8")]
        headers += [(b"www-authenticate", b'Bearer realm="codetools"')] if status == 401 else []
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

    def _is_ours(self, authority: str) -> bool:
        return self._hosts is None or _host_of(authority) in self._hosts

    def _is_our_page(self, origin: str) -> bool:
        scheme, _, authority = origin.partition("://")
        return scheme in ("http", "https") and _host_of(authority) in (self._hosts or LOOPBACK)


def _host_of(authority: str) -> str:
    """Return the host of `host:port`, in lower case."""
    if authority.startswith("["):
        return authority[1:].partition("]")[0].lower()
    return authority.partition(":")[0].lower()
