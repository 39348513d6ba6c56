"""Below one of our own child processes nothing may be looser than its parent: what loosens is refused."""

import os
from collections.abc import Iterator

from codetools.core.errors import Failure
from codetools.engine.options import Options

MAX_ANCESTORS = 64
PROCESS_NAME = "codetools-run"  # what a codetools that runs a command calls itself; at most 15 characters
DECIDING = ("CODETOOLS_CONFIG", "CODETOOLS_HOME", "CODETOOLS_YOLO", "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")


def refuse_if_looser(options: Options) -> bool:
    """Return whether this call was made below one of our commands; raise `denied` where it would be looser than that.

    `CODETOOLS_LOCK` locks the flags too. A child can drop the variable, so on Linux the ancestors are asked too: a
    codetools that runs a command has marked itself, no child can unmark it, and the variables that choose settings
    must be those it was started with.
    """
    parent = _marked_ancestor()
    flags = {"--yolo": options.yolo, "--approve": options.approve, "--allow": options.allow, "--config": options.config}
    given = [flag for flag, value in flags.items() if value]
    if given and (parent is not None or is_locked()):
        raise Failure("denied", f"{', '.join(given)} is locked here: this call was made below another one.")
    if parent is None:
        return False
    environment = _environment_of(parent)
    changed = [name for name in DECIDING if os.environb.get(name.encode()) != environment.get(name.encode())]
    if changed:
        message = f"{', '.join(changed)} is not what the codetools above this call was started with."
        raise Failure("denied", message, "Leave it as it is.")
    return True


def is_locked() -> bool:
    """Return whether the harness or the codetools above has locked what loosens."""
    return os.environ.get("CODETOOLS_LOCK", "") not in ("", "0") or _marked_ancestor() is not None


def ancestors() -> Iterator[int]:
    """Yield the processes above this one, the nearest first, without the system's own."""
    process = os.getppid()
    for _ in range(MAX_ANCESTORS):
        if process <= 1:
            return
        yield process
        found = _stat(process)
        if found is None:
            return
        process = int(found[1][1])


def started_at(process: int) -> str:
    """Return when a process started, in the kernel's ticks, so that a number used again is told apart; or nothing."""
    found = _stat(process)
    return found[1][19] if found is not None else ""


def _marked_ancestor() -> int | None:
    for process in ancestors():
        found = _stat(process)
        if found is not None and found[0] == PROCESS_NAME:
            return process
    return None


def _stat(process: int) -> tuple[str, list[str]] | None:
    """Return a process's name and what the kernel says after it: state, parent and so on."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            stat = file.read()
    except OSError:
        return None
    name, _, rest = stat.partition("(")[2].rpartition(")")
    return name, rest.split()


def _environment_of(process: int) -> dict[bytes, bytes]:
    try:
        with open(f"/proc/{process}/environ", "rb") as file:
            pairs = file.read().split(b"\0")
    except OSError:
        return {}
    return {name: value for name, _, value in (pair.partition(b"=") for pair in pairs if pair)}
