"""Which tools a session has found besides those that every session is shown."""

import time

from codetools.state.store import Store


class ActiveTools:
    """The activated tools of one store, by session."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def activate(self, session: str, names: tuple[str, ...]) -> None:
        """Show these tools to the rest of a session."""
        rows = [(session, name, time.time()) for name in names]
        query = "INSERT OR IGNORE INTO active_tool VALUES (?, ?, ?)"
        self._store.write(lambda connection: connection.executemany(query, rows))

    def names(self, session: str) -> tuple[str, ...]:
        """Return what a session has activated, the first first."""
        query = "SELECT name FROM active_tool WHERE session = ? ORDER BY at, name"
        return self._store.read(lambda connection: tuple(row[0] for row in connection.execute(query, (session,))))

    def reset(self, session: str) -> tuple[str, ...]:
        """Forget what a session has activated; return what that was."""
        names = self.names(session)
        query = "DELETE FROM active_tool WHERE session = ?"
        self._store.write(lambda connection: connection.execute(query, (session,)))
        return names
