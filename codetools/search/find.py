"""Searches the files of a scope: the same answer on every run, exact totals, and never more memory than asked.

The engine runs in parallel and unsorted, and what it found is sorted here. Where that would be too much to keep, a
second, sorted run gives the first rows and a third, that only counts, the total.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Protocol, TypeVar

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.search.child import Child, Ending
from codetools.search.engine import Engine
from codetools.search.entries import read_times
from codetools.search.events import Events, FileRows
from codetools.search.globs import keeper
from codetools.search.job import Job, Query, Scope
from codetools.search.long_lines import has_long_line, long_lined
from codetools.search.notes import DROPPED_RULES, Notes, OvergrownError, Passed, Unread

MOST_EVENT_BYTES = 64 << 20  # of one unsorted run
MOST_PATH_BYTES = 256 << 20
ROWS_PER_FILE = 2000  # counted without a second run

Keeps = Callable[[str], object]


class _Reads(Protocol):
    def read(self, chunk: bytes) -> bool: ...

    def found_in(self) -> Iterable[str]: ...


Reader = TypeVar("Reader", bound=_Reads)


class Pace(Record):
    """How long a search may take: until `deadline` (`time.monotonic`), or until `check` raises."""

    deadline: float
    check: Callable[[], None] | None = None


class Found(Record):
    """What a search found, in path order. Totals are None where they are not known.

    `files` (of `find_matches`) have rows; `counts` (of the others) are paths with their matching lines. `binary` are
    the files that hold NUL bytes and a match.
    """

    files: tuple[FileRows, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    binary: tuple[str, ...] = ()
    total_matches: int | None = 0
    total_files: int | None = 0
    searched: int | None = None
    unread: tuple[Unread, ...] = ()
    timed_out: bool = False
    freed: tuple[str, ...] = ()  # FIFOs in the place of ignore files
    large: tuple[str, ...] = ()  # files too large to search
    long: tuple[str, ...] = ()  # files with a match and a line too long to show
    withheld: tuple[str, ...] = ()  # entries of `scope.withheld`
    kept: tuple[str, ...] = ()  # suspects that were not passed over, because an ignore file names them with `!`
    passed: Mapping[str, int] | None = None  # how many entries were passed over, by reason; None where nobody counted


class Listing(Record):
    """The files of a scope in no order, and what was passed over where that was asked for."""

    paths: tuple[str, ...]
    passed: tuple[Passed, ...] = ()
    unread: tuple[Unread, ...] = ()
    is_complete: bool = True
    freed: tuple[str, ...] = ()


def find_matches(
    engine: Engine,
    scope: Scope,
    query: Query,
    need: int,
    pace: Pace,
    keeps: Keeps | None,
    suspects: Keeps | None = None,
) -> Found:
    """Return the first `need` matching lines in path order, and exact totals.

    With `suspects` what is passed over is counted, and paths of which it is true are told if a tree's rules keep them.
    """
    if scope.is_file and has_long_line(scope.fd):
        return _of_long(engine, scope, query, ("",), pace, Found(searched=1))
    most_per_file = max(need, ROWS_PER_FILE)
    first = _Search(engine, pace, suspects)
    job = Job(scope, query, "events", most_per_file=most_per_file)
    events = first.run(job, lambda: Events(need, MOST_EVENT_BYTES, keeps=keeps))
    events.close()
    is_counted = all(file.matched < most_per_file for file in events.files if not file.is_binary)
    last = first
    if first.ending.was_enough:
        is_counted = False
        last = first.another()
        sorted_job = job.but(most_per_file=need, is_sorted=True)
        events = last.run(sorted_job, lambda: Events(need, 0, enough_matches=need, keeps=keeps))
        events.close()
    files = sorted((file for file in events.files if not file.is_binary), key=lambda file: path_order(file.path))
    total_matches: int | None = sum(file.matched for file in files)
    total_files: int | None = len(files)
    is_timed_out = last.ending.timed_out
    if not is_counted and not is_timed_out:
        counter = last.another()
        counted = _count(counter, scope, query, keeps)
        total_matches, total_files = counted.total_matches, counted.total_files
        last = last if counted.timed_out else counter
    found = Found(
        files=tuple(files),
        binary=tuple(sorted((file.path for file in events.files if file.is_binary), key=path_order)),
        total_matches=total_matches,
        total_files=total_files,
        searched=events.searched,
        unread=tuple(last.notes.unread),
        timed_out=is_timed_out,
        freed=tuple(last.notes.freed),
        **last.told(),
    )
    long = tuple(path for path in (*last.long, *last.notes.named("long")) if keeps is None or keeps(path))
    return _of_long(engine, scope.but(paths=long, type=None), query, long, pace, found) if long else found


def _of_long(engine: Engine, scope: Scope, query: Query, paths: tuple[str, ...], pace: Pace, found: Found) -> Found:
    """Return what was found, and which of the files with a line too long to show hold a match."""
    more = find_files(engine, scope, query, "paths", pace, None)
    matched = frozenset(path for path, _ in more.counts)
    searched = None if found.searched is None or scope.is_file else found.searched + len(paths)
    return found.but(
        long=tuple(path for path in paths if path in matched or (scope.is_file and matched)),
        searched=1 if scope.is_file else searched,
        unread=(*found.unread, *more.unread),
        timed_out=found.timed_out or more.timed_out,
    )


def find_files(
    engine: Engine,
    scope: Scope,
    query: Query,
    output: Literal["paths", "counts"],
    pace: Pace,
    keeps: Keeps | None,
    suspects: Keeps | None = None,
) -> Found:
    """Return every file with a match, binary ones included; with `counts`, its number of matching lines too."""
    search = _Search(engine, pace, suspects)
    reader = search.run(Job(scope, query, output), _Separated)
    found = reader.counts() if output == "counts" else tuple((path, 0) for path in reader.paths())
    kept = sorted((row for row in found if keeps is None or keeps(row[0])), key=lambda row: path_order(row[0]))
    return Found(
        counts=tuple(kept),
        total_matches=sum(count for _, count in kept) if output == "counts" else None,
        total_files=len(kept),
        unread=tuple(search.notes.unread),
        timed_out=search.ending.timed_out or search.ending.was_enough,
        freed=tuple(search.notes.freed),
        **search.told(),
    )


def merged(one: Found, other: Found) -> Found:
    """Return what was found in two scopes that share no file."""
    totals = {
        name: None if None in (values := (getattr(one, name), getattr(other, name))) else sum(values)
        for name in ("total_matches", "total_files", "searched")
    }
    return one.but(
        files=tuple(sorted((*one.files, *other.files), key=lambda file: path_order(file.path))),
        counts=tuple(sorted((*one.counts, *other.counts), key=lambda row: path_order(row[0]))),
        binary=tuple(sorted((*one.binary, *other.binary), key=path_order)),
        unread=(*one.unread, *other.unread),
        large=(*one.large, *other.large),
        long=(*one.long, *other.long),
        timed_out=one.timed_out or other.timed_out,
        **totals,
    )


def list_files(engine: Engine, scope: Scope, pace: Pace, *, explains: bool = False) -> Listing:
    """Return the files that a search of this scope would see; with `explains` also what it passes over."""
    listing = StartedListing(engine, scope, explains=explains)
    try:
        return listing.finish(pace)
    finally:
        listing.stop()


class StartedListing:
    """A listing that runs beside other work; `stop` it in the end, whatever happened."""

    def __init__(self, engine: Engine, scope: Scope, *, explains: bool = False) -> None:
        self._engine = engine
        self._reader, self._notes = _Separated(), Notes(engine.note)
        self._keeps = scope_keeper(scope)
        job = Job(scope, None, "paths", explains=explains)
        self._child = Child(engine.program(job), self._reader.read, self._notes.read)

    def finish(self, pace: Pace) -> Listing:
        """Wait for all of it, or for the end of its time."""
        ending = self._child.finish(pace.deadline, pace.check)
        self._notes.close()
        _raise_overgrown(ending, self._notes)
        _raise_failure(self._engine, ending, self._notes)
        paths = (path for path in self._reader.paths() if self._keeps is None or self._keeps(path))
        notes, is_complete = self._notes, ending.status is not None
        passed = tuple(entry for entry in notes.passed if entry.why != "rules")
        freed = (*self._child.freed, *notes.named("rules"))
        return Listing(tuple(paths), passed, tuple(notes.unread), is_complete, freed)

    def stop(self) -> None:
        """End the process if it still runs."""
        self._child.stop()


def scope_keeper(scope: Scope) -> Keeps | None:
    """Return the test of a scope's globs, which every path must pass whatever the engine already left out."""
    kept = None if scope.is_file else keeper(scope.only, scope.without)
    if kept is None or not scope.below:
        return kept
    return lambda path: kept(scope.below + path)


def path_order(path: str) -> str:
    """Return the key that sorts paths name by name, as a walk meets them."""
    return path.replace("/", "\0")


def _count(search: "_Search", scope: Scope, query: Query, keeps: Keeps | None) -> Found:
    if query.is_multiline:  # an engine counts other things there than the rows it prints
        events = search.run(
            Job(scope, query.but(before=0, after=0), "events"), lambda: Events(0, 0, keeps=keeps, is_tally=True)
        )
        if search.is_cut():
            return Found(total_matches=None, total_files=None, timed_out=True)
        return Found(total_matches=events.total, total_files=events.total_files)
    reader = search.run(Job(scope, query, "counts", has_binary=False), _Separated)
    if search.is_cut():
        return Found(total_matches=None, total_files=None, timed_out=True)
    kept = [count for path, count in reader.counts() if keeps is None or keeps(path)]
    return Found(total_matches=sum(kept), total_files=len(kept))


class _Search:
    """Runs jobs about one question. Once a file was met that is too large, none of its jobs reads such a file.

    `long` are those with a line too long to show, once one was met.
    """

    def __init__(
        self,
        engine: Engine,
        pace: Pace,
        suspects: Keeps | None,
        *,
        is_bounded: bool = False,
        long: tuple[str, ...] = (),
    ) -> None:
        self.long = long
        self._watches_lines = True
        self._engine = engine
        self._pace = pace
        self._suspects = suspects
        self._is_bounded = is_bounded

    def another(self) -> "_Search":
        """Return one for the next job."""
        return _Search(self._engine, self._pace, self._suspects, is_bounded=self._is_bounded, long=self.long)

    def run(self, job: Job, new_reader: Callable[[], Reader]) -> Reader:
        """Do a job, and return what has read the answer."""
        while True:
            explains = self._suspects is not None or self._is_bounded
            reader = new_reader()
            self.notes = Notes(self._engine.note, tally=True, suspects=self._suspects)
            job = job.but(scope=job.scope.but(skipped=self.long))
            program = self._engine.program(job.but(explains=explains, is_bounded=self._is_bounded))
            program = program if self._watches_lines else program.but(watches_lines=False)
            with Child(program, reader.read, self.notes.read) as child:
                self.ending = child.finish(self._pace.deadline, self._pace.check)
            self.notes.close()
            self.notes.freed = [*child.freed, *self.notes.named("rules")]
            _raise_overgrown(self.ending, self.notes)
            if self.ending.met_long:
                listing = list_files(self._engine, job.scope.but(skipped=()), self._pace)
                met, self.long = self.long, long_lined(job.scope.fd, listing.paths)
                self._watches_lines = self.long != met  # else it is none of those that are listed
                continue
            if not self.ending.met_large and (self._is_bounded or not _has_large(job.scope, reader.found_in())):
                break
            self._is_bounded = True
        _raise_failure(self._engine, self.ending, self.notes)
        return reader

    def is_cut(self) -> bool:
        """Whether the last job was stopped."""
        return self.ending.status is None

    def told(self) -> dict[str, Any]:
        """Return what the last job passed over, as fields of `Found`."""
        notes = self.notes
        is_counted = self._suspects is not None and notes.is_whole and not self.is_cut()
        return {
            "large": notes.named("large"),
            "withheld": notes.named("withheld"),
            "kept": notes.named("kept"),
            "passed": notes.counts if is_counted else None,
        }


def _has_large(scope: Scope, paths: Iterable[str]) -> bool:
    """Whether something was found in a file that is too large: at its very beginning, before that was noticed."""
    most = scope.most_file_bytes
    if most is None or scope.is_file:
        return False
    return any(size > most for _, size, _ in read_times(scope.fd, paths))


def _raise_overgrown(ending: Ending, notes: Notes) -> None:
    """Raise `OvergrownError` where an ignore file holds the engine up, or was dropped without being named."""
    if ending.met_rules or DROPPED_RULES in notes.errors:
        raise OvergrownError


def _raise_failure(engine: Engine, ending: Ending, notes: Notes) -> None:
    """Raise what stopped the engine; a file that it could not read did not."""
    if ending.status in (0, 1, None):
        return
    if ending.status == 2 and notes.errors.strip():
        raise engine.failure(notes.errors)
    if ending.status != 2 or not notes.unread:
        raise Failure("internal", f"{engine.name} ended with status {ending.status}.", details={"reason": notes.errors})


class _Separated:
    """Reads paths that end in NUL, and counts after them that end in a line feed."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self._bytes = 0

    def read(self, chunk: bytes) -> bool:
        self._chunks.append(chunk)
        self._bytes += len(chunk)
        return self._bytes < MOST_PATH_BYTES

    def found_in(self) -> Iterable[str]:
        """Return the paths alone, of either form."""
        return (part.rpartition("\n")[2].removeprefix("./") for part in self._parts()[:-1])

    def paths(self) -> list[str]:
        return [path.removeprefix("./") for path in self._parts()[:-1]]

    def counts(self) -> tuple[tuple[str, int], ...]:
        rows = []
        path, *rest = b"".join(self._chunks).split(b"\0")
        for part in rest:
            count, line_feed, following = part.partition(b"\n")
            if line_feed:
                rows.append((path.decode("utf-8", "surrogateescape").removeprefix("./"), int(count)))
            path = following
        return tuple(rows)

    def _parts(self) -> list[str]:
        return b"".join(self._chunks).decode("utf-8", "surrogateescape").split("\0")
