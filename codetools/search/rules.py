"""The weakest ignore rules of a search: the default excludes, and `.codetoolsignore` there, above and below."""

import os
import re
import stat
from collections.abc import Iterable

from codetools.config.glob import match_name

NAME = ".codetoolsignore"
MOST_BYTES = 32 << 10  # of one file: all of them travel to the engine through a pipe
MOST_LEVELS = 40


def rules_for(directory: int, below_root: str, excludes: tuple[str, ...]) -> tuple[str, ...]:
    """Return lines for an open directory that lies at `below_root` (`""`, or `a/b`) in its workspace root."""
    lines = list(excludes)
    names = [name for name in below_root.split("/") if name][-MOST_LEVELS:]
    found: list[list[str]] = []
    above = os.dup(directory)
    try:
        for level in range(len(names) + 1):
            below = names[len(names) - level :]
            found.append([line for written in _read(above) if (line := rebased(written, below))])
            if level < len(names):
                up = os.open("..", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=above)
                os.close(above)
                above = up
    except OSError:
        pass  # a directory above that may not be opened has no rules for us
    finally:
        os.close(above)
    for level_lines in reversed(found):
        lines += level_lines
    return tuple(lines)


def rules_below(directory: int, files: Iterable[str]) -> tuple[str, ...]:
    """Return the lines of ignore files below an open directory as they read there, outer files first."""
    lines: list[str] = []
    for file in sorted(files, key=lambda path: (path.count("/"), path)):
        place = file.rpartition("/")[0]
        try:
            above = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=directory)
        except OSError:
            continue
        try:
            lines += [lowered(line, place) for line in _read(above) if not line.startswith("#")]
        finally:
            os.close(above)
    return tuple(lines)


def lowered(line: str, place: str) -> str:
    """Return an ignore line of the directory `place` as it reads in the one that `place` is relative to."""
    sign = "!" if line.startswith("!") else ""
    pattern = line.removeprefix("!")
    prefix = "/" + re.sub(r"([*?\[\]\\ {}])", r"\\\1", place) + "/"
    is_anchored = "/" in pattern.rstrip(" ").rstrip("/")
    return sign + prefix + (pattern.removeprefix("/") if is_anchored else "**/" + pattern)


def excluded_names(directory: int, excludes: tuple[str, ...]) -> tuple[str, ...]:
    """Return the entries of an open directory that default excludes hide, but for those that its .gitignore names.

    What the project itself ignores is no surprise; the others may be.
    """
    with os.scandir(directory) as entries:
        names = [entry.name for entry in entries]
    plain = frozenset(excludes)
    globs = [exclude for exclude in excludes if any(mark in exclude for mark in "*?[")]
    found = [name for name in names if name in plain or any(match_name(glob, name) for glob in globs)]
    if not found:
        return ()
    written = frozenset(line.strip().strip("/") for name in (".gitignore", NAME) for line in _read(directory, name))
    return tuple(sorted(name for name in found if name not in written and f"!{name}" not in written))


def in_repository(directory: int) -> bool:
    """Whether an open directory or one above it holds a `.git`; nothing is read of it."""
    above = os.dup(directory)
    try:
        for _ in range(MOST_LEVELS):
            if _exists(".git", above):
                return True
            here = os.fstat(above)
            up = os.open("..", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=above)
            os.close(above)
            above = up
            if os.path.samestat(here, os.fstat(above)):
                return False
    except OSError:
        pass
    finally:
        os.close(above)
    return False


def rebased(line: str, below: list[str]) -> str:
    """Return an ignore line of a directory as it reads in one below it; an empty string where it says nothing there."""
    if not line.strip() or line.startswith("#") or not below:
        return "" if line.startswith("#") else line
    sign = "!" if line.startswith("!") else ""
    pattern = line.removeprefix("!")
    if "/" not in pattern.rstrip("/"):
        return line
    parts = pattern.lstrip("/").split("/")
    for name in below:
        if parts[0] == "**":
            return sign + "/".join(parts)
        if len(parts) < 2 or not parts[1] or not match_name(parts[0], name):
            return ""
        parts = parts[1:]
    return sign + ("**" if parts[0] == "**" and len(parts) == 1 else "/" * (parts[0] != "**") + "/".join(parts))


def _exists(name: str, directory: int) -> bool:
    try:
        os.stat(name, dir_fd=directory, follow_symlinks=False)
    except OSError:
        return False
    return True


def _read(directory: int, name: str = NAME) -> list[str]:
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=directory)
    except OSError:
        return []
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return []
        text = os.read(descriptor, MOST_BYTES).decode("utf-8", "surrogateescape")
    finally:
        os.close(descriptor)
    return [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n") if line.strip()]
