"""Searches the files of a scope: the same answer on every run, exact totals, and never more memory than asked.

The engine runs in parallel and unsorted, and what it found is sorted here. Where that would be too much to keep, a
second, sorted run gives the first rows and a third, that only counts, the total.
"""

from collections.abc import Callable
from typing import Literal

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.search.child import Child, Ending
from codetools.search.engine import Engine
from codetools.search.events import Events, FileRows
from codetools.search.globs import keeper
from codetools.search.job import Job, Query, Scope
from codetools.search.notes import Notes, Passed, Unread

MOST_EVENT_BYTES = 64 << 20  # of one unsorted run
MOST_PATH_BYTES = 256 << 20
ROWS_PER_FILE = 2000  # counted without a second run

Keeps = Callable[[str], object]


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


class Listing(Record):
    """The files of a scope in no order, and what was passed over where that was asked for."""

    paths: tuple[str, ...]
    passed: tuple[Passed, ...] = ()
    unread: tuple[Unread, ...] = ()
    is_complete: bool = True
    freed: tuple[str, ...] = ()


def find_matches(engine: Engine, scope: Scope, query: Query, need: int, pace: Pace, keeps: Keeps | None) -> Found:
    """Return the first `need` matching lines in path order, and exact totals."""
    most_per_file = max(need, ROWS_PER_FILE)
    job = Job(scope, query, "events", most_per_file=most_per_file)
    events = Events(need, MOST_EVENT_BYTES, keeps=keeps)
    ending, notes = _run(engine, job, events.read, pace)
    events.close()
    is_counted = all(file.matched < most_per_file for file in events.files if not file.is_binary)
    if ending.was_enough:
        is_counted = False
        events = Events(need, 0, enough_matches=need, keeps=keeps)
        ending, notes = _run(engine, job.but(most_per_file=need, is_sorted=True), events.read, pace)
        events.close()
    files = sorted((file for file in events.files if not file.is_binary), key=lambda file: path_order(file.path))
    total_matches: int | None = sum(file.matched for file in files)
    total_files: int | None = len(files)
    is_timed_out = ending.timed_out
    if not is_counted and not is_timed_out:
        counted = Found(timed_out=True) if query.is_multiline else _count(engine, scope, query, pace, keeps)
        is_total = not counted.timed_out
        total_matches, total_files = (counted.total_matches, counted.total_files) if is_total else (None, None)
    return Found(
        files=tuple(files),
        binary=tuple(sorted((file.path for file in events.files if file.is_binary), key=path_order)),
        total_matches=total_matches,
        total_files=total_files,
        searched=events.searched,
        unread=tuple(notes.unread),
        timed_out=is_timed_out,
        freed=tuple(notes.freed),
    )


def find_files(
    engine: Engine, scope: Scope, query: Query, output: Literal["paths", "counts"], pace: Pace, keeps: Keeps | None
) -> Found:
    """Return every file with a match, binary ones included; with `counts`, its number of matching lines too."""
    reader = _Separated()
    ending, notes = _run(engine, Job(scope, query, output), reader.read, pace)
    found = reader.counts() if output == "counts" else tuple((path, 0) for path in reader.paths())
    kept = sorted((row for row in found if keeps is None or keeps(row[0])), key=lambda row: path_order(row[0]))
    return Found(
        counts=tuple(kept),
        total_matches=sum(count for _, count in kept) if output == "counts" else None,
        total_files=len(kept),
        unread=tuple(notes.unread),
        timed_out=ending.timed_out or ending.was_enough,
        freed=tuple(notes.freed),
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
        _raise_failure(self._engine, ending, self._notes)
        paths = (path for path in self._reader.paths() if self._keeps is None or self._keeps(path))
        notes, is_complete = self._notes, ending.status is not None
        return Listing(tuple(paths), tuple(notes.passed), tuple(notes.unread), is_complete, tuple(self._child.freed))

    def stop(self) -> None:
        """End the process if it still runs."""
        self._child.stop()


def scope_keeper(scope: Scope) -> Keeps | None:
    """Return the test of a scope's globs, which every path must pass whatever the engine already left out."""
    return None if scope.is_file else keeper(scope.only, scope.without)


def path_order(path: str) -> str:
    """Return the key that sorts paths name by name, as a walk meets them."""
    return path.replace("/", "\0")


def _count(engine: Engine, scope: Scope, query: Query, pace: Pace, keeps: Keeps | None) -> Found:
    reader = _Separated()
    ending, _ = _run(engine, Job(scope, query, "counts", has_binary=False), reader.read, pace)
    kept = [count for path, count in reader.counts() if keeps is None or keeps(path)]
    return Found(total_matches=sum(kept), total_files=len(kept), timed_out=ending.status is None)


def _run(engine: Engine, job: Job, read: Callable[[bytes], bool], pace: Pace) -> tuple[Ending, Notes]:
    notes = Notes(engine.note)
    with Child(engine.program(job), read, notes.read) as child:
        ending = child.finish(pace.deadline, pace.check)
    notes.close()
    notes.freed = child.freed
    _raise_failure(engine, ending, notes)
    return ending, notes


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

    def paths(self) -> list[str]:
        parts = b"".join(self._chunks).decode("utf-8", "surrogateescape").split("\0")
        return [path.removeprefix("./") for path in parts[:-1]]

    def counts(self) -> tuple[tuple[str, int], ...]:
        rows = []
        path, *rest = b"".join(self._chunks).split(b"\0")
        for part in rest:
            count, line_feed, following = part.partition(b"\n")
            if line_feed:
                rows.append((path.decode("utf-8", "surrogateescape").removeprefix("./"), int(count)))
            path = following
        return tuple(rows)
