"""The open connections of one door: made when they are first needed, made anew when they have died, closed with it."""

import threading

from codetools.config.settings import McpServer
from codetools.core.errors import Failure
from codetools.mcp.connection import Connection
from codetools.mcp.listing import Listing, fetch_listing
from codetools.mcp.negotiation import connect
from codetools.mcp.server import Surroundings, digest, identity, opener
from codetools.mcp.tool_lists import keep_listing, kept_listing
from codetools.mcp.waiting import Patience


class Connections:
    """Connections by server. Threads share them; two that need the same server at once wait for one start."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._turns: dict[str, threading.Lock] = {}
        self._open: dict[str, _Open] = {}
        self._is_closed = False

    def listing(self, server: McpServer, around: Surroundings, caller: Patience) -> tuple[Connection, Listing]:
        """Return a connection and what the server lists by now, which is kept for those that start no server."""
        found = self._found(server, around, caller)
        with self._turn(server, caller):
            if found.listing is None or found.connection.tools_changed:
                found.listing = fetch_listing(found.connection, server, caller)
                keep_listing(around.home, server, found.listing)
            return found.connection, found.listing

    def connection(self, server: McpServer, around: Surroundings, caller: Patience) -> Connection:
        """Return a connection."""
        return self._found(server, around, caller).connection

    def close(self, *, waits: bool = True) -> None:
        """End every connection, and every server that is ours, in bounded time; see `Connection.close`."""
        with self._guard:
            self._is_closed = True
            found, self._open = tuple(self._open.values()), {}
        closing = [threading.Thread(target=self._close, args=(each, waits), daemon=True) for each in found[1:]]
        for thread in closing:
            thread.start()
        if found:
            self._close(found[0], waits)
        for thread in closing:
            thread.join()

    def _close(self, opened: "_Open", waits: bool) -> None:
        opened.connection.close(waits=waits)

    def _found(self, server: McpServer, around: Surroundings, caller: Patience) -> "_Open":
        key = _key(server, around)
        with self._turn(server, caller):
            found = self._open.get(key)
            if found is not None and not found.connection.is_lost:
                return found
            if found is not None:
                found.connection.close(at_once=True)
            kept = kept_listing(around.home, server)
            known = kept.version if kept is not None else ""
            roots = around.roots if server.command else ()  # another machine has no use for the names of our trees
            opened = _Open(connect(server.name, roots, opener(server, around), caller, known))
            with self._guard:
                is_late = self._is_closed
                if not is_late:
                    self._open[key] = opened
            if is_late:
                opened.connection.close(at_once=True)
                raise Failure("interrupted", "the connections are being closed.")
            return opened

    def _turn(self, server: McpServer, caller: Patience) -> "_Turn":
        with self._guard:
            return _Turn(self._turns.setdefault(server.name, threading.Lock()), server.name, caller)


class _Open:
    """A server that is connected, and what it listed since."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.listing: Listing | None = None


class _Turn:
    """A lock that is waited for no longer than the caller waits."""

    def __init__(self, lock: threading.Lock, server: str, caller: Patience) -> None:
        self._lock = lock
        self._server = server
        self._caller = caller

    def __enter__(self) -> None:
        if not self._lock.acquire(timeout=self._caller.left()):
            raise Failure("timeout", f"the MCP server {self._server} was still being connected by another call.")

    def __exit__(self, *ended: object) -> None:
        self._lock.release()


def _key(server: McpServer, around: Surroundings) -> str:
    chosen = [server.name, server.transport, list(server.enabled_tools), list(server.disabled_tools)]
    return digest([chosen, identity(server), list(around.roots)])
