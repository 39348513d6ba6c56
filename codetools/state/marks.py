"""What a session has read of each file, so that an edit of a file that changed since can be refused."""

import os
import time

from codetools.core.path import Path
from codetools.core.record import Record
from codetools.state import sqlite
from codetools.state.store import Store

KEPT_BYTES = 64 << 10  # of one file's content
KEPT_FILES = 100  # of one session: the contents of those it saw last
_COMPRESSION = 1
_SMALL_BYTES = 4096
_SMALL_WINDOW_BITS, _SMALL_MEMORY = 12, 5  # for so much: the usual quarter of a megabyte costs more than the rest
_RENEW = (
    "UPDATE mark SET sha256 = ?, mtime_ns = ?, size = ?, first_line = ?, last_line = ?, at = ?, packed = ?"
    " WHERE session = ? AND path = ? AND packed NOT NULL"
)


class Mark(Record):
    """The state in which a session last saw a file, and the lines it was shown (1-based, both included).

    `last_line` is 0 where the session wrote the file itself.
    """

    sha256: str
    mtime_ns: int
    size: int
    first_line: int
    last_line: int


class Marks:
    """The read marks of one store. Paths are absolute."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def record(self, session: str, path: str, mark: Mark, content: bytes | None = None) -> None:
        """Remember what the session saw; the last look counts. A power cut may lose it.

        `content` is kept as well, of files up to KEPT_BYTES and of the KEPT_FILES that were seen last.
        """
        self._store.write(lambda connection: put(connection, session, path, mark, content))

    def mark(self, session: str, path: str) -> Mark | None:
        """Return what the session last saw of a file, or None."""
        query = "SELECT sha256, mtime_ns, size, first_line, last_line FROM mark WHERE session = ? AND path = ?"
        values = (session, os.fsencode(path))
        row = self._store.read(lambda connection: connection.execute(query, values).fetchone())
        return Mark(*row) if row else None

    def content(self, session: str, path: str) -> bytes | None:
        """Return what the file held when the session last saw it, where that was kept."""
        import zlib

        values = (session, os.fsencode(path))
        query = "SELECT packed FROM mark WHERE session = ? AND path = ?"
        row = self._store.read(lambda connection: connection.execute(query, values).fetchone())
        return zlib.decompress(row[0]) if row and row[0] is not None else None

    def recent(self, session: str, most: int) -> tuple[Path, ...]:
        """Return the files that the session saw last, the latest first."""
        query = "SELECT path FROM mark WHERE session = ? ORDER BY at DESC LIMIT ?"
        rows = self._store.read(lambda connection: connection.execute(query, (session, most)).fetchall())
        return tuple(Path(os.fsdecode(path)) for (path,) in rows)


def put(connection: sqlite.Connection, session: str, path: str, mark: Mark, content: bytes | None) -> None:
    """Do what `record` does, in the transaction of something else."""
    packed = None
    if content is not None and len(content) <= KEPT_BYTES:
        packed = _packed(content)
    state = (mark.sha256, mark.mtime_ns, mark.size, mark.first_line, mark.last_line, time.time(), packed)
    named = (session, os.fsencode(path))
    if packed is not None and connection.execute(_RENEW, (*state, *named)).rowcount:
        return  # one content for another: no more are kept than before
    connection.execute("INSERT OR REPLACE INTO mark VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*named, *state))
    if packed is not None:
        connection.execute(
            "UPDATE mark SET packed = NULL WHERE session = ? AND path IN (SELECT path FROM mark"
            " WHERE session = ? AND packed NOT NULL ORDER BY at DESC LIMIT -1 OFFSET ?)",
            (session, session, KEPT_FILES),
        )


def forget(connection: sqlite.Connection, session: str, path: str) -> None:
    """Drop a mark, of a file that the session removed or moved away, in the transaction of something else."""
    connection.execute("DELETE FROM mark WHERE session = ? AND path = ?", (session, os.fsencode(path)))


def _packed(content: bytes) -> bytes:
    import zlib

    if len(content) > _SMALL_BYTES:
        return zlib.compress(content, _COMPRESSION)
    small = zlib.compressobj(_COMPRESSION, zlib.DEFLATED, _SMALL_WINDOW_BITS, _SMALL_MEMORY)
    return small.compress(content) + small.flush()
