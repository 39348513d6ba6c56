"""Ignore files that no engine should read: so long that they would cost the search.

ripgrep takes seconds and hundreds of megabytes for them, or drops every rule of such a file without a word. Where one
is met, our own walk makes the list of files, and leaves out that file alone.
"""

import os
import stat
import time

MOST_BYTES = 1 << 20
MOST_LINES = 10_000
NAMES = (".gitignore", ".ignore", ".rgignore")
EXCLUDE = ".git/info/exclude"
MOST_LEVELS = 40
LOOK_SECONDS = 5.0

_LEVEL = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC


def is_overgrown_here(directory: int) -> bool:
    """Whether an open directory or one above it holds one."""
    here = os.dup(directory)
    try:
        for _ in range(MOST_LEVELS):
            if any(_is_overgrown(name, here) for name in (*NAMES, EXCLUDE)):
                return True
            above = os.open("..", _LEVEL, dir_fd=here)
            is_top = os.path.samestat(os.fstat(here), os.fstat(above))
            os.close(here)
            here = above
            if is_top:
                return False
    except OSError:
        pass
    finally:
        os.close(here)
    return False


def is_overgrown_below(rg: str, directory: int) -> bool:
    """Whether one lies anywhere below an open directory, as far as that is found out in a few seconds."""
    from codetools.search.child import Child
    from codetools.search.job import Program

    chunks: list[bytes] = []

    def read(chunk: bytes) -> bool:
        chunks.append(chunk)
        return True

    kept = [word for name in NAMES for word in ("--glob", name)]
    words = (rg, "--no-config", "--color=never", "--hidden", "--no-ignore", "--files", "-0", *kept, "--glob", "!.git/")
    with Child(Program((*words, "--", "./"), directory), read, lambda chunk: True) as child:
        child.finish(time.monotonic() + LOOK_SECONDS)
    return any(_is_overgrown(os.fsdecode(path), directory) for path in b"".join(chunks).split(b"\0")[:-1])


def _is_overgrown(name: str, directory: int) -> bool:
    try:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
        if not stat.S_ISREG(status.st_mode) or status.st_size <= MOST_LINES:
            return False
        if status.st_size > MOST_BYTES:
            return True
        descriptor = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
    except OSError:
        return False
    with os.fdopen(descriptor, "rb") as file:
        return file.read(MOST_BYTES).count(b"\n") > MOST_LINES
