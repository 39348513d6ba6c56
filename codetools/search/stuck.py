"""Looks at what an engine has open: frees it from a FIFO named like an ignore file, tells that a file is too large.

ripgrep opens ignore files without looking what they are, and no look ahead can know all that it will meet. So where it
has been silent for a while, it is asked what it waits for: a FIFO opened by us for an instant is an empty file to it.
"""

import os
import stat
from typing import Literal

from codetools.search.long_lines import LARGE_BYTES, path_has_long_line

RULES_FILES = (".gitignore", ".ignore", ".rgignore", "exclude", "ignore")
_OPENING = {"x86_64": {2: 0, 257: 1}, "aarch64": {56: 1}}  # calls that open a file, and which argument names it
_MOST_PATH_BYTES = 4096


def free(pid: int, directory: int | None) -> list[str]:
    """Return the FIFOs that a process was waiting to open as ignore files, now opened; Linux only, else none.

    `directory` is a descriptor of its working directory.
    """
    opening = _OPENING.get(os.uname().machine, {})
    freed = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []
    for thread in threads:
        path = _opened_path(pid, thread, opening)
        if path and os.path.basename(path) in RULES_FILES and _let_go(path, directory):
            freed.append(path.removeprefix("./"))
    return freed


def met_file(pid: int, most_bytes: int | None, known: set[tuple[int, int]] | None) -> Literal["large", "long", ""]:
    """Return whether a process has a file of more bytes open, or one with a line too long to show; Linux only.

    Files in `known` have no such line; those that were looked at join them. Without it no lines are looked at.
    """
    directory = f"/proc/{pid}/fd"
    try:
        for name in os.listdir(directory):
            status = os.stat(f"{directory}/{name}") if int(name) > 2 else None
            if status is None or not stat.S_ISREG(status.st_mode):
                continue
            if most_bytes is not None and status.st_size > most_bytes:
                return "large"
            if known is None or status.st_size <= LARGE_BYTES:
                continue
            if (status.st_dev, status.st_ino) not in known and path_has_long_line(f"{directory}/{name}"):
                return "long"
            known.add((status.st_dev, status.st_ino))
    except OSError:  # it has ended, or closed that one meanwhile
        pass
    return ""


def can_watch() -> bool:
    """Whether what our own processes have open can be seen on this machine."""
    return os.path.isdir("/proc/self/fd")


def _opened_path(pid: int, thread: str, opening: dict[int, int]) -> str:
    """Return the path that a thread is just opening, if it is."""
    try:
        with open(f"/proc/{pid}/task/{thread}/syscall", encoding="ascii") as file:
            number, *arguments = file.read().split()
        place = opening.get(int(number)) if number.isdigit() else None
        if place is None:
            return ""
        with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
            memory.seek(int(arguments[place], 16))
            return os.fsdecode(memory.read(_MOST_PATH_BYTES).partition(b"\0")[0])
    except (OSError, ValueError, OverflowError):  # it has ended or gone on, or may not be looked into
        return ""


def _let_go(path: str, directory: int | None) -> bool:
    try:
        if not stat.S_ISFIFO(os.stat(path, dir_fd=directory).st_mode):
            return False
        os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory))
    except OSError:  # nobody waits any more
        return False
    return True
