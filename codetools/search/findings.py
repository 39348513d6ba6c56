"""What `find` finds: criteria made of the words given, a walk under the ignore rules, and an order."""

import os
from collections.abc import Callable
from typing import Literal

from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.search.area import Area, Hidden
from codetools.search.criteria import (
    DAY_SECONDS,
    MINUTE_SECONDS,
    Between,
    Criteria,
    Kind,
    age_in_units,
    moment,
    name_matcher,
    now_seconds,
    size_range,
    whole_kind,
)
from codetools.search.descent import MOST_LEVELS, Descended, Descent, Row, row_of
from codetools.search.find import Pace, path_order
from codetools.search.waiting import is_over
from codetools.system.bounded import ObjectKind, kind_of_mode

MOST_LEFT_OVER = 10_000  # files looked at after the end of the time, of those that an engine had listed


class Wanted(Record):
    """What is asked for, in the words it was asked in. `mtime_of` returns the time of a file that is named."""

    start: Path
    mtime_of: Callable[[str], float]
    inside: tuple[str, ...]
    name: str | None = None
    ignores_case: bool = False
    kind: Kind | None = None
    sizes: tuple[str, ...] = ()
    newer: str | None = None
    older: str | None = None
    mtime: str | None = None
    mmin: str | None = None
    least_depth: int = 0
    most_depth: int | None = None
    is_empty: bool = False
    regex: str | None = None
    order: Literal["newest", "name"] = "newest"


class FoundRow(Record):
    """One entry by its path below the start."""

    path: str
    size: int
    mtime: float
    kind: ObjectKind


class Findings(Record):
    """What was found, in order, and what was passed over: `excluded` at the top, by default excludes alone."""

    rows: tuple[FoundRow, ...]
    total: int
    unread: tuple[tuple[str, str], ...] = ()
    too_deep: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    timed_out: bool = False


def find_entries(areas: tuple[Area, ...], wanted: Wanted, most: int, pace: Pace) -> Findings:
    """Return the first `most` wanted entries of an area, and of those that its links lead to, by their path below it.

    Raise `usage` for a word that cannot be read.
    """
    criteria = _criteria(wanted)
    walked, is_listed = Descended(), True
    ignored: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    for area in areas:
        depth = area.below.count("/")
        if wanted.most_depth is not None and depth >= wanted.most_depth:
            continue
        hidden = area.hidden(pace, None if wanted.most_depth is None else wanted.most_depth - depth)
        is_seen = hidden.seen is None or hidden.seen.is_complete
        is_listed = is_listed and is_seen
        part = _walk(area, hidden, criteria, wanted, pace) if is_seen else _left_over(area, hidden, criteria, wanted)
        walked.add(part)
        ignored += tuple(area.below + path for path in hidden.paths)
        by_default = {entry.path for entry in (hidden.seen.passed if hidden.seen else ()) if entry.why == "default"}
        if not area.below:
            excluded = tuple(path for path in hidden.paths if path in by_default and "/" not in path)
    area, rows, is_matched = areas[0], walked.rows, True
    if wanted.regex is not None:
        from codetools.search.path_regex import matching_paths

        paths = [path for path, *_ in rows]
        matched = matching_paths(
            area.engine, wanted.inside, wanted.regex, paths, pace, ignores_case=wanted.ignores_case
        )
        rows, is_matched = [row for row in rows if row[0] in matched.paths], matched.is_whole
    rows.sort(key=(lambda row: path_order(row[0])) if wanted.order == "name" else _newest_first)
    shown = rows[:most]
    return Findings(
        rows=tuple(FoundRow(path, size, mtime, kind_of_mode(mode)) for path, size, mtime, mode in shown),
        total=len(rows),
        unread=tuple(sorted(walked.unread)),
        too_deep=tuple(walked.too_deep),
        ignored=ignored,
        excluded=excluded,
        timed_out=not (is_listed and walked.is_whole and is_matched),
    )


def _criteria(wanted: Wanted) -> Criteria:
    now = now_seconds()
    times: list[Between] = []
    if wanted.newer is not None:
        since = moment(wanted.newer, "newer", now, wanted.mtime_of)
        times.append(Between(least=_after(since)))
    if wanted.older is not None:
        times.append(Between(below=moment(wanted.older, "older", now, wanted.mtime_of)))
    if wanted.mtime is not None:
        times.append(age_in_units(wanted.mtime, "mtime", DAY_SECONDS, now))
    if wanted.mmin is not None:
        times.append(age_in_units(wanted.mmin, "mmin", MINUTE_SECONDS, now))
    kind, name, is_path, matches = whole_kind(wanted.kind), wanted.name, False, None
    if name is not None:
        if name.endswith("/") and name.strip("/"):
            name, kind = name.rstrip("/"), _directory(kind)
        matches, is_path = name_matcher(name, ignores_case=wanted.ignores_case)
    sizes = tuple(size_range(size) for size in wanted.sizes)
    return Criteria(matches, is_path, kind, sizes, tuple(times), wanted.is_empty)


def _after(moment: float) -> float:
    """Return the least time that is later."""
    import math

    return math.nextafter(moment, math.inf)


def _directory(kind: str) -> str:
    if kind not in ("", "directory"):
        raise Failure("usage", f"find: a name that ends in / is a directory's, and kind is {kind}.")
    return "directory"


def _walk(area: Area, hidden: Hidden, criteria: Criteria, wanted: Wanted, pace: Pace) -> Descended:
    deepest = MOST_LEVELS + 1 if wanted.most_depth is None else wanted.most_depth
    start = len(area.below)

    def hides(path: str) -> bool:
        return hidden.holds(path[start:])

    descent = Descent(
        hides if start else hidden.holds, criteria.status, wanted.least_depth, deepest, lambda: is_over(pace)
    )
    return descent.walk(area.scope.fd, area.below)


def _left_over(area: Area, hidden: Hidden, criteria: Criteria, wanted: Wanted) -> Descended:
    """Return what is wanted of the files that the engine had listed when its time was over."""
    left = Descended()
    for path in hidden.seen.paths[:MOST_LEFT_OVER] if hidden.seen is not None else ():
        depth = (area.below + path).count("/") + 1
        is_deep = wanted.most_depth is not None and depth > wanted.most_depth
        name = area.below + path if criteria.is_path else os.path.basename(path)
        if hidden.holds(path) or is_deep or depth < wanted.least_depth or (criteria.name and not criteria.name(name)):
            continue
        try:
            status = os.stat(path, dir_fd=area.scope.fd, follow_symlinks=False)
        except OSError:
            continue
        if criteria.takes(status):
            left.rows.append(row_of(area.below + path, status))
    return left


def _newest_first(row: Row) -> tuple[float, str]:
    return (-row[2], row[0])
