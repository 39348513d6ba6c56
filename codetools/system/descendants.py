"""Which processes live below one, as /proc tells; elsewhere than Linux nobody is known."""

import os

from codetools.core.record import Record


class _Stat(Record):
    name: str
    state: str
    parent: int


def descendants(top: int) -> list[tuple[int, str]]:
    """Return pid and name of every living process below one, parents first."""
    below: dict[int, list[int]] = {}
    names: dict[int, str] = {}
    try:
        numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    for pid in numbers:
        stat = _stat(pid)
        if stat is not None:
            below.setdefault(stat.parent, []).append(pid)
            names[pid] = "" if stat.state in "ZX" else stat.name
    found, queue = [], list(below.get(top, ()))
    while queue:
        pid = queue.pop(0)
        queue.extend(below.get(pid, ()))
        if names[pid]:
            found.append((pid, names[pid]))
    return found


def _stat(pid: int) -> _Stat | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            head, _, tail = file.read().rpartition(b")")
    except OSError:
        return None
    state, parent = tail.split()[:2]
    return _Stat(head.partition(b"(")[2].decode("utf-8", "replace"), state.decode(), int(parent))
