"""Why a path is ignored or not: which line of which file decides, for searches and for git itself.

git is never run. For searches the verdict is that of one over the whole workspace: a search that starts further down
takes the directory it was given, whatever the rules say of it.
"""

import os
from collections.abc import Callable, Iterator
from typing import Literal

from codetools.core.path import Path
from codetools.core.record import Record
from codetools.files.workspace import Location
from codetools.search.ignore import OF_GIT, RANKS
from codetools.search.ignore_file import IgnoreFile, Rule, read_lines, rules_of
from codetools.search.rules import NAME as OUR_FILE
from codetools.search.user_excludes import user_excludes_file

Source = Literal["gitignore", "exclude", "global", "ignore", "rgignore", "codetoolsignore", "default", "git"]
SOURCES: dict[str, Source] = {
    ".rgignore": "rgignore",
    ".ignore": "ignore",
    ".gitignore": "gitignore",
    "exclude": "exclude",
}
OPEN_LEVEL = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Decision(Record):
    """The line that decides; a default exclude has no file. `of` is the path it speaks of, or a directory above."""

    source: Source
    file: Path | None
    line: int | None
    pattern: str
    takes_back: bool
    of: Path


class Verdict(Record):
    """What becomes of a path: in searches, and in git; None where the path is in no repository."""

    ignored: bool
    by: Decision | None
    git: bool | None
    git_by: Decision | None
    unread: tuple[Path, ...] = ()  # what is named like an ignore file and is no file


class _Level:
    """One directory above a path: its absolute path and its ignore files."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.files: dict[str, IgnoreFile] = {}
        self.has_git = False


class _Asked(Record):
    """One path on the way down, with its decision not made yet."""

    path: str
    is_directory: bool


Show = Callable[[str], Path]
Decided = tuple[Source, IgnoreFile, Rule]


def explain(
    location: Location, is_directory: bool, excludes: tuple[str, ...], show: Show, check: Callable[[], None]
) -> Verdict:
    """Return what becomes of the path that lies at `location.reached`; `check` may raise when it takes too long."""
    return _Explanation(location, is_directory, excludes, show, check).verdict()


class _Explanation:
    """The rules that bear on one path."""

    def __init__(
        self,
        location: Location,
        is_directory: bool,
        excludes: tuple[str, ...],
        show: Show,
        check: Callable[[], None],
    ) -> None:
        self._check = check
        self._path = str(location.reached)
        self._root = str(location.root) if location.inside else "/"
        self._is_directory = is_directory
        self._show = show
        self._unread: list[str] = []
        self._levels = list(self._read_levels())
        self._user = self._read_user()
        inside = excludes if location.inside else ()
        lines = [os.fsencode(exclude) for exclude in inside]
        self._default = IgnoreFile("", rules_of(lines))
        self._ours = self._read_ours() if location.inside else None

    def verdict(self) -> Verdict:
        """Return both verdicts."""
        is_ignored, by = self._walk(self._root, self._for_search)
        top = next((level.path for level in reversed(self._levels) if level.has_git), None)
        is_git_ignored, git_by = self._walk(top, self._for_git) if top is not None else (None, None)
        unread = tuple(self._show(path) for path in self._unread)
        return Verdict(bool(is_ignored), by, is_git_ignored, git_by, unread)

    def _walk(self, top: str, decide: Callable[[str, _Asked], "Decided | None"]) -> tuple[bool, Decision | None]:
        """Go down from `top`: a directory that is ignored takes all below it along."""
        found: Decided | None = None
        for asked in self._steps(top):
            if decide == self._for_search and os.path.basename(asked.path) == ".git":
                return True, Decision("git", None, None, ".git", False, self._show(asked.path))
            found = decide(top, asked)
            if found is not None and not found[2].takes_back:
                return True, self._decision(found, asked.path)
        return False, None if found is None else self._decision(found, self._path)

    def _steps(self, top: str) -> Iterator[_Asked]:
        below = self._path[len(top) :].strip("/")
        names = below.split("/") if below else []
        path = top.rstrip("/")
        for number, name in enumerate(names, 1):
            path = f"{path}/{name}"
            yield _Asked(path, self._is_directory if number == len(names) else True)

    def _for_search(self, top: str, asked: _Asked) -> Decided | None:
        in_repository = any(level.has_git for level in self._levels if _holds(level.path, top))
        for rank in RANKS:
            stops = in_repository and rank in OF_GIT
            if found := self._climb(asked, rank, stops):
                return found
        if found := self._decided("global", self._user, top, asked):
            return found
        return self._decided("codetoolsignore", self._ours, top, asked) or self._decided(
            "default", self._default, top, asked
        )

    def _for_git(self, top: str, asked: _Asked) -> Decided | None:
        for rank in (".gitignore", "exclude"):
            if found := self._climb(asked, rank, True):
                return found
        return self._decided("global", self._user, top, asked)

    def _climb(self, asked: _Asked, rank: str, stops: bool) -> Decided | None:
        """Return the decision of the nearest file of a rank; where it `stops` at a repository, of that repository."""
        for level in reversed(self._levels):
            if level.path == asked.path or not _holds(level.path, asked.path):
                continue
            if found := self._decided(SOURCES[rank], level.files.get(rank), level.path, asked):
                return found
            if stops and level.has_git:
                return None
        return None

    def _decided(self, source: Source, file: IgnoreFile | None, base: str, asked: _Asked) -> Decided | None:
        if file is None:
            return None
        relative = asked.path[len(base) :].lstrip("/")
        rule = file.decide(os.fsencode(relative), asked.is_directory, self._check)
        return None if rule is None else (source, file, rule)

    def _decision(self, decided: Decided, of: str) -> Decision:
        source, file, rule = decided
        if source == "default":
            return Decision(source, None, None, rule.pattern, rule.takes_back, self._show(of))
        return Decision(source, self._show(file.file), rule.line, rule.pattern, rule.takes_back, self._show(of))

    def _read_levels(self) -> Iterator[_Level]:
        """Yield the directories above the path from `/` down, as far as they are there."""
        names = [name for name in os.path.dirname(self._path).split("/") if name]
        here = os.open("/", OPEN_LEVEL)
        path = "/"
        try:
            yield self._read_level(path, here)
            for name in names:
                try:
                    below = os.open(name, OPEN_LEVEL, dir_fd=here)
                except OSError:
                    return
                os.close(here)
                here, path = below, os.path.join(path, name)
                yield self._read_level(path, here)
        finally:
            os.close(here)

    def _read_level(self, path: str, directory: int) -> _Level:
        level = _Level(path)
        for rank in RANKS[:3]:
            self._read(level, rank, rank, directory)
        level.has_git = _exists(".git", directory)
        if level.has_git:
            self._read_exclude(level, directory)
        return level

    def _read_exclude(self, level: _Level, directory: int) -> None:
        """Read `.git/info/exclude`; a `.git` that is a file or a link is not followed."""
        opened: list[int] = []
        try:
            for name in (".git", "info"):
                opened.append(os.open(name, OPEN_LEVEL, dir_fd=opened[-1] if opened else directory))
            self._read(level, "exclude", "exclude", opened[-1], ".git/info/exclude")
        except OSError:
            return
        finally:
            for descriptor in opened:
                os.close(descriptor)

    def _read(self, level: _Level, rank: str, name: str, directory: int, below: str = "") -> None:
        path = os.path.join(level.path, below or name)
        lines = read_lines(name, directory)
        if lines is not None:
            level.files[rank] = IgnoreFile(path, rules_of(lines))
        elif _exists(name, directory):
            self._unread.append(path)

    def _read_user(self) -> IgnoreFile | None:
        path = user_excludes_file()
        lines = read_lines(path, None)
        return None if lines is None else IgnoreFile(path, rules_of(lines))

    def _read_ours(self) -> IgnoreFile | None:
        try:
            root = os.open(self._root, OPEN_LEVEL)
        except OSError:
            return None
        try:
            lines = read_lines(OUR_FILE, root)
        finally:
            os.close(root)
        return IgnoreFile(os.path.join(self._root, OUR_FILE), rules_of(lines)) if lines is not None else None


def _holds(directory: str, path: str) -> bool:
    """Whether a directory is a path's, or the path itself."""
    return path == directory or path.startswith(directory.rstrip("/") + "/")


def _exists(name: str, directory: int) -> bool:
    try:
        os.stat(name, dir_fd=directory, follow_symlinks=False)
    except OSError:
        return False
    return True
