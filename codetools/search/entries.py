"""What directories hold, read through open descriptors: rows for ls, times and sizes for glob."""

import os
import stat
from collections.abc import Iterable

from codetools.core.path import Path
from codetools.core.record import Record
from codetools.system.bounded import ObjectKind, kind_of

_LEVEL = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Entry(Record):
    """One name in a directory. `size` and `mtime` (seconds since the epoch) are its own, `target` is a link's."""

    name: str
    kind: ObjectKind
    size: int
    mtime: float
    target: Path | None = None


def read_entries(directory: int) -> list[Entry]:
    """Return what an open directory holds, by name."""
    found = (read_entry(directory, name) for name in sorted(os.listdir(directory), key=os.fsencode))
    return [entry for entry in found if entry is not None]


def read_entry(directory: int, name: str) -> Entry | None:
    """Return one entry of an open directory; None where it is gone. `name` may lead into directories below."""
    try:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
        target = Path(os.readlink(name, dir_fd=directory)) if stat.S_ISLNK(status.st_mode) else None
    except OSError:
        return None
    return Entry(name, kind_of(status), status.st_size, status.st_mtime, target)


def newest(directory: int, paths: Iterable[str]) -> list[str]:
    """Return paths below an open directory that are still there, newest first, then by name."""
    return [path for path, *_ in newest_first(directory, paths)]


def newest_first(directory: int, paths: Iterable[str]) -> list[tuple[str, int, float]]:
    """Return (path, size, mtime) of the files below an open directory that are still there, newest first."""
    rows = [(-mtime, path, size) for path, size, mtime in read_times(directory, paths)]
    rows.sort()
    return [(path, size, -mtime) for mtime, path, size in rows]


def read_times(directory: int, paths: Iterable[str]) -> list[tuple[str, int, float]]:
    """Return (path, size, mtime) of the files below an open directory that are still there, through no link (I3)."""
    names: dict[str, list[str]] = {}
    for path in paths:
        parent, _, name = path.rpartition("/")
        names.setdefault(parent, []).append(name)
    rows = []
    for parent, of_parent in names.items():
        try:
            descriptor = _enter(directory, parent)
        except OSError:
            continue
        try:
            for name in of_parent:
                try:
                    status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                except OSError:
                    continue
                rows.append((f"{parent}/{name}" if parent else name, status.st_size, status.st_mtime))
        finally:
            os.close(descriptor)
    return rows


def _enter(directory: int, path: str) -> int:
    """Open a directory some levels below another, no level of which may be a link by now."""
    descriptor = os.dup(directory)
    for name in filter(None, path.split("/")):
        try:
            below = os.open(name, _LEVEL, dir_fd=descriptor)
        finally:
            os.close(descriptor)
        descriptor = below
    return descriptor
