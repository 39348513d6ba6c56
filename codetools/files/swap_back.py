"""A swap taken back without losing what a program that knows no locks has written to the new file meanwhile."""

import os
import time

from codetools.system import replace
from codetools.system.bounded import READING, read_all
from codetools.system.writers import has_writer

WRITER_SECONDS = 1.0  # for a program that has the file open to be done with it
PAUSE_SECONDS = 0.002
MOST_ADDED_BYTES = 64 << 20

Identity = tuple[int, int]


def swap_back(parent: int, name: str, temporary: str, laid: Identity, content: bytes) -> None:
    """Give the file that was displaced its name back; `laid` is the new file, which held `content`.

    What was appended to the new file is appended to the old one. Where another program has put a file of its own there,
    or has written ours anew, its content stays: it would have replaced the old one as well.
    """
    if _identity(parent, name) != laid:
        return
    replace.exchange(parent, temporary, name)
    if _identity(parent, temporary) != laid:
        replace.exchange(parent, temporary, name)  # it was put there just now
        return
    descriptor = os.open(temporary, READING, dir_fd=parent)
    try:
        wait_for_writers(descriptor)
        found = read_all(descriptor, os.fstat(descriptor).st_size + MOST_ADDED_BYTES, name)
    finally:
        os.close(descriptor)
    if found is None or not found.startswith(content):
        replace.exchange(parent, temporary, name)
    elif len(found) > len(content):
        _append(parent, name, found[len(content) :])


def wait_for_writers(descriptor: int) -> bool:
    """Return whether no program has the file open for writing, or none any more within a moment."""
    until = time.monotonic() + WRITER_SECONDS
    while has_writer(descriptor):
        if time.monotonic() >= until:
            return False
        time.sleep(PAUSE_SECONDS)
    return True


def _identity(parent: int, name: str) -> Identity | None:
    try:
        found = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None
    return (found.st_dev, found.st_ino)


def _append(parent: int, name: str, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
    descriptor = os.open(name, flags, dir_fd=parent)
    try:
        while content:
            content = content[os.write(descriptor, content) :]
    finally:
        os.close(descriptor)
