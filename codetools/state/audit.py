"""Every decision as one appended JSON line, denials included; no store, so that a read stays cheap."""

import fcntl
import json
import os
from typing import Any

from codetools.state.home import FILE_MODE, make_directory

NAME = "audit.jsonl"
ROTATE_BYTES = 64 << 20
ROTATED_FILES = 4  # audit.jsonl.1 is the newest


def append(home: str, records: list[dict[str, Any]]) -> None:
    """Append one line per record, all by one write, so that lines of many processes never mix.

    Raises OSError, or `io` for the directory. A file that has grown past ROTATE_BYTES is renamed first; the oldest of
    ROTATED_FILES goes.
    """
    lines = "".join(json.dumps(record, separators=(",", ":"), default=str) + "\n" for record in records)
    path = os.path.join(home, NAME)
    try:
        descriptor = _open(path)
    except FileNotFoundError:
        make_directory(home)
        descriptor = _open(path)
    try:
        if os.fstat(descriptor).st_size >= ROTATE_BYTES:
            _rotate(path, descriptor)
            os.close(descriptor)
            descriptor = _open(path)
        content = lines.encode("ascii")
        if os.write(descriptor, content) != len(content):
            os.write(descriptor, b"\n")  # keeps the next line whole; fails with the reason where the disk is full
            raise OSError(0, "the audit line was cut short", path)
    finally:
        os.close(descriptor)


def _open(path: str) -> int:
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
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
