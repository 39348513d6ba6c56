"""What a call has decided to change and has not changed yet."""

import os
from collections.abc import Callable
from typing import Literal

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.files.document import Document
from codetools.files.workspace import Location

MAX_HELD_BYTES = 32 << 20  # of the files in memory that one call removes or brings back; of the others the hash


class Form(Record):
    """How a path that is made again has to look: what undo restores beyond the bytes.

    `mode` is permission bits; where it is None, an existing file keeps its own and gets only attributes that it lacks.
    """

    mode: int | None = None
    xattrs: tuple[tuple[str, bytes], ...] = ()
    link: str | None = None  # a symbolic link's target; then there is no content


class Stored(Record):
    """A content too much to hold: `load` returns it by its hash whenever it is needed."""

    sha256: str
    size: int
    load: Callable[[str], bytes]


class Staged(Record):
    """One path's new state.

    `content` is what will stand there (create and modify), `stored` the same where it is too much to hold; `before` is
    what stood there as a regular file; `was` says what a deleted or moved path was. `source` is where a moved path
    came from.
    """

    kind: Literal["create", "modify", "delete", "move", "mkdir"]
    location: Location
    content: bytes | None = None
    before: Document | None = None
    was: Literal["file", "directory", "link", ""] = ""
    was_link: str | None = None
    source: Location | None = None
    form: Form = Form()
    stored: Stored | None = None

    def content_after(self) -> bytes | None:
        """Return the regular file's content that will stand there, or None where none will."""
        if self.kind == "move" and self.before is not None:
            return self.before.content
        if self.stored is not None:
            return self.stored.load(self.stored.sha256)
        return self.content if self.form.link is None else None

    def size_after(self) -> int | None:
        """Return the bytes of a new content, or None where there is none."""
        if self.stored is not None:
            return self.stored.size
        return None if self.content is None else len(self.content)


class Staging:
    """The staged changes of one call, in order; a second change of a path joins the first where they are one.

    `frees_links` is whether the name of a link may become another object's.
    """

    def __init__(self) -> None:
        self._by_path: dict[str, Staged] = {}
        self._before: list[Staged] = []  # what makes room for another object of the same name
        self._left: set[str] = set()
        self._held_bytes = 0
        self.frees_links = False

    def all(self) -> tuple[Staged, ...]:
        """Return what will be committed."""
        return (*self._before, *self._by_path.values())

    def at(self, reached: str) -> Staged | None:
        """Return what will become of a path."""
        return self._by_path.get(reached)

    def is_gone(self, reached: str) -> bool:
        """Whether what is at the path now will no longer be there; what is in a moved directory goes along."""
        staged = self._by_path.get(reached)
        if staged is not None:
            return staged.kind == "delete"
        while self._left and reached not in self._left and reached != "/":
            reached = os.path.dirname(reached)
        return reached in self._left

    def lightened(self, staged: Staged) -> Staged:
        """Return the removal of a file without what it held, once that is too much to hold."""
        if staged.before is None:
            return staged
        self._held_bytes += staged.before.size
        if self._held_bytes <= MAX_HELD_BYTES:
            return staged
        return staged.but(before=staged.before.but(content=b"", is_held=False))

    def add(self, staged: Staged) -> None:
        """Add a change, or join it to the one that its path already has."""
        path = str(staged.location.reached)
        earlier = self._by_path.pop(path, None)
        if earlier is not None and _makes_room(earlier, staged):
            self._before.append(earlier)
            joined: Staged | None = staged
        else:
            joined = staged if earlier is None else _join(earlier, staged)
        if joined is not None:
            self._by_path[path] = joined
        if staged.source is not None:
            self._left.add(str(staged.source.reached))
        self.frees_links |= staged.was == "link"


def _makes_room(earlier: Staged, later: Staged) -> bool:
    """Whether a name is first freed and then taken by another kind of object."""
    if earlier.kind != "delete" or later.kind not in ("create", "mkdir", "move"):
        return False
    return not (later.kind == "create" and earlier.was == "file" and later.form.link is None)


def _join(earlier: Staged, later: Staged) -> Staged | None:
    pair = (earlier.kind, later.kind)
    if pair in (("create", "modify"), ("modify", "modify")):
        return earlier.but(content=later.content, stored=None)
    if pair == ("create", "delete"):
        return None
    if pair == ("modify", "delete"):
        return later.but(before=earlier.before)
    if pair == ("delete", "create"):
        if earlier.before is not None and not earlier.before.is_held:
            message = f"{later.location.written} is removed and made anew in a call that removes very much."
            raise Failure("io", message, "Nothing was changed; make two calls of it.")
        return later.but(kind="modify", before=earlier.before)
    if pair == ("mkdir", "mkdir"):
        return earlier
    raise Failure("usage", f"{later.location.written} is changed twice in one call in a way that does not add up.")
