"""Every decision as one appended JSON line, denials included; no store, so that a read stays cheap."""

import errno
import fcntl
import json
import os
import stat
from typing import Any

from codetools.state.home import FILE_MODE, make_directory

NAME = "audit.jsonl"
ROTATE_BYTES = 64 << 20
ROTATED_FILES = 4  # audit.jsonl.1 is the newest

_encode = json.JSONEncoder(separators=(",", ":"), default=str).encode


def append(home: str, records: list[dict[str, Any]]) -> None:
    """Append one line per record, all by one write, so that lines of many processes never mix.

    Raises OSError, or `io` for the directory. A file that has grown past ROTATE_BYTES is renamed first; the oldest of
    ROTATED_FILES goes.
    """
    lines = "".join(_encode(record) + "\n" for record in records)
    path = os.path.join(home, NAME)
    try:
        descriptor = _open(path)
    except FileNotFoundError:
        make_directory(home)
        descriptor = _open(path)
    try:
        status = os.fstat(descriptor)
        size = status.st_size
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        if size >= ROTATE_BYTES:
            _rotate(path, descriptor)
            os.close(descriptor)
            descriptor = _open(path)
        elif size and os.pread(descriptor, 1, size - 1) != b"\n":
            lines = "\n" + lines  # a disk was full in the middle of the last one
        content = lines.encode("ascii")
        if os.write(descriptor, content) != len(content):
            raise OSError(errno.ENOSPC, "the audit line was cut short", path)
    finally:
        os.close(descriptor)


def _open(path: str) -> int:
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
    return os.open(path, flags, FILE_MODE)


def _rotate(path: str, descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return  # another process is at it
    if not os.path.samestat(os.fstat(descriptor), os.stat(path)):
        return  # another process has done it
    for number in range(ROTATED_FILES - 1, 0, -1):
        if os.path.exists(f"{path}.{number}"):
            os.rename(f"{path}.{number}", f"{path}.{number + 1}")
    os.rename(path, f"{path}.1")
