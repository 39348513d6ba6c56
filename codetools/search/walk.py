"""The pure-Python walk: the files that ripgrep would see, in path order, reached through open directories only."""

import os
import re
import stat
from collections.abc import Callable, Iterator
from typing import NamedTuple

from codetools.core.record import Record
from codetools.search.file_types import TYPES
from codetools.search.find import scope_keeper
from codetools.search.globs import keeper, name_regex
from codetools.search.ignore import Ignores, Level
from codetools.search.job import Scope


class Seen(NamedTuple):  # one for each file: a Record takes longer to make
    """A regular file: its path in the scope, and its name in the open directory `parent`."""

    path: str
    name: str
    parent: int


class Left(Record):
    """An entry that is not searched: why, or why it could not be read."""

    path: str
    why: str
    reason: str = ""


def walk(scope: Scope, directory: int) -> Iterator[Seen | Left]:
    """Walk an open directory; each descriptor in a `Seen` is good until the next step."""
    ignores: Ignores | None = None
    here: Level | None = None
    if not scope.include_ignored:
        ignores = Ignores(scope.rules, scope.in_repository)
        place = os.getcwd()
        full = os.fsencode(place.strip("/") + "/") if place != "/" else b""
        here = ignores.read_level(directory, full, ignores.read_parents(place))
    kept = scope_keeper(scope)
    typed = keeper(TYPES[scope.type]) if scope.type is not None else None
    chosen = _any_name(scope.names)
    withheld = _any_name(scope.withheld)
    places = frozenset(scope.paths)
    ways = frozenset(path[:end] for path in places for end in range(len(path)) if path[end] == "/")

    def leads(path: str, is_directory: bool) -> bool:
        if is_directory and path in ways:
            return True
        parts = path.split("/")
        return any("/".join(parts[:count]) in places for count in range(1, len(parts) + 1))

    dropped = scope_keeper(scope.but(only=()))

    tests = tuple(test for test in (typed, kept, chosen) if test is not None)

    def visit(parent: int, prefix: str, level: Level | None, depth: int) -> Iterator[Seen | Left]:
        for entry in _entries(parent):
            name, path = entry.name, prefix + entry.name
            is_directory = entry.is_dir(follow_symlinks=False)
            if name == ".git" or (dropped and not dropped(path)):
                continue
            if places and not leads(path, is_directory):
                continue
            verdict = ""
            if ignores is not None and level is not None:
                verdict = ignores.verdict(level, os.fsencode(name), os.fsencode(path), is_directory)
            if not verdict and withheld is not None and withheld(name):
                verdict = "withheld"
            if verdict:
                yield Left(path, verdict)
            elif is_directory:
                if scope.depth is None or depth < scope.depth:
                    yield from enter(parent, name, path, level, depth)
            elif not tests or all(test(path) for test in tests):
                if entry.is_file(follow_symlinks=False):
                    yield Seen(path, name, parent)
                elif not _leads_to_directory(entry):  # as ripgrep, which says nothing of a link to a directory
                    yield Left(path, "link" if entry.is_symlink() else "special")

    def enter(parent: int, name: str, path: str, level: Level | None, depth: int) -> Iterator[Seen | Left]:
        try:
            child = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
        except OSError as error:
            yield Left(path, "unread", error.strerror or "")
            return
        try:
            below = None
            if ignores is not None and level is not None:
                below = ignores.read_level(child, level.full + os.fsencode(name) + b"/", level)
            yield from visit(child, path + "/", below, depth + 1)
        finally:
            os.close(child)

    yield from visit(directory, "", here, 1)
    for path in ignores.refused if ignores is not None else ():
        yield Left(path, "rules")


def open_file(seen: Seen) -> int:
    """Open a file for reading, or raise OSError; never a link, and never anything that would block."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(seen.name, flags, dir_fd=seen.parent)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(22, "not a regular file")
    return descriptor


def _leads_to_directory(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _any_name(names: tuple[str, ...]) -> Callable[[str], object] | None:
    """Return whether a path's last name matches one of these globs, in any case."""
    if not names:
        return None
    expression = "|".join(name_regex(name) for name in names)
    return re.compile(rf"(?:.*/)?(?:{expression})\Z", re.IGNORECASE | re.DOTALL).match


def _entries(directory: int) -> list["os.DirEntry[str]"]:
    with os.scandir(directory) as entries:
        return sorted(entries, key=lambda entry: os.fsencode(entry.name))
