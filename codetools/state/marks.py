"""What a session has read of each file, so that an edit of a file that changed since can be refused."""

import os
import time

from codetools.core.path import Path
from codetools.core.record import Record
from codetools.state.store import Store


class Mark(Record):
    """The state in which a session last saw a file, and the lines it was shown (1-based, both included)."""

    sha256: str
    mtime_ns: int
    size: int
    first_line: int
    last_line: int


class Marks:
    """The read marks of one store. Paths are absolute."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def record(
        self, session: str, path: str, sha256: str, mtime_ns: int, size: int, first_line: int, last_line: int
    ) -> None:
        """Remember what the session saw; the last look counts. A power cut may lose it."""
        values = (session, os.fsencode(path), sha256, mtime_ns, size, first_line, last_line, time.time())
        self._store.write(
            lambda connection: connection.execute("INSERT OR REPLACE INTO mark VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
        )

    def mark(self, session: str, path: str) -> Mark | None:
        """Return what the session last saw of a file, or None."""
        query = "SELECT sha256, mtime_ns, size, first_line, last_line FROM mark WHERE session = ? AND path = ?"
        values = (session, os.fsencode(path))
        row = self._store.read(lambda connection: connection.execute(query, values).fetchone())
        return Mark(*row) if row else None

    def recent(self, session: str, most: int) -> tuple[Path, ...]:
        """Return the files that the session saw last, the latest first."""
        query = "SELECT path FROM mark WHERE session = ? ORDER BY at DESC LIMIT ?"
        rows = self._store.read(lambda connection: connection.execute(query, (session, most)).fetchall())
        return tuple(Path(os.fsdecode(path)) for (path,) in rows)

    def forget(self, session: str, path: str) -> None:
        """Drop a mark, of a file that the session removed or moved away."""
        values = (session, os.fsencode(path))
        query = "DELETE FROM mark WHERE session = ? AND path = ?"
        self._store.write(lambda connection: connection.execute(query, values))
