"""Walks a whole tree for its totals, and keeps the names of its upper levels."""

import os
from collections.abc import Callable

from codetools.search.entries import Entry, read_entry

OPEN_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
MOST_LEVELS = 200  # each holds a descriptor open


class Branch:
    """A directory of a measured tree: its entries as far as they were kept, and the totals of all below it."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.branches: dict[str, Branch] = {}
        self.files = 0
        self.directories = 0
        self.total_entries = 0
        self.total_files = 0
        self.total_directories = 0
        self.unread = 0


class Measured:
    """A tree, and whether all of it was seen."""

    def __init__(self, root: Branch, is_whole: bool) -> None:
        self.root = root
        self.is_whole = is_whole


def measure(
    directory: int, hides: Callable[[str], bool], depth: int, most_entries: int, check: Callable[[], bool]
) -> Measured:
    """Return the tree below an open directory, as far as it was seen before `check` said stop.

    Names are kept `depth` levels deep and `most_entries` to a directory; what lies beyond is only counted.
    """
    root = Branch()
    is_whole = _measure(os.dup(directory), "", root, hides, depth, most_entries, check, 1)
    return Measured(root, is_whole)


def attach(tree: Measured, link: str, further: Measured) -> None:
    """Add the tree that a link leads to, `link` being its path and a slash, as a branch of the tree that holds it."""
    *above, name, _ = link.split("/")
    branch: Branch | None = tree.root
    for step in ("", *above):
        branch = branch if branch is None or not step else branch.branches.get(step)
        if branch is not None:
            branch.total_files += further.root.total_files
            branch.total_directories += further.root.total_directories
            branch.unread += further.root.unread
    if branch is not None:
        branch.branches[name] = further.root
    tree.is_whole &= further.is_whole


def _measure(
    directory: int,
    prefix: str,
    branch: Branch,
    hides: Callable[[str], bool],
    depth: int,
    most_entries: int,
    check: Callable[[], bool],
    level: int,
) -> bool:
    try:
        names, folders = _names(directory, prefix, hides)
        branch.total_entries = len(names)
        branch.directories = branch.total_directories = len(folders)
        branch.files = branch.total_files = len(names) - len(folders)
        if level <= depth:
            kept = (read_entry(directory, name) for name in names[:most_entries])
            branch.entries = [entry for entry in kept if entry is not None]
        for name in names:
            if name not in folders:
                continue
            if check() or level > MOST_LEVELS:
                return False
            below = Branch()
            try:
                child = os.open(name, OPEN_DIRECTORY, dir_fd=directory)
            except OSError:
                branch.unread += 1
                continue
            is_whole = _measure(child, f"{prefix}{name}/", below, hides, depth, most_entries, check, level + 1)
            branch.total_files += below.total_files
            branch.total_directories += below.total_directories
            branch.unread += below.unread
            if level <= depth:
                branch.branches[name] = below
            if not is_whole:
                return False
        return True
    finally:
        os.close(directory)


def _names(directory: int, prefix: str, hides: Callable[[str], bool]) -> tuple[list[str], set[str]]:
    """Return the names of a directory in order, and which of them are directories."""
    names: list[str] = []
    folders: set[str] = set()
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.name == ".git" or hides(prefix + entry.name):
                continue
            names.append(entry.name)
            if entry.is_dir(follow_symlinks=False):
                folders.add(entry.name)
    names.sort(key=os.fsencode)
    return names, folders
