"""Lines of spans as text for a terminal: escaped, coloured by role, with aligned columns."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from codetools.core.outcome import Span
from codetools.render.escape import escape_line, escape_span
from codetools.render.width import columns
from codetools.render.wrap import LEAST_ROOM, wrap

Line = Sequence[Span]

GAP = "  "
INDENT = 2  # columns that a broken line's rest stands to the right
RESET = "\x1b[0m"
COLORS = {
    "path": "35",
    "line_number": "32",
    "match": "1;31",
    "added": "32",
    "removed": "31",
    "heading": "1",
    "dim": "2",
    "number": "36",
    "good": "32",
    "warning": "33",
    "bad": "31",
}


def paint(text: str, role: str, *, color: bool) -> str:
    """Return escaped text in the colour of its role."""
    code = COLORS.get(role) if color and text else None
    return f"\x1b[{code}m{text}{RESET}" if code else text


def layout(lines: Iterable[Line], *, color: bool, width: int | None = None) -> Iterator[str]:
    """Yield each line as text without its line feed.

    Where neighbouring lines hold `column` spans, what stands between these is padded to one width; a cell of numbers
    stands to the right. Lines longer than `width` are broken at words, and what follows is indented.
    """
    for has_columns, group in groupby(lines, key=_has_columns):
        if has_columns:
            yield from _table([_cells(line) for line in group], color=color, width=width)
            continue
        for line in group:
            escaped = [Span(_escaped(span), span.role) for span in line]
            broken = [escaped] if width is None else wrap(escaped, width, INDENT + _blanks(escaped))
            yield from (_painted(one, color=color) for one in broken)


def _has_columns(line: Line) -> bool:
    return any(span.role == "column" for span in line)


def _escaped(span: Span) -> str:
    return escape_line(span.text) if span.role == "path" else escape_span(span.text)


def _painted(spans: Sequence[Span], *, color: bool) -> str:
    return "".join(paint(span.text, span.role, color=color) for span in spans)


def _blanks(spans: Sequence[Span]) -> int:
    """Return how far a line is indented already."""
    text = spans[0].text if spans else ""
    return len(text) - len(text.lstrip(" "))


def _cells(line: Line) -> list[list[Span]]:
    cells: list[list[Span]] = [[]]
    for span in line:
        if span.role == "column":
            cells.append([])
        else:
            cells[-1].append(Span(escape_line(span.text), span.role))
    return cells


def _table(rows: list[list[list[Span]]], *, color: bool, width: int | None) -> Iterator[str]:
    widths: dict[int, int] = {}
    for row in rows:
        for number, cell in enumerate(row):
            widths[number] = max(widths.get(number, 0), _columns(cell))
    for row in rows:
        cells = [_padded(cell, widths[number], color=color) for number, cell in enumerate(row[:-1])]
        is_number = _is_number(row[-1])
        if width is None or is_number:
            yield GAP.join([*cells, _padded(row[-1], widths[len(row) - 1] if is_number else 0, color=color)])
            continue
        left = sum(widths[number] + len(GAP) for number in range(len(row) - 1))
        if width - left < LEAST_ROOM:  # no room for columns: the row as running text
            joined = [span for cell in row for span in (*cell, Span(GAP))]
            yield from (_painted(line, color=color) for line in wrap(joined, width, 2 * INDENT))
            continue
        first, *rest = wrap(row[-1], width - left, 0)
        yield GAP.join([*cells, _painted(first, color=color)])
        yield from (" " * left + _painted(line, color=color) for line in rest)


def _padded(cell: list[Span], width: int, *, color: bool) -> str:
    blanks = " " * (width - _columns(cell))
    text = _painted(cell, color=color)
    return blanks + text if _is_number(cell) else text + blanks


def _is_number(cell: list[Span]) -> bool:
    return bool(cell) and all(span.role in ("number", "line_number") for span in cell)


def _columns(cell: list[Span]) -> int:
    return sum(columns(span.text) for span in cell)
