"""Rules that a person allowed "for this session", in the workspace where they were asked."""

import os
import time

from codetools.state.store import Store


class SessionRules:
    """The rules of one store by session and workspace root, as text."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, session: str, root: str, rule: str) -> None:
        """Remember a rule for the rest of a session."""
        values = (session, os.fsencode(root), rule, time.time())
        query = "INSERT OR REPLACE INTO session_rule VALUES (?, ?, ?, ?)"
        self._store.write(lambda connection: connection.execute(query, values))

    def rules(self, session: str, root: str) -> tuple[str, ...]:
        """Return the rules of a session in a workspace, oldest first."""
        query = "SELECT rule FROM session_rule WHERE session = ? AND root = ? ORDER BY at, rule"
        values = (session, os.fsencode(root))
        return self._store.read(lambda connection: tuple(row[0] for row in connection.execute(query, values)))

    def clear(self, session: str) -> None:
        """Forget every rule of a session, when it ends."""
        query = "DELETE FROM session_rule WHERE session = ?"
        self._store.write(lambda connection: connection.execute(query, (session,)))
