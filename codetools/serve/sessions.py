"""The engines of the HTTP server: one for each client's session, narrowed to its roots, capped and expiring."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic

from codetools.engine.resident import Resident

MOST_SESSIONS = 100
IDLE_SECONDS = 1800.0

Narrow = Callable[[Resident], Awaitable[None]]


class _Session:
    def __init__(self, opened: "asyncio.Task[Resident]") -> None:
        self.opened = opened
        self.users = 0
        self.used_at = monotonic()
        self.is_wide = False  # whether its client has other roots by now


class Sessions:
    """Makes an engine when a session's first request comes; nobody uses one before it is narrowed."""

    def __init__(
        self, open_resident: Callable[[], Resident], most: int = MOST_SESSIONS, idle_seconds: float = IDLE_SECONDS
    ) -> None:
        self._open_resident = open_resident
        self._most = most
        self._idle_seconds = idle_seconds
        self._sessions: OrderedDict[str, _Session] = OrderedDict()

    def __len__(self) -> int:
        return len(self._sessions)

    @asynccontextmanager
    async def resident(self, name: str, narrow: Narrow) -> AsyncIterator[Resident]:
        """Give the engine of a session, which stays for as long as it is used; raise what kept it from opening."""
        self._drop_old()
        session = self._sessions.get(name)
        if session is None:
            session = self._sessions[name] = _Session(asyncio.create_task(self._opened(narrow)))
        elif session.is_wide:
            session.is_wide = False
            session.opened = asyncio.create_task(self._narrowed(session.opened, narrow))
        self._sessions.move_to_end(name)
        session.users += 1
        try:
            yield await asyncio.shield(session.opened)
        except BaseException:
            if session.opened.done() and (session.opened.cancelled() or session.opened.exception()):
                self._sessions.pop(name, None)  # the next request tries anew
            raise
        finally:
            session.users -= 1
            session.used_at = monotonic()

    def widen(self, name: str) -> None:
        """Take note that a client's roots have changed: its next request asks for them."""
        if name in self._sessions:
            self._sessions[name].is_wide = True

    async def _opened(self, narrow: Narrow) -> Resident:
        resident = await asyncio.to_thread(self._open_resident)
        await narrow(resident)
        return resident

    async def _narrowed(self, opened: "asyncio.Task[Resident]", narrow: Narrow) -> Resident:
        resident = await opened
        await narrow(resident)
        return resident

    def _drop_old(self) -> None:
        """Close what was idle for long, and the longest idle of too many; one in use stays."""
        last = monotonic() - self._idle_seconds
        for name, session in tuple(self._sessions.items()):
            if session.users or not session.opened.done():
                continue
            if session.used_at < last or len(self._sessions) >= self._most:
                del self._sessions[name]
                if not session.opened.cancelled() and session.opened.exception() is None:
                    asyncio.get_running_loop().run_in_executor(None, session.opened.result().close)
