"""Which process began something, so that what it left open when it died can be told from what it is still doing."""

import os

_named: dict[int, str] = {}  # this process by its pid, so that a child of it does not take its name


def this_process() -> str:
    """Return a name for this process that no later one has: pid, start time and boot."""
    pid = os.getpid()
    if pid not in _named:
        _named[pid] = f"{pid}:{_started(pid)}:{_boot()}"
    return _named[pid]


def is_alive(process: str) -> bool:
    """Whether the process of that name still runs. Without /proc a pid in use counts as alive."""
    pid, started, boot = process.split(":")
    if boot != _boot():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return started == _started(int(pid))


def _started(pid: int) -> str:
    """Return the start time in the kernel's ticks, or nothing of one that has ended, even where nobody took that in."""
    line = _line(f"/proc/{pid}/stat")
    fields = line.rpartition(")")[2].split() if line else []
    return fields[19] if fields and fields[0] not in "ZX" else ""


def _boot() -> str:
    return _line("/proc/sys/kernel/random/boot_id").strip()


def _line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline()
    except OSError:
        return ""
