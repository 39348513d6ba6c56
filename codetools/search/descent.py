"""Walks a tree in this process for entries of every kind, directories and empty ones included; no link is followed."""

import os
from collections.abc import Callable

OPEN_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
MOST_LEVELS = 200  # each holds a descriptor open
ENTRIES_BETWEEN_CHECKS = 2000

Row = tuple[str, int, float, int]  # a path in the tree, and size, mtime and mode of the entry itself
Test = Callable[[int, str, "os.DirEntry[str]"], os.stat_result | None]  # of a directory, a path and its entry there


def row_of(path: str, status: os.stat_result) -> Row:
    """Return what is kept of an entry: a whole status takes five times the memory."""
    return path, status.st_size, status.st_mtime, status.st_mode


class Descended:
    """What a walk found, as far as it went: `unread` directories with the reason, and what was too deep for it."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.unread: list[tuple[str, str]] = []
        self.too_deep: list[str] = []
        self.is_whole = True

    def add(self, other: "Descended") -> None:
        """Take what a walk elsewhere found."""
        self.rows += other.rows
        self.unread += other.unread
        self.too_deep += other.too_deep
        self.is_whole &= other.is_whole


class Descent:
    """One walk. `hides` says which paths are left out, `test` returns the status of an entry that is wanted."""

    def __init__(
        self, hides: Callable[[str], bool], test: Test, least_depth: int, most_depth: int, is_over: Callable[[], bool]
    ) -> None:
        self._hides = hides
        self._test = test
        self._least_depth = least_depth
        self._most_depth = most_depth
        self._is_over = is_over
        self._seen = 0
        self._found = Descended()

    def walk(self, directory: int, prefix: str = "") -> Descended:
        """Walk below an open directory, whose paths begin with `prefix`; at the end of the time `is_whole` is False."""
        self._visit(os.open(".", OPEN_DIRECTORY, dir_fd=directory), prefix, 1 + prefix.count("/"))
        return self._found

    def _visit(self, directory: int, prefix: str, depth: int) -> None:
        try:
            for name in self._look(directory, prefix, depth):
                if not self._found.is_whole:
                    return
                self._enter(directory, name, prefix + name, depth + 1)
        finally:
            os.close(directory)

    def _enter(self, parent: int, name: str, path: str, depth: int) -> None:
        if depth > MOST_LEVELS:
            self._found.too_deep.append(path)
            return
        try:
            child = os.open(name, OPEN_DIRECTORY, dir_fd=parent)
        except FileNotFoundError:
            return  # removed since it was listed
        except OSError as error:
            self._found.unread.append((path, error.strerror or ""))
            return
        self._visit(child, path + "/", depth)

    def _look(self, directory: int, prefix: str, depth: int) -> list[str]:
        """Take what is wanted of one directory; return the names of the directories in it."""
        below: list[str] = []
        with os.scandir(directory) as entries:
            for entry in entries:
                self._seen += 1
                if self._seen % ENTRIES_BETWEEN_CHECKS == 0 and self._is_over():
                    self._found.is_whole = False
                    return []
                path = prefix + entry.name
                if entry.name == ".git" or self._hides(path):
                    continue
                if depth < self._most_depth and entry.is_dir(follow_symlinks=False):
                    below.append(entry.name)
                if depth >= self._least_depth and (status := self._test(directory, path, entry)) is not None:
                    self._found.rows.append(row_of(path, status))
        if self._is_over():
            self._found.is_whole = False
        return below
