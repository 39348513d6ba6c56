"""Reading that cannot hang, and never takes more than asked: regular files only, opened without waiting."""

import errno
import os
import stat
from collections.abc import Iterator
from typing import Literal

from codetools.core.errors import Failure, from_os_error
from codetools.system.confined import Pinned, is_procfs

CHUNK_BYTES = 1 << 18
COMPARED_BYTES = 1 << 20
READING = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY | os.O_NOFOLLOW
LISTING = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW

ObjectKind = Literal["file", "directory", "link", "FIFO", "socket", "device"]

_KINDS: dict[int, ObjectKind] = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "directory",
    stat.S_IFLNK: "link",
    stat.S_IFIFO: "FIFO",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "device",
    stat.S_IFBLK: "device",
}


def kind_of(status: os.stat_result) -> ObjectKind:
    """Return what an object is: file, directory, link, FIFO, socket or device."""
    return kind_of_mode(status.st_mode)


def kind_of_mode(mode: int) -> ObjectKind:
    """Return the same of a mode alone."""
    return _KINDS.get(stat.S_IFMT(mode), "device")


def open_file(pinned: Pinned, shown: str) -> int:
    """Open a regular file for reading; raise `not_found`, `is_a_directory`, `not_a_file` or `io`."""
    if pinned.status is None:
        raise Failure("not_found", f"{shown}: no such file or directory.")
    _refuse_kind(pinned.status, shown)
    try:
        descriptor = os.open(pinned.name, READING, dir_fd=pinned.parent)
    except OSError as error:
        raise _open_failure(error, shown) from None
    try:
        refuse_unreadable(os.fstat(descriptor), shown, descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def open_directory(pinned: Pinned, shown: str) -> int:
    """Open a directory so that it can be listed; raise `not_found` or `io`."""
    try:
        return os.open(pinned.name, LISTING, dir_fd=pinned.parent)
    except NotADirectoryError:
        raise Failure("not_found", f"{shown} is not a directory.") from None
    except OSError as error:
        raise from_os_error(error, shown) from None


def refuse_unreadable(status: os.stat_result, shown: str, descriptor: int | None = None) -> None:
    """Raise `is_a_directory` or `not_a_file` for anything whose bytes may not end or whose reading may act."""
    _refuse_kind(status, shown)
    if is_procfs(status, descriptor):
        raise Failure("not_a_file", f"{shown} is made up by the kernel as it is read, not a file.", "Use bash for it.")


def _refuse_kind(status: os.stat_result, shown: str) -> None:
    kind = kind_of(status)
    if kind == "directory":
        raise Failure("is_a_directory", f"{shown} is a directory.")
    if kind != "file":
        raise Failure("not_a_file", f"{shown} is a {kind}, not a file.")


def read_chunks(descriptor: int, shown: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
    """Yield a file's bytes from `start` to `end` or its end, leaving out holes: they hold no line and no text."""
    position = start
    while end is None or position < end:
        try:
            chunk = os.pread(descriptor, CHUNK_BYTES if end is None else min(CHUNK_BYTES, end - position), position)
        except OSError as error:
            raise from_os_error(error, shown) from None
        if not chunk:
            return
        yield chunk
        position += len(chunk)
        if not chunk[0] and chunk.count(0) == len(chunk):
            position = _next_data(descriptor, position)


def read_all(descriptor: int, limit_bytes: int, shown: str) -> bytes | None:
    """Return a file's bytes, or None where it holds more than `limit_bytes`."""
    expected = os.fstat(descriptor).st_size
    if expected > limit_bytes:
        return None
    parts: list[bytes] = []
    position = 0
    try:
        # room for what is expected, and to see that it grew: a buffer that is given back costs more than a small file
        while chunk := os.pread(descriptor, expected + 1 - position if position <= expected else CHUNK_BYTES, position):
            parts.append(chunk)
            position += len(chunk)
            if position > limit_bytes:
                return None
            if position == expected and os.fstat(descriptor).st_size == expected:
                break
    except OSError as error:
        raise from_os_error(error, shown) from None
    return parts[0] if len(parts) == 1 else b"".join(parts)


def holds(descriptor: int, content: bytes) -> bool:
    """Whether a file's bytes are exactly these, compared piece by piece; raise OSError."""
    if os.fstat(descriptor).st_size != len(content):
        return False
    buffer = bytearray(min(COMPARED_BYTES, len(content) + 1))
    view, wanted = memoryview(buffer), memoryview(content)
    position = 0
    while count := os.preadv(descriptor, [buffer], position):
        # a bytearray is compared as a whole, a view item by item
        if (buffer if count == len(buffer) else bytearray(view[:count])) != wanted[position : position + count]:
            return False
        position += count
    return position == len(content)


def _next_data(descriptor: int, position: int) -> int:
    """Return where the next bytes lie that are not a hole; a file system without holes says `position`."""
    try:
        return os.lseek(descriptor, position, os.SEEK_DATA)
    except OSError as error:
        return os.fstat(descriptor).st_size if error.errno == errno.ENXIO else position
    except AttributeError:
        return position


def _open_failure(error: OSError, shown: str) -> Failure:
    if error.errno == errno.ELOOP:
        return Failure("stale", f"{shown}: a link has taken its place.", "Run the call again.")
    if error.errno == errno.EACCES:
        return Failure("io", f"{shown} cannot be read: permission denied.", "Change its mode, or read another file.")
    return from_os_error(error, shown)
