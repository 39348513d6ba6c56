"""Pre-images by their hash: small ones in the database, large ones as files that are written once."""

import os
import time

from codetools.core.errors import Failure
from codetools.state import sqlite
from codetools.state.durable import read_if_there, remove_quietly, write_new
from codetools.state.home import make_directory
from codetools.state.store import Store
from codetools.system.replace import sync_directory

INLINE_BYTES = 64 << 10  # up to here a row costs less than a file and its two fsyncs
_MOST_BYTES = 1 << 40
_HASH_CHARS = 64


class Blobs:
    """The contents that undo needs. A blob is durable on return of `save`, and recorded by `record`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._directory = os.path.join(store.home, "blobs")

    def save(self, sha256: str, content: bytes) -> None:
        """Write a large content to its file, durably; a small one needs none."""
        if len(content) <= INLINE_BYTES:
            return
        path = self._path(sha256)
        make_directory(self._directory)
        if _size(path) != len(content):
            temporary = f"{path}.{os.getpid()}-{os.urandom(4).hex()}.tmp"
            try:
                write_new(temporary, content)
                os.rename(temporary, path)
            except OSError as error:
                remove_quietly(temporary)
                raise Failure("io", f"The undo copy {path} cannot be written: {error.strerror}.") from None
        sync_directory(self._directory)

    def record(self, connection: sqlite.Connection, sha256: str, content: bytes) -> None:
        """Record a saved content, inside a transaction."""
        is_inline = len(content) <= INLINE_BYTES
        if not is_inline and _size(self._path(sha256)) != len(content):
            self.save(sha256, content)  # pruned by another process since it was saved
        connection.execute(
            "INSERT INTO blob VALUES (?, ?, ?, ?) ON CONFLICT (sha256) DO UPDATE SET at = excluded.at",
            (sha256, len(content), time.time(), content if is_inline else None),
        )
        self._store.added_bytes += len(content)

    def has(self, connection: sqlite.Connection, sha256: str) -> bool:
        """Whether a content is recorded."""
        return connection.execute("SELECT 1 FROM blob WHERE sha256 = ?", (sha256,)).fetchone() is not None

    def content(self, sha256: str) -> bytes:
        """Return a recorded content, checked against its hash; raise `io` where it is gone or damaged."""
        import hashlib

        row = self._store.read(
            lambda connection: connection.execute("SELECT content FROM blob WHERE sha256 = ?", (sha256,)).fetchone()
        )
        try:
            content = row[0] if row and row[0] is not None else read_if_there(self._path(sha256), _MOST_BYTES)
        except OSError as error:
            raise Failure("io", f"The undo copy {self._path(sha256)}: {error.strerror}.") from None
        if content is None:
            raise Failure("io", f"The undo copy {sha256} is gone: it was older or larger than the limits keep.")
        if hashlib.sha256(content).hexdigest() != sha256:
            raise Failure("io", f"The undo copy {sha256} is damaged.")
        return bytes(content)

    def remove_unrecorded(self, connection: sqlite.Connection, hashes: list[str]) -> None:
        """Remove the files of contents that are not recorded; in a transaction, so that `record` finds them or not."""
        for sha256 in hashes:
            if not self.has(connection, sha256):
                remove_quietly(self._path(sha256))

    def remove_litter(self, before: float) -> None:
        """Remove temporary files older than `before`, left by processes that died."""
        for name in self._names():
            path = self._path(name)
            if len(name) != _HASH_CHARS and os.lstat(path).st_mtime < before:
                remove_quietly(path)

    def saved(self) -> list[str]:
        """Return the hashes that have a file."""
        return [name for name in self._names() if len(name) == _HASH_CHARS]

    def _names(self) -> list[str]:
        try:
            return os.listdir(self._directory)
        except FileNotFoundError:
            return []

    def _path(self, sha256: str) -> str:
        return os.path.join(self._directory, sha256)


def _size(path: str) -> int | None:
    try:
        return os.lstat(path).st_size
    except OSError:
        return None
