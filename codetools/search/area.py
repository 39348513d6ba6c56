"""The place that a tool searches: entered once, asked about once, and every path in it shown so that it passes back."""

import os
import stat
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from codetools.config.settings import Settings
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.files.files import Files
from codetools.search.engine import Engine, choose_engine
from codetools.search.find import (
    Found,
    Keeps,
    Listing,
    Pace,
    find_files,
    find_matches,
    list_files,
    path_order,
    scope_keeper,
    start_listing,
)
from codetools.search.job import Query, Scope
from codetools.search.secrets import Secrets

if TYPE_CHECKING:
    from codetools.search.entries import Entry
    from codetools.search.measure import Measured

MARGIN_SECONDS = 0.2  # before the caller's own deadline, to return what there is
DENIALS = ("read(", "grep(")


class Withheld(Record):
    """Files that were not searched because they may not be shown unasked; found by their names, never by content."""

    paths: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


class Hidden:
    """Paths that are not shown; bytes that are not UTF-8 stand in them as U+FFFD, as an engine writes them."""

    def __init__(self, paths: tuple[str, ...]) -> None:
        self.paths = paths
        self._paths = frozenset(paths)

    def holds(self, path: str) -> bool:
        """Whether just this path is hidden."""
        return path in self._paths or (not path.isascii() and Path(path).printable() in self._paths)


class Area:
    """A directory or file to search. Use it in a `with`; paths of results are relative to it until shown."""

    def __init__(
        self,
        files: Files,
        settings: Settings,
        path: str,
        action: Literal["list", "read"],
        *,
        include_ignored: bool = False,
        only: tuple[str, ...] = (),
        type: str | None = None,
        engine: Engine | None = None,
    ) -> None:
        self._files = files
        self._settings = settings
        fd = files.enter(path, action)
        try:
            location = files.locate(path)
            self.base = location.written
            self._secrets = Secrets(settings.secrets, location)
            self._is_secret = self._secrets.holds
            workspace = files.workspace
            self.engine = engine or choose_engine(tuple(root.path for root in workspace.roots))
            self.is_file = not stat.S_ISDIR(os.fstat(fd).st_mode)
            rules: tuple[str, ...] = ()
            if not self.is_file and not include_ignored:
                from codetools.search.rules import rules_for

                below = location.reached[len(location.root) :].strip("/") if location.inside else ""
                excludes = tuple(name for name in settings.search.exclude if name != ".git")
                rules = rules_for(fd, below, excludes)
            self.scope = Scope(fd, self.is_file, include_ignored, _only(only), _without(only), type, rules)
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
        """Return a found path as it is printed."""
        return self._files.workspace.show(self._absolute(self.base, relative))

    def find_matches(self, query: Query, need: int, pace: Pace) -> tuple[Found, Withheld]:
        """Return the first `need` matching lines that may be shown, and which files were not searched."""
        withheld = self._start_withheld()
        listing = None if self._is_told_exactly() else start_listing(self.engine, self.scope)
        found = find_matches(self.engine, self.scope, query, need, pace, self._keeps())
        hidden = withheld(pace)
        searched = found.searched if listing is None else len(listing(pace).paths)
        return found.but(searched=None if searched is None else searched - len(hidden.paths)), hidden

    def find_files(self, query: Query, output: Literal["paths", "counts"], pace: Pace) -> tuple[Found, Withheld]:
        """Return the files with a match that may be shown, and which files were not searched."""
        withheld = self._start_withheld()
        found = find_files(self.engine, self.scope, query, output, pace, self._keeps())
        return found, withheld(pace)

    def list_files(self, pace: Pace, *, explains: bool = False) -> Listing:
        """Return the names of all files; names are shown where directories may be listed."""
        return list_files(self.engine, self.scope, pace, explains=explains)

    def hidden(self, pace: Pace, depth: int | None = None) -> Hidden:
        """Return the entries that ignore rules hide, down to `depth`; a directory stands for all below it."""
        if self.scope.include_ignored:
            return Hidden(())
        listing = list_files(self.engine, self.scope.but(depth=depth), pace, explains=True)
        paths = (entry.path for entry in listing.passed if entry.why in ("ignored", "default"))
        return Hidden(tuple(sorted(paths, key=path_order)))

    def measure(self, hidden: Hidden, depth: int, most_entries: int, pace: Pace) -> "Measured":
        """Return the tree below this directory, without what is hidden."""
        from codetools.search.measure import measure

        def is_over() -> bool:
            if pace.check is not None:
                pace.check()
            return time.monotonic() > pace.deadline

        return measure(self.scope.fd, hidden.holds, depth, most_entries, is_over)

    def entry(self) -> "Entry":
        """Return what the file itself is."""
        from codetools.search.entries import own_entry

        return own_entry(self.scope.fd, os.path.basename(self.base))

    def passed_over(self, pace: Pace) -> Listing:
        """Return what a search of this area leaves out by ignore rules, links and odd files included."""
        whole = self.scope.but(only=(), type=None)
        return list_files(self.engine, whole, pace, explains=True)

    def _is_told_exactly(self) -> bool:
        """Whether the engine alone leaves out all that the globs do, so that its count of files is right."""
        return not self.scope.only or (self.scope.type is None and not any("/" in glob for glob in self.scope.only))

    def _keeps(self) -> Keeps | None:
        if self.is_file:
            return None
        kept = scope_keeper(self.scope)
        is_secret = self._is_secret
        is_denied_by_rule = bool(self._denials())
        may_show = self._may_show

        def keeps(path: str) -> bool:
            if kept is not None and not kept(path):
                return False
            return not (is_denied_by_rule or is_secret(path)) or may_show(path)

        return keeps

    def _start_withheld(self) -> Callable[[Pace], Withheld]:
        if self.is_file:
            return lambda pace: Withheld()
        names = self._secrets.last_names
        listing = start_listing(self.engine, self.scope.but(names=names)) if names else None

        def finish(pace: Pace) -> Withheld:
            paths = listing(pace).paths if listing is not None else ()
            hidden = (path for path in paths if self._is_secret(path) and not self._may_show(path))
            return Withheld(tuple(sorted(hidden, key=path_order)), self._denials())

        return finish

    def _may_show(self, path: str) -> bool:
        return self._files.may_show(self._absolute(self.base, path))

    def _denials(self) -> tuple[str, ...]:
        return tuple(rule for rule in self._settings.denied_tools if rule.startswith(DENIALS))

    def _absolute(self, base: str, relative: str) -> str:
        return base if self.is_file or not relative else f"{base.rstrip('/')}/{relative}"


def pace_of(seconds: float, remaining: float | None, check: Callable[[], None]) -> Pace:
    """Return how long a search may take: its own limit, and a little less than what its caller waits."""
    if remaining is not None:
        seconds = min(seconds, max(0.0, remaining - MARGIN_SECONDS))
    return Pace(time.monotonic() + seconds, check)


def _only(globs: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(glob for glob in globs if not glob.startswith("!"))


def _without(globs: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(glob.removeprefix("!") for glob in globs if glob.startswith("!"))
