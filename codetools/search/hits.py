"""What a search of one place or several found, every path as it is printed."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from codetools.core.path import Path
from codetools.core.record import Record
from codetools.search.area import Area
from codetools.search.events import FileRows
from codetools.search.find import Found
from codetools.search.matches import ContextLine, Match, MatchSpan
from codetools.search.notes import Unread
from codetools.search.permitted import Withheld
from codetools.search.rows import Row, read_rows

Value = TypeVar("Value")


class Hits(Record):
    """As `Found`, but for the paths: those of results. Files stand in the order of the places, then of their paths."""

    files: tuple[tuple[Path, FileRows], ...]
    counts: tuple[tuple[Path, int], ...]
    binary: tuple[Path, ...]
    unread: tuple[tuple[Path, str], ...]
    withheld: tuple[Path, ...]
    denials: tuple[str, ...]
    total_matches: int | None
    total_files: int | None
    searched: int | None
    timed_out: bool
    large: tuple[Path, ...] = ()
    long: tuple[Path, ...] = ()
    passed: Mapping[str, int] | None = None


class Page(Record):
    """A part of the matches. `odd` are the files of which lines are shown that are not UTF-8."""

    matches: tuple[Match, ...]
    around: tuple[ContextLine, ...]
    odd: tuple[Path, ...]
    has_more: bool


def hits_of(area: Area, found: Found, withheld: Withheld) -> Hits:
    """Return what was found in one place."""

    def shown(unread: Unread) -> tuple[Path, str]:
        return area.show(unread.path), unread.reason

    return Hits(
        files=tuple((area.show(file.path), file) for file in found.files),
        counts=tuple((area.show(path), count) for path, count in found.counts),
        binary=tuple(map(area.show, found.binary)),
        unread=tuple(map(shown, found.unread)),
        withheld=tuple(map(area.show, withheld.paths)),
        denials=withheld.rules,
        total_matches=found.total_matches,
        total_files=found.total_files,
        searched=found.searched,
        timed_out=found.timed_out,
        large=tuple(map(area.show, found.large)),
        long=tuple(map(area.show, found.long)),
        passed=found.passed,
    )


def joined(places: list[Hits]) -> Hits:
    """Return what was found in all places; a file that lies in two of them counts once where its rows were kept."""
    if len(places) == 1:
        return places[0]
    files = _once((path, file) for place in places for path, file in place.files)
    counts = _once((path, count) for place in places for path, count in place.counts)
    every = [path for place in places for path, _ in (*place.files, *place.counts)]
    doubled = len(every) - len(set(every))
    twice = sum(file.matched for place in places for _, file in place.files) - sum(
        file.matched for file in files.values()
    )
    twice += sum(count for place in places for _, count in place.counts) - sum(counts.values())
    total_files = _sum(place.total_files for place in places)
    total_matches = _sum(place.total_matches for place in places)
    return Hits(
        files=tuple(files.items()),
        counts=tuple(counts.items()),
        binary=tuple(dict.fromkeys(path for place in places for path in place.binary)),
        unread=tuple(dict.fromkeys(unread for place in places for unread in place.unread)),
        withheld=tuple(dict.fromkeys(path for place in places for path in place.withheld)),
        denials=tuple(dict.fromkeys(rule for place in places for rule in place.denials)),
        total_matches=None if total_matches is None else total_matches - twice,
        total_files=None if total_files is None else total_files - doubled,
        searched=None if doubled else _sum(place.searched for place in places),
        timed_out=any(place.timed_out for place in places),
        large=tuple(dict.fromkeys(path for place in places for path in place.large)),
        long=tuple(dict.fromkeys(path for place in places for path in place.long)),
        passed=_added(place.passed for place in places),
    )


def page_of(hits: Hits, start: int, end: int, before: int, after: int, most_chars: int) -> Page:
    """Return the matches from `start` to `end` in the order of the files, and the lines around them."""
    matches: list[Match] = []
    around: list[ContextLine] = []
    odd: list[Path] = []
    position = 0
    for path, file in hits.files:
        first, position = position, position + file.matched
        if position <= start:
            continue
        if first >= end:
            return Page(tuple(matches), tuple(around), tuple(odd), True)
        rows = read_rows(file, most_chars)
        shown = [row for row in rows if row.is_match][max(0, start - first) : end - first]
        matches += [_match(path, row) for row in shown]
        near = [row for row in rows if not row.is_match and _is_near(row, shown, before, after)]
        around += [ContextLine(path, row.line, row.text) for row in near]
        if not all(row.is_utf8 for row in (*shown, *near)):
            odd.append(path)
    return Page(tuple(matches), tuple(around), tuple(odd), position > end)


def _is_near(row: Row, shown: list[Row], before: int, after: int) -> bool:
    return any(match.line - before <= row.line <= match.line + match.text.count("\n") + after for match in shown)


def _match(path: Path, row: Row) -> Match:
    spans = tuple(MatchSpan(start, end) for start, end in row.spans if end > start)
    return Match(path, row.line, row.column, row.byte_offset, row.text, spans)


def _once(rows: Iterable[tuple[Path, Value]]) -> dict[Path, Value]:
    once: dict[Path, Value] = {}
    for path, value in rows:
        once.setdefault(path, value)
    return once


def _added(counts: Iterable[Mapping[str, int] | None]) -> Mapping[str, int] | None:
    """Return the sums by reason; None where one place was not counted."""
    added: dict[str, int] = {}
    for count in counts:
        if count is None:
            return None
        for reason, number in count.items():
            added[reason] = added.get(reason, 0) + number
    return added


def _sum(numbers: Iterable[int | None]) -> int | None:
    total = 0
    for number in numbers:
        if number is None:
            return None
        total += number
    return total
