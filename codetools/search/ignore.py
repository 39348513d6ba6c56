"""Ignore rules for the pure-Python walk, ranked as ripgrep ranks them; pathspec reads the patterns."""

import os
import re
import stat

from pathspec import GitIgnoreSpec

from codetools.search.user_excludes import user_excludes_file

MOST_RULES_BYTES = 1 << 20
BACKEND = "simple"  # named, because installing an unrelated package changes pathspec's own choice
RANKS = (".ignore", ".gitignore")


class Rules:
    """The rules of one kind that one directory holds. Git compares bytes, so both sides are read as such."""

    def __init__(self, lines: list[str]) -> None:
        written = _valid([_as_bytes(line) for line in lines])
        patterns = GitIgnoreSpec.from_lines(written, backend=BACKEND).patterns
        self._tests = [
            (
                pattern.regex.finditer,
                bool(pattern.include),
                line.rstrip().endswith("**") or pattern.regex.pattern == ".",
            )
            for pattern, line in zip(patterns, written, strict=True)
            if pattern.regex is not None
        ][::-1]

    def verdict(self, path: str, is_directory: bool) -> bool | None:
        """Return True where a path (relative to that directory) is ignored, False where it is kept against others.

        It is judged by itself: who asks has come through the directories above it, or was told to start below them.
        """
        written = _as_bytes(path + "/" * is_directory)
        for find, is_ignored, takes_all_below in self._tests:
            # pathspec also matches what lies below a match
            if any(takes_all_below or match.end() == len(written) for match in find(written)):
                return is_ignored
        return None


class Level:
    """One directory on the way down, with its rules and its parent's level; `prefix` leads from it to the scope."""

    def __init__(self, parent: "Level | None", name: str, rules: dict[str, Rules], has_git: bool) -> None:
        self.parent = parent
        self.name = name
        self.rules = rules
        self.has_git = has_git


class Ignores:
    """All rules that hold in a scope: those of its directories and those of the user and the settings."""

    def __init__(self, weakest: tuple[str, ...], user: list[str], in_repository: bool) -> None:
        self._in_repository = in_repository
        self._user = Rules(user)
        self._default = Rules(list(weakest))

    def verdict(self, level: Level | None, name: str, path: str, is_directory: bool) -> str:
        """Return `ignored`, `default` or nothing for an entry of the directory of `level`."""
        for rank in (*RANKS, "exclude"):
            found = self._climb(level, name, is_directory, rank)
            if found is not None:
                return "ignored" if found else ""
        found = self._user.verdict(path, is_directory)
        if found is not None:
            return "ignored" if found else ""
        return "default" if self._default.verdict(path, is_directory) else ""

    def _climb(self, level: Level | None, name: str, is_directory: bool, rank: str) -> bool | None:
        path = name
        while level is not None:
            rules = level.rules.get(rank)
            found = rules.verdict(path, is_directory) if rules is not None else None
            if found is not None:
                return found
            if rank != ".ignore" and level.has_git and self._in_repository:
                return None
            path = f"{level.name}/{path}"
            level = level.parent
        return None


def read_level(directory: int, name: str, parent: Level | None) -> Level:
    """Read the ignore files of an open directory."""
    rules = {rank: Rules(lines) for rank in RANKS if (lines := _lines(rank, directory))}
    has_git = _exists(".git", directory)
    if has_git and (lines := _lines(".git/info/exclude", directory)):
        rules["exclude"] = Rules(lines)
    return Level(parent, name, rules, has_git)


def read_parents(directory: str) -> Level | None:
    """Read the ignore files above a directory, from `/` down."""
    level: Level | None = None
    parts = [part for part in directory.split("/") if part]
    for count in range(len(parts)):
        above = "/" + "/".join(parts[:count])
        try:
            descriptor = os.open(above, os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            continue
        try:
            level = read_level(descriptor, parts[count - 1] if count else "", level)
        finally:
            os.close(descriptor)
    return level


def user_excludes() -> list[str]:
    """Return the lines of the user's own excludes file, found without running git."""
    return _lines(user_excludes_file(), None)


def _lines(name: str, directory: int | None) -> list[str]:
    """Return the lines of a small regular file; none of anything else."""
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
    except OSError:
        return []
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return []
        text = file.read(MOST_RULES_BYTES).decode("utf-8", "surrogateescape")
    return [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]


def _exists(name: str, directory: int) -> bool:
    try:
        os.stat(name, dir_fd=directory, follow_symlinks=False)
    except OSError:
        return False
    return True


def _as_bytes(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def _valid(lines: list[str]) -> list[str]:
    kept = []
    for line in filter(None, lines):
        try:
            GitIgnoreSpec.from_lines([line], backend=BACKEND)
        except (ValueError, re.error, RecursionError, OverflowError):
            continue
        kept.append(line)
    return kept
