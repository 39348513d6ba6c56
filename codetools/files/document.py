"""What a tool holds of a file: its whole content, a stream of it, or a directory's row about it."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from types import TracebackType
from typing import Any, Self

from codetools.core.path import Path
from codetools.core.record import Record
from codetools.files.workspace import Location
from codetools.system.bounded import CHUNK_BYTES, ObjectKind, read_all, read_chunks

SMALL_BYTES = 1 << 19
BLOCK_BYTES = 512  # of `st_blocks`, whatever the file system's own are


class Document(Record):
    """A regular file as it was at one moment. `is_staged`: this call made the content, the disk has another.

    Where `is_held` is False the content was too much to hold, and only its size and hash are known.
    """

    location: Location
    content: bytes
    sha256: str
    size: int
    mtime_ns: int
    mode: int = 0
    device: int = 0
    inode: int = 0
    links: int = 1
    is_staged: bool = False
    is_held: bool = True


class Entry(Record):
    """One name in a directory. `target` is that of a link; sizes and times are those of the entry itself."""

    name: Path
    kind: ObjectKind
    size: int
    mtime_ns: int
    target: Path | None = None


class OpenFile:
    """A regular file open for reading in pieces; use it in a `with`. A staged file is read from memory."""

    def __init__(self, location: Location, shown: str, descriptor: int, staged: bytes | None = None) -> None:
        self.location = location
        self._shown = shown
        self._descriptor = descriptor
        self._staged = staged
        status = os.fstat(descriptor) if staged is None else None
        self.size = status.st_size if status else len(staged or b"")
        self.mtime_ns = status.st_mtime_ns if status else 0
        self.is_sparse = status is not None and status.st_blocks * BLOCK_BYTES < status.st_size

    def chunks(self) -> Iterator[bytes]:
        """Yield the content from its start; holes of a sparse file, and what it grew by since, are left out."""
        if self._staged is None:
            return read_chunks(self._descriptor, self._shown, end=self.size or None)
        staged = self._staged
        return (staged[start : start + CHUNK_BYTES] for start in range(0, len(staged), CHUNK_BYTES))

    def content(self, limit_bytes: int) -> bytes | None:
        """Return the whole content, or None where it is longer than `limit_bytes`."""
        if self._staged is None:
            return read_all(self._descriptor, limit_bytes, self._shown)
        return self._staged if len(self._staged) <= limit_bytes else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)


def document_of(location: Location, content: bytes, status: os.stat_result) -> Document:
    """Return a file that was read whole."""
    return Document(
        location=location,
        content=content,
        sha256=hash_of(content),
        size=len(content),
        mtime_ns=status.st_mtime_ns,
        mode=status.st_mode,
        device=status.st_dev,
        inode=status.st_ino,
        links=status.st_nlink,
    )


def hash_of(content: bytes) -> str:
    """Return the SHA-256 of a content in hexadecimal."""
    return str(_sha256(is_small=len(content) <= SMALL_BYTES)(content).hexdigest())


def hash_file(descriptor: int) -> str:
    """Return the SHA-256 of a file's present content, read piece by piece."""
    digest = _sha256(is_small=False)()
    position = 0
    while chunk := os.pread(descriptor, CHUNK_BYTES, position):
        digest.update(chunk)
        position += len(chunk)
    return str(digest.hexdigest())


@cache
def _sha256(*, is_small: bool) -> Any:
    """Return the built-in hash for a small content: to import `hashlib` takes longer than to hash it."""
    if is_small:
        with suppress(ImportError):
            return __import__("_sha2" if sys.version_info >= (3, 12) else "_sha256").sha256
    import hashlib

    return hashlib.sha256
