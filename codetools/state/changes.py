"""What the journal holds: groups of entries, and what stood at each path before."""

from typing import Literal

from codetools.core.path import Path
from codetools.core.record import Record


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

    `additions` and `removals` count lines, where the content is text.
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
