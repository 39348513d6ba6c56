"""What the journal holds: groups of entries, and what stood at each path before."""

from collections.abc import Iterator
from typing import Literal

from codetools.core.path import Path
from codetools.core.record import Record

FEW_ENTRIES = 3


class PreImage(Record):
    """What stood at a path. `mode` is the whole st_mode, so a directory is known by it.

    `content` is given to `begin` for a regular file, or was given to `keep` before; what the journal returns has None
    there, and `Journal.content(sha256)` loads it. `link` is a symbolic link's target.
    """

    sha256: str
    size: int
    mode: int
    content: bytes | None = None
    link: str | None = None
    xattrs: tuple[tuple[str, bytes], ...] = ()


class Entry(Record):
    """One path's change. `path` and `source` (of a move) are absolute. `after_…` is None where nothing stays.

    `additions` and `removals` count lines, where the content is text. `temporary` is the absolute path of what is laid
    beside `path` while the change is made.
    """

    path: Path
    kind: Literal["create", "modify", "delete", "move", "mkdir"]
    source: Path | None = None
    before: PreImage | None = None
    after_sha256: str | None = None
    after_mode: int | None = None
    after_link: str | None = None
    additions: int = 0
    removals: int = 0
    temporary: Path | None = None


class Group(Record):
    """The changes of one call, undone together.

    `undoes` is the group that this one undid, or the newest of several; `also_undoes` are the others, newest first.
    """

    id: str
    tool: str
    session: str | None
    root: Path
    at: float
    status: Literal["intent", "committed", "aborted", "undone"]
    undoes: str | None
    entries: tuple[Entry, ...]
    also_undoes: tuple[str, ...] = ()


def topmost(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return the entries whose path lies below no other of them: what a person calls the change of a whole tree.

    A few entries are all returned, and so is every move.
    """
    if len(entries) <= FEW_ENTRIES:
        return entries
    paths = {str(entry.path) for entry in entries}
    return tuple(
        entry for entry in entries if entry.kind == "move" or not any(above in paths for above in _above(entry.path))
    )


def rebased(path: Path, old: Path, new: Path) -> Path | None:
    """Return where a path is once `old` is called `new`; None where it does not lie there."""
    if path == old:
        return new
    return Path(new + path[len(old) :]) if path.startswith(f"{old}/") else None


def _above(path: str) -> Iterator[str]:
    while (path := path.rpartition("/")[0]) != "":
        yield path
