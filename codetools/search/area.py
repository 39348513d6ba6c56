"""The place that a tool searches: entered once, asked about once, and every path in it shown so that it passes back."""

import os
import stat
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self, TypeVar

from codetools.config.settings import Settings
from codetools.core.path import Path
from codetools.files.files import Files
from codetools.files.workspace import Location
from codetools.search.engine import Engine, choose_engine
from codetools.search.entries import newest
from codetools.search.find import (
    Found,
    Keeps,
    Listing,
    Pace,
    find_files,
    find_matches,
    list_files,
    merged,
    path_order,
)
from codetools.search.globs import keeper
from codetools.search.job import Query, Scope
from codetools.search.notes import OvergrownError
from codetools.search.overgrown import is_overgrown_here
from codetools.search.permitted import Permitted, Withheld
from codetools.search.said import count_passed

if TYPE_CHECKING:
    from codetools.search.measure import Measured

Value = TypeVar("Value")

RULES_NAME = ".codetoolsignore"
MOST_RULES_FILES = 1000  # below one directory
PATHS_AT_ONCE = 500  # that travel as arguments of one process
MARGIN_SECONDS = 0.2  # before the caller's own deadline, to return what there is


class Hidden:
    """Paths that are not listed: ignored ones (in `paths`), and those that do not pass `keeps`.

    Bytes that are not UTF-8 stand in `paths` as U+FFFD, as an engine writes them.
    """

    def __init__(self, paths: tuple[str, ...], keeps: Keeps | None = None, seen: Listing | None = None) -> None:
        self.seen = seen  # the listing that told so, whole or not
        self.paths = tuple(path for path in paths if keeps is None or keeps(path))
        self._keeps = keeps
        self._paths = frozenset(paths)

    def holds(self, path: str) -> bool:
        """Whether just this path is hidden."""
        if path in self._paths or (not path.isascii() and Path(path).printable() in self._paths):
            return True
        return self._keeps is not None and not self._keeps(path)


class Area:
    """A directory or file to search. Use it in a `with`; paths of results are relative to it until shown."""

    def __init__(
        self,
        files: Files,
        settings: Settings,
        path: str,
        tool: str,
        *,
        include_ignored: bool = False,
        only: tuple[str, ...] = (),
        type: str | None = None,
        engine: Engine | None = None,
        below: str = "",
    ) -> None:
        self._tool = tool
        self.below = below  # what stands before its paths where globs are asked: of a link that was followed
        self._freed: dict[str, None] = {}
        self._files = files
        self._settings = settings
        fd = files.enter(path, "read" if tool == "grep" else "list")
        try:
            location = files.locate(path)
            self.base = location.written
            self.reached = location.reached
            self._permitted = Permitted(files, settings, location, tool)
            workspace = files.workspace
            # the one that lists files, and the one that looks into them
            self.engine = self.searcher = engine or choose_engine(tuple(root.path for root in workspace.roots))
            self.is_file = not stat.S_ISDIR(os.fstat(fd).st_mode)
            rules: tuple[str, ...] = ()
            is_in_repository = False
            self._excludes: tuple[str, ...] = ()
            if not self.is_file and not include_ignored:
                from codetools.search.rules import in_repository, rules_for

                place = location.reached[len(location.root) :].strip("/") if location.inside else ""
                excludes = tuple(name for name in settings.search.exclude if name != ".git")
                self._excludes = excludes
                rules = rules_for(fd, place, excludes)
                is_in_repository = in_repository(fd)
                if is_overgrown_here(fd):
                    self._grow()
            self._rules = rules
            self._learned: frozenset[str] = frozenset()
            self.scope = Scope(
                fd,
                self.is_file,
                include_ignored,
                _only(only),
                _without(only),
                type,
                rules,
                is_in_repository,
                most_file_bytes=settings.limits.grep_file_bytes,
                below=below,
            )
        except BaseException:
            os.close(fd)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self.scope.fd)

    def show(self, relative: str) -> Path:
        """Return a found path as it is printed: below `..`, the working directory too goes by its name."""
        absolute = self._absolute(self.base, relative)
        shown = self.show_absolute(absolute)
        return Path(f"../{os.path.basename(absolute)}") if relative and shown == "." else shown

    def show_absolute(self, absolute: str) -> Path:
        """Return a place as it is printed."""
        return self._files.workspace.show(absolute)

    def locate(self, written: str) -> Location:
        """Return where a path leads; raise `outside_workspace` where a link on it leads out."""
        return self._files.locate(written)

    def leads_to_directory(self, path: str) -> bool:
        """Whether a link below leads to a directory."""
        try:
            return stat.S_ISDIR(os.stat(path, dir_fd=self.scope.fd).st_mode)
        except OSError:
            return False

    def may_follow(self, written: str) -> bool:
        """Whether what a link leads to may be searched (or listed) without asking."""
        return self._files.may_show(written) if self._tool == "grep" else self._files.may_list(written)

    def wants(self, path: str) -> bool:
        """Whether a file that a link leads to passes the globs and the type, by the name of the link."""
        from codetools.search.file_types import TYPES

        scope = self.scope
        typed = keeper(TYPES.get(scope.type, ("\\/",))) if scope.type is not None else None
        kept = keeper(scope.only, scope.without)
        return (typed is None or bool(typed(path))) and (kept is None or bool(kept(path)))

    def links(self, hidden: Hidden, pace: Pace) -> tuple[list[str], bool]:
        """Return the links in this directory and below that are not hidden, and whether all were seen."""
        from codetools.search.descent import MOST_LEVELS, Descent
        from codetools.search.waiting import is_over

        def status(directory: int, path: str, entry: "os.DirEntry[str]") -> os.stat_result | None:
            return entry.stat(follow_symlinks=False) if entry.is_symlink() else None

        descended = Descent(hidden.holds, status, 0, MOST_LEVELS, lambda: is_over(pace)).walk(self.scope.fd)
        is_whole = descended.is_whole and (hidden.seen is None or hidden.seen.is_complete)
        return sorted((path for path, *_ in descended.rows), key=path_order), is_whole

    def find_matches(
        self, query: Query, need: int, pace: Pace, *, newest_first: bool = False
    ) -> tuple[Found, Withheld]:
        """Return the first `need` matching lines that may be shown, and which files were not searched."""
        keeps = self._permitted.content_keeper(self.scope)

        def run(scope: Scope, suspects: Keeps | None) -> Found:
            return find_matches(self.searcher, scope, query, need, pace, keeps, suspects)

        found, withheld = self._with_rules(lambda: self._search(run, pace))
        if found.searched is not None and not self._is_told_exactly():
            searched = len(list_files(self.engine, self.scope, pace).paths) - len(withheld.paths) - len(found.large)
            found = found.but(searched=searched)
        if newest_first and not self.is_file:
            found = self._newest_first(found, query, need, pace)
        return found, withheld

    def find_files(
        self, query: Query, output: Literal["paths", "counts"], pace: Pace, *, newest_first: bool = False
    ) -> tuple[Found, Withheld]:
        """Return the files with a match that may be shown, and which files were not searched."""
        keeps = self._permitted.content_keeper(self.scope)

        def run(scope: Scope, suspects: Keeps | None) -> Found:
            return find_files(self.searcher, scope, query, output, pace, keeps, suspects)

        found, withheld = self._with_rules(lambda: self._search(run, pace))
        if newest_first and not self.is_file:
            counts = dict(found.counts)
            order = newest(self.scope.fd, counts)
            found = found.but(counts=tuple((path, counts[path]) for path in order))
        return found, withheld

    def _newest_first(self, found: Found, query: Query, need: int, pace: Pace) -> Found:
        """Return the same with the newest files first; where not all had been kept, those are searched once more."""
        files = {file.path: file for file in found.files}
        if len(files) == found.total_files or found.timed_out:
            return found.but(files=tuple(files[path] for path in newest(self.scope.fd, files)))
        every, _ = self.find_files(query, "paths", pace)
        binary = frozenset((*found.binary, *found.long))
        order = [path for path in newest(self.scope.fd, dict(every.counts)) if path not in binary][:need]
        files, matched = {}, 0
        for start in range(0, len(order), PATHS_AT_ONCE):
            scope = self._narrowed(tuple(order[start : start + PATHS_AT_ONCE]))
            part = find_matches(self.searcher, scope, query, need, pace, None)
            files |= {file.path: file for file in part.files}
            matched += sum(file.matched for file in part.files)
            if matched >= need or part.timed_out:
                break
        return found.but(files=tuple(files[path] for path in order if path in files))

    def _search(self, run: Callable[[Scope, Keeps | None], Found], pace: Pace) -> tuple[Found, Withheld]:
        """Search, but leave out secrets, and tell by their names alone which these are.

        An engine that says what it passes over tells them on its way. Where globs narrow the search it would have to
        say that of nearly every file, so a second process looks for them.
        """
        if self.scope.is_file:
            found, withheld = run(self.scope, None), self._permitted.withheld(())
        elif self.engine is not self.searcher:
            return self._search_listed(run, pace)
        elif self.scope.only or self.scope.type is not None:
            self._learn(list_files(self.engine, self.scope.but(only=(), type=None, names=(RULES_NAME,)), pace).paths)
            scope = self.scope.but(withheld=self._permitted.secret_names())
            with self._permitted.start_withheld(self.engine, self.scope) as looking:
                found = run(scope, None)
                withheld, open_paths = looking.finish(pace)
            found = self._with_open(found, open_paths, run)
        else:
            names = (*self._permitted.secret_names(), RULES_NAME)  # so that these are told as well
            found = run(self.scope.but(withheld=names), self._permitted.is_suspect)
            while self._learn(found.withheld):
                found = run(self.scope.but(withheld=names), self._permitted.is_suspect)
            rules = tuple(path for path in found.withheld if _is_rules(path))
            entries = tuple(path for path in (*found.withheld, *found.kept) if not _is_rules(path))
            withheld, open_paths = self._permitted.sort_out(self.engine, self.scope, entries, pace)
            open_paths += rules
            was_passed = _below(found.withheld)
            if found.searched is not None:
                found = found.but(searched=found.searched - sum(not was_passed(path) for path in withheld.paths))
            found = self._with_open(found, tuple(filter(was_passed, open_paths)), run)
        self._freed |= dict.fromkeys(found.freed)
        return found, withheld

    def _search_listed(self, run: Callable[[Scope, Keeps | None], Found], pace: Pace) -> tuple[Found, Withheld]:
        """Search the files that our own walk lists, where the ignore files would hold the engine up."""
        listing = self.list_files(pace, explains=True)
        withheld, _ = self._permitted.parted(listing.paths)
        hidden = frozenset(withheld.paths)
        paths = tuple(path for path in listing.paths if path not in hidden)
        found = Found(searched=0, timed_out=not listing.is_complete, unread=listing.unread)
        found = self._with_open(found, paths, run)
        return found.but(passed=count_passed(listing.passed)), withheld

    def _with_rules(self, do: Callable[[], Value]) -> Value:
        """Do it, again with our own walk where ignore files hold the engine up."""
        try:
            return do()
        except OvergrownError:
            self._grow()
            return do()

    def _grow(self) -> None:
        from codetools.search.engine import PurePython

        self.engine = PurePython()

    def _narrowed(self, paths: tuple[str, ...]) -> Scope:
        """Return the scope of some files that were seen in it."""
        scope = self.scope.but(paths=paths)
        return scope if self.engine is self.searcher else scope.but(include_ignored=True, rules=(), type=None)

    def _learn(self, paths: Iterable[str]) -> bool:
        """Take up the ignore files of our own that were found below; return whether that changes what is seen."""
        if self.scope.include_ignored or self.is_file or len(self._learned) >= MOST_RULES_FILES:
            return False
        found = self._learned | {path for path in paths if path.endswith("/" + RULES_NAME)}
        if found == self._learned:
            return False
        from codetools.search.rules import rules_below

        self._learned = found
        self.scope = self.scope.but(rules=(*self._rules, *rules_below(self.scope.fd, found)))
        return True

    def _with_open(self, found: Found, paths: tuple[str, ...], run: Callable[[Scope, Keeps | None], Found]) -> Found:
        """Search what has such a name as a secret but may be shown, too."""
        for start in range(0, len(paths), PATHS_AT_ONCE):
            part = run(self._narrowed(paths[start : start + PATHS_AT_ONCE]).but(type=None), None)
            found = merged(found, part)
        return found

    def list_files(self, pace: Pace, *, explains: bool = False) -> Listing:
        """Return the names of all files that may be listed."""
        return self._with_rules(lambda: self._list_files(pace, explains=explains))

    def _list_files(self, pace: Pace, *, explains: bool) -> Listing:
        listing = list_files(self.engine, self.scope, pace, explains=explains)
        while self._learn(listing.paths):
            listing = list_files(self.engine, self.scope, pace, explains=explains)
        self._freed |= dict.fromkeys(listing.freed)
        keeps = self._permitted.name_keeper()
        if keeps is None:
            return listing
        passed = tuple(entry for entry in listing.passed if keeps(entry.path))
        return listing.but(paths=tuple(path for path in listing.paths if keeps(path)), passed=passed)

    def hidden(self, pace: Pace, depth: int | None = None) -> Hidden:
        """Return the entries that ignore rules hide, down to `depth`; a directory stands for all below it."""
        keeps = self._permitted.name_keeper()
        if self.scope.include_ignored:
            return Hidden((), keeps)
        listing = self._with_rules(lambda: self._list_ignored(depth, pace))
        paths = (entry.path for entry in listing.passed if entry.why in ("ignored", "default"))
        return Hidden(tuple(sorted(paths, key=path_order)), keeps, listing)

    def _list_ignored(self, depth: int | None, pace: Pace) -> Listing:
        listing = list_files(self.engine, self.scope.but(depth=depth), pace, explains=True)
        while self._learn(listing.paths):
            listing = list_files(self.engine, self.scope.but(depth=depth), pace, explains=True)
        self._freed |= dict.fromkeys(listing.freed)
        return listing

    def measure(self, hidden: Hidden, depth: int, most_entries: int, pace: Pace) -> "Measured":
        """Return the tree below this directory, without what is hidden."""
        from codetools.search.measure import measure

        def is_over() -> bool:
            if pace.check is not None:
                pace.check()
            return time.monotonic() > pace.deadline

        return measure(self.scope.fd, hidden.holds, depth, most_entries, is_over)

    def passed_rules(self) -> tuple[Path, ...]:
        """Return what is named like an ignore file but is a FIFO, and was no source of rules."""
        return tuple(
            self.show_absolute(path) if path.startswith("/") else self.show(path) for path in sorted(self._freed)
        )

    def excluded_names(self) -> tuple[str, ...]:
        """Return the entries of this very directory that default excludes hide and no ignore file there names."""
        if self.is_file or not self._excludes:
            return ()
        from codetools.search.rules import excluded_names

        return tuple(name for name in excluded_names(self.scope.fd, self._excludes) if self._may_list(name))

    def _may_list(self, name: str) -> bool:
        keeps = self._permitted.name_keeper()
        return keeps is None or bool(keeps(name))

    def passed_over(self, pace: Pace) -> Listing:
        """Return what a search of this area leaves out by ignore rules, links and odd files included."""
        whole = self.scope.but(only=(), type=None)
        return self._with_rules(lambda: list_files(self.engine, whole, pace, explains=True))

    def _is_told_exactly(self) -> bool:
        """Whether the engine alone leaves out all that the globs do, so that its count of files is right."""
        scope = self.scope
        if scope.below and any("/" in glob for glob in scope.without):
            return False
        return not scope.only or (scope.type is None and not any("/" in glob for glob in scope.only))

    def _absolute(self, base: str, relative: str) -> str:
        return base if self.is_file or not relative else f"{base.rstrip('/')}/{relative}"


def pace_of(seconds: float, remaining: float | None, check: Callable[[], None]) -> Pace:
    """Return how long a search may take: its own limit, and a little less than what its caller waits."""
    if remaining is not None:
        seconds = min(seconds, max(0.0, remaining - MARGIN_SECONDS))
    return Pace(time.monotonic() + seconds, check)


def _is_rules(path: str) -> bool:
    return path.rpartition("/")[2] == RULES_NAME


def _below(entries: tuple[str, ...]) -> Callable[[str], bool]:
    """Return whether a path is one of these, or lies below one."""
    every = frozenset(entries)

    def is_below(path: str) -> bool:
        return path in every or any(path[:end] in every for end, mark in enumerate(path) if mark == "/")

    return is_below


def _only(globs: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(glob for glob in globs if not glob.startswith("!"))


def _without(globs: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(glob.removeprefix("!") for glob in globs if glob.startswith("!"))
