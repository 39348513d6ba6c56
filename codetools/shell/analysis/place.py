"""Where a command is to run, and which files its words may mean there."""

import os
from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING, Literal

from codetools.config.glob import match_name
from codetools.core.access import PathAccess
from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.files.workspace import Workspace
from codetools.shell.analysis.options import NotReading
from codetools.shell.analysis.reading import Shown

if TYPE_CHECKING:
    from codetools.shell.analysis.repository import Repository

MOST_DIRECTORIES = 16
MOST_COMPARED = 1000  # names in a directory that diff is given


class Place(Record):
    """Where a command is to run and what it may show there.

    `may_show` answers for one path: the gate's own. `hidden` are the names that a search of whole trees passes over,
    `banned` the programs that need a rule of their own.
    """

    workspace: Workspace
    directory: str  # absolute, free of links
    may_show: Callable[[PathAccess], bool]
    banned: tuple[str, ...]
    hidden: tuple[str, ...]

    @property
    def roots(self) -> tuple[str, ...]:
        """The trees of the workspace."""
        return tuple(root.path for root in self.workspace.roots)


class Grounds:
    """The directories that a command may run in.

    `has_moved` once a `cd` stands before it, `is_lost` where one of them cannot be known.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._found: dict[tuple[str, str], PathAccess] = {}
        self._repositories: tuple[Repository | None] | None = None
        self.directories = {place.directory}
        self.has_moved = False
        self.is_lost = False

    def repository(self) -> "Repository | None":
        """Return the repository that git would find from the first directory; it is looked at once."""
        from codetools.shell.analysis.repository import find_repository

        if self._repositories is None:
            self._repositories = (find_repository(self._place.directory, self._place.roots),)
        return self._repositories[0]

    def enter(self, written: str, *, may_be_made: bool = False) -> None:
        """Take in a `cd`, which may succeed or fail, or run in a shell of its own; raise NotReading."""
        self.has_moved = True
        if len(self.directories) >= MOST_DIRECTORIES:
            self.is_lost = True
            raise NotReading("it changes its directory too often to follow")
        for directory in tuple(self.directories):
            found = os.path.realpath(os.path.join(directory, written))
            if os.path.realpath(os.path.normpath(os.path.join(directory, written))) != found:
                self.is_lost = True
                raise NotReading(f"{written} means one directory to the shell and another to programs")
            if os.path.isdir(found) or may_be_made:
                self.directories.add(found)

    def enter_all(self, targets: Iterable[str | None]) -> None:
        """Take in every `cd` of a script in which they may run in any order; None is one that cannot be known."""
        wanted = list(dict.fromkeys(targets))
        self.has_moved = self.has_moved or bool(wanted)
        if None in wanted:
            self.is_lost = True
        before = 0
        while not self.is_lost and len(self.directories) != before:
            before = len(self.directories)
            try:
                for target in wanted:
                    self.enter(target or ".", may_be_made=len(self.directories) < MOST_DIRECTORIES // 2)
            except NotReading:
                self.is_lost = True

    def accesses(self, shown: Shown) -> tuple[PathAccess, ...]:
        """Return what a path may mean; raise NotReading where it cannot be told, or a link leads out."""
        if self.is_lost and not shown.path.startswith("/"):
            raise NotReading(f"which directory {shown.path} starts from is not known")
        found = []
        for path in self._paths(shown.path):
            try:
                location = self._place.workspace.locate(path)
                reached = os.path.realpath(path)
            except (Failure, OSError, ValueError):
                raise NotReading(f"{shown.path} leads out of the workspace or cannot be resolved") from None
            if location.reached != reached:
                raise NotReading(f"{shown.path} means one file to us and may mean another to the program")
            found.append(
                PathAccess(
                    shown.action,
                    location.written,
                    location.reached,
                    location.inside,
                    location.root,
                    location.writable,
                )
            )
        return tuple(found)

    def changes(self, path: str) -> tuple[PathAccess, ...]:
        """Return what a path to be changed may mean; where a link leads out of the workspace, the place out there."""
        return tuple(self._change(each) for each in self._paths(path))

    def check(self, shown: Shown) -> tuple[PathAccess, ...]:
        """Return what a path may mean; raise NotReading where it may not be shown without asking."""
        accesses = self.accesses(shown)
        for access in accesses:
            if not self._place.may_show(access):
                where = "may not be shown without asking" if access.inside else "lies outside the workspace"
                raise NotReading(f"{shown.path} {where}")
        return accesses

    def refuse_parts_of_hidden(self, searched: Iterable[PathAccess]) -> None:
        """Refuse a search from below where a hidden `conf/*.key` begins: passing over would miss it there."""
        parted = (pattern.partition("/") for pattern in self._place.hidden)
        firsts = [name.casefold() for name, _, more in parted if more and name not in ("", "!")]
        for access in searched:
            for path in (access.written, access.reached):
                for part in path.removeprefix(access.root).casefold().split("/"):
                    if any(match_name(first, part) for first in firsts):
                        raise NotReading(f"{access.written} may hold names that are not shown without asking")

    def refuse_directories_with_links(self, compared: Iterable[PathAccess]) -> None:
        """Refuse to compare directories that hold links: these are followed, and no word tells where they lead."""
        for access in compared:
            try:
                with os.scandir(access.reached) as entries:
                    names = list(islice(entries, MOST_COMPARED + 1))
            except OSError:  # a file, most of the time
                continue
            if len(names) > MOST_COMPARED or any(entry.is_symlink() for entry in names):
                raise NotReading(f"{access.written} holds links or too many names, and diff would follow a link")

    def _paths(self, path: str) -> list[str]:
        if path.startswith("/"):
            return [path]
        return [os.path.join(directory, path) for directory in sorted(self.directories)]

    def _change(self, path: str) -> PathAccess:
        key: tuple[Literal["edit"], str] = ("edit", path)
        if key not in self._found:
            try:
                found = self._place.workspace.locate(path)
                access = PathAccess("edit", found.written, found.reached, found.inside, found.root, found.writable)
            except (Failure, OSError, ValueError):
                written = Path(os.path.normpath(path))
                reached = Path(os.path.realpath(path)) if "\0" not in path else written
                access = PathAccess("edit", written, reached, False, Path("/"))
            self._found[key] = access
        return self._found[key]
