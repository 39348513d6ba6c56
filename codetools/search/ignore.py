"""Ignore rules for the pure-Python walk, ranked as ripgrep ranks them, each line read as git reads it."""

import os
import re

from codetools.search.ignore_file import read_lines, rules_of
from codetools.search.user_excludes import user_excludes_file

RANKS = (".rgignore", ".ignore", ".gitignore", "exclude")
OF_GIT = (".gitignore", "exclude")
MOST_EXPRESSIONS = 200  # that are tried at once


class Rules:
    """The rules of one kind that one directory holds; most are a name or an ending, and found by that."""

    def __init__(self, lines: list[bytes]) -> None:
        self._rules = list({rule.written: rule for rule in reversed(rules_of(lines))}.values())  # the last first
        self._by_name: dict[bytes, list[int]] = {}
        self._by_path: dict[bytes, list[int]] = {}
        self._by_ending: dict[bytes, list[int]] = {}
        self._by_expression: list[int] = []
        self._others: list[int] = []
        expressions: list[bytes] = []
        for number, rule in enumerate(self._rules):
            if rule.only_name is not None:
                self._by_name.setdefault(rule.only_name, []).append(number)
            elif rule.only_path is not None:
                self._by_path.setdefault(rule.only_path, []).append(number)
            elif rule.only_ending is not None:
                self._by_ending.setdefault(rule.only_ending, []).append(number)
            elif (expression := rule.name_expression) is not None and len(expressions) < MOST_EXPRESSIONS:
                self._by_expression.append(number)
                expressions.append(expression)
            else:
                self._others.append(number)
        joined = b"|".join(b"(?:%s)" % expression for expression in expressions)
        self._any_expression = re.compile(joined, re.DOTALL).fullmatch if expressions else None

    def verdict(self, path: bytes, name: bytes, is_directory: bool) -> bool | None:
        """Return True where a path (relative to that directory) is ignored, False where it is kept against others.

        It is judged by itself: who asks has come through the directories above it, or was told to start below them.
        """
        candidates = self._others
        if found := self._by_name.get(name):
            candidates = candidates + found
        if self._by_path and (found := self._by_path.get(path)):
            candidates = candidates + found
        if self._any_expression is not None and self._any_expression(name):
            candidates = candidates + self._by_expression
        if self._by_ending:
            dot = name.find(b".")
            while dot >= 0:
                if found := self._by_ending.get(name[dot:]):
                    candidates = candidates + found
                dot = name.find(b".", dot + 1)
        if not candidates:
            return None
        for number in candidates if candidates is self._others else sorted(candidates):
            rule = self._rules[number]
            if rule.holds(path, name, is_directory):
                return not rule.takes_back
        return None


class Level:
    """One directory on the way down: `full` is its path from `/`, with a slash at its end but none before.

    `chains` are, by rank, the rules that hold in it: the nearest first, each with where a path relative to it starts.
    """

    def __init__(
        self, parent: "Level | None", full: bytes, rules: dict[str, Rules], has_git: bool, in_repository: bool
    ) -> None:
        self.full = full
        self.chains: dict[str, tuple[tuple[Rules, int], ...]] = {}
        for rank in RANKS:
            is_top = parent is None or (rank in OF_GIT and has_git and in_repository)
            above = () if is_top or parent is None else parent.chains[rank]
            own = ((rules[rank], len(full)),) if rank in rules else ()
            self.chains[rank] = own + above


class Ignores:
    """All rules that hold in a scope: those of its directories and those of the user and the settings."""

    def __init__(self, weakest: tuple[str, ...], in_repository: bool) -> None:
        self.in_repository = in_repository
        self.refused: list[str] = []  # absolute paths of ignore files that are none, or too long
        self._user = Rules(read_lines(user_excludes_file(), None) or [])
        self._default = Rules([os.fsencode(line) for line in weakest])

    def verdict(self, level: Level, name: bytes, path: bytes, is_directory: bool) -> str:
        """Return `ignored`, `default` or nothing for an entry of the directory of `level`.

        `path` is relative to the scope.
        """
        for rank in RANKS:
            for rules, start in level.chains[rank]:
                found = rules.verdict((level.full + name)[start:], name, is_directory)
                if found is not None:
                    return "ignored" if found else ""
        found = self._user.verdict(path, name, is_directory)
        if found is not None:
            return "ignored" if found else ""
        return "default" if self._default.verdict(path, name, is_directory) else ""

    def read_level(self, directory: int, full: bytes, parent: Level | None) -> Level:
        """Read the ignore files of an open directory."""

        def refused(name: str) -> None:
            self.refused.append("/" + os.fsdecode(full) + name)

        rules = {rank: Rules(lines) for rank in RANKS[:3] if (lines := read_lines(rank, directory, refused))}
        has_git = _exists(".git", directory)
        if has_git and (lines := read_lines(".git/info/exclude", directory, refused)):
            rules["exclude"] = Rules(lines)
        return Level(parent, full, rules, has_git, self.in_repository)

    def read_parents(self, directory: str) -> Level | None:
        """Read the ignore files above a directory, from `/` down."""
        level: Level | None = None
        parts = [part for part in directory.split("/") if part]
        for count in range(len(parts)):
            above = "/".join(parts[:count])
            try:
                descriptor = os.open("/" + above, os.O_RDONLY | os.O_DIRECTORY)
            except OSError:
                continue
            try:
                level = self.read_level(descriptor, os.fsencode(above + "/" if above else ""), level)
            finally:
                os.close(descriptor)
        return level


def _exists(name: str, directory: int) -> bool:
    try:
        os.stat(name, dir_fd=directory, follow_symlinks=False)
    except OSError:
        return False
    return True
