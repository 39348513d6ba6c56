"""From raw rows to matches and context lines: text, columns, spans, and a window on a line that is too long."""

import json
import re
from typing import Any

from codetools.core.record import Record
from codetools.search.events import CUT, FileRows

ELLIPSIS = "…"

_NUMBERS = rb'"line_number":(\d+),"absolute_offset":(\d+)'
_FIRST = rb'"submatches":\[\{"match":\{"(?:text|bytes)":"(?:[^"\\]|\\.)*"\},"start":(\d+),"end":(\d+)'


class Row(Record):
    """One matching line (more where a match spans lines) or one context line of a file.

    `text` has no line end and at most the asked characters; `spans` are the matches in it, as (start, end) in
    characters of `text`. `line` and `column` are 1-based, `byte_offset` is that of the first match in the file.
    `is_utf8` is False where U+FFFD stands for bytes that are no text.
    """

    line: int
    text: str
    is_match: bool
    column: int = 1
    byte_offset: int = 0
    spans: tuple[tuple[int, int], ...] = ()
    is_utf8: bool = True


def read_rows(found: FileRows, most_chars: int) -> tuple[Row, ...]:
    """Return the rows of a file in line order."""
    return tuple(_cut_row(row, most_chars) if CUT in row else _row(json.loads(row), most_chars) for row in found.rows)


def _row(event: dict[str, Any], most_chars: int) -> Row:
    data = event["data"]
    raw = _bytes(data["lines"])
    matches = [(match["start"], match["end"]) for match in data["submatches"]]
    text, spans = _decoded(raw, matches)
    column = spans[0][0] + 1 if spans else 1
    offset = data["absolute_offset"] + (matches[0][0] if matches else 0)
    text, spans = _without_line_ends(text, spans)
    text, spans = window(text, spans, most_chars)
    return Row(data["line_number"] or 1, text, event["type"] == "match", column, offset, spans, "text" in data["lines"])


def _cut_row(row: bytes, most_chars: int) -> Row:
    """Read what was kept of a row of many megabytes: its beginning and its numbers."""
    head, _, tail = row.partition(CUT)
    numbers, first = re.search(_NUMBERS, tail), re.search(_FIRST, tail)
    line, offset = (int(numbers[1]), int(numbers[2])) if numbers else (1, 0)
    start, end = (int(first[1]), int(first[2])) if first else (0, 0)
    is_text, _, quoted = head.partition(b'"lines":{"')[2].partition(b'":"')
    text = ELLIPSIS
    if is_text == b"text":
        # an escape is at most six characters; one that was cut in two is left out with what follows it
        whole = quoted[: quoted.rfind(b"\\")] if b"\\" in quoted[-12:] else quoted
        text = json.loads('"' + whole.decode("utf-8", "ignore") + '"')
    is_in_head = first is not None and text.isascii() and end <= len(text)
    text, spans = window(text, ((start, end),) if is_in_head else (), most_chars)
    text = text[: most_chars - 1].removesuffix(ELLIPSIS) + ELLIPSIS
    return Row(line, text, head.startswith(b'{"type":"match"'), start + 1, offset + start, spans)


def _bytes(value: dict[str, str]) -> bytes:
    if "text" in value:
        return value["text"].encode()
    import base64

    return base64.b64decode(value["bytes"])


def _decoded(raw: bytes, matches: list[tuple[int, int]]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Decode a line, and turn places in bytes into places in characters."""
    text = raw.decode("utf-8", "replace")
    if len(text) == len(raw) and raw.isascii():
        return text, tuple(matches)
    spans, position, characters = [], 0, 0
    for start, end in matches:
        characters += len(raw[position:start].decode("utf-8", "replace"))
        width = len(raw[start:end].decode("utf-8", "replace"))
        spans.append((characters, characters + width))
        position, characters = end, characters + width
    return text, tuple(spans)


def _without_line_ends(text: str, spans: tuple[tuple[int, int], ...]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Drop the last line end, and the carriage returns before the others."""
    text = text.removesuffix("\n").removesuffix("\r")
    if "\r\n" in text:
        places = [found.start() for found in re.finditer("\r\n", text)]
        text = text.replace("\r\n", "\n")
        spans = tuple(tuple(at - sum(place < at for place in places) for at in span) for span in spans)  # type: ignore[misc]
    most = len(text)
    return text, tuple((min(start, most), min(end, most)) for start, end in spans)


def window(text: str, spans: tuple[tuple[int, int], ...], most_chars: int) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return at most so many characters around the first match, with an ellipsis where there was more."""
    if len(text) <= most_chars:
        return text, spans
    first = spans[0][0] if spans else 0
    start = max(0, min(first - most_chars // 4, len(text) - most_chars + 1))
    start = 0 if start <= 1 else start
    before = ELLIPSIS if start else ""
    end = start + most_chars - len(before)
    after = ELLIPSIS if end < len(text) else ""
    end -= len(after)
    shift = len(before) - start
    inside = tuple(
        (max(left, start) + shift, min(right, end) + shift) for left, right in spans if left < end and right > start
    )
    return before + text[start:end] + after, inside
