"""Finding the one place that an edit means: on original bytes, exactly before loosely, never by likeness."""

import re
from typing import Literal

from codetools.core.record import Record

Tier = Literal["exact", "line_endings", "trailing_blanks", "indentation"]

MOST_FOUND = 10_000
MOST_LINES_CLIMBED = 2_000_000  # of all places together; a text that needs more is not looked for without its indent
EOL = rb"(?:\r\n|\r(?!\n)|(?<!\r)\n)"
LINE_BREAK = re.compile(rb"\r\n|\r|\n")
LINE_START = rb"(?:\A|(?<=\n))"
BLANKS = b" \t"


class Span(Record):
    """Bytes `start` to `end` of the original, and what replaces them."""

    start: int
    end: int
    new: bytes


class Found(Record):
    """Where an edit's old text is, at the strictest tier that finds it; no spans where none does."""

    tier: Tier
    spans: tuple[Span, ...]
    is_capped: bool = False  # there may be more than these


def find(content: bytes, old: bytes, new: bytes) -> Found:
    """Return every place of `old`, overlapping ones too, at the first tier that has any; `old` is not empty."""
    places = _exact(content, old)
    if places:
        if _has_bare_newline(new) and not LINE_BREAK.search(old) and _is_crlf(content):
            new = LINE_BREAK.sub(rb"\r\n", new)
            return _found("line_endings", [Span(start, start + len(old), new) for start in places])
        return _found("exact", [Span(start, start + len(old), new) for start in places])
    if _without_outer_blanks(old) not in _without_outer_blanks(content):
        return Found("indentation", ())
    spans = _by_pattern(content, _line_ending_pattern(old), new) if LINE_BREAK.search(old) else []
    if spans:
        return _found("line_endings", spans)
    if not old.strip():
        return Found("exact", ())
    spans = _by_pattern(content, _trailing_blanks_pattern(old), new)
    if spans:
        return _found("trailing_blanks", spans)
    return _found("indentation", _shifted(content, old, new))


def find_all(content: bytes, old: bytes, new: bytes) -> Found:
    """Return every place of exactly `old` from the left, each after the end of the one before."""
    spans = []
    start = content.find(old)
    while start >= 0:
        spans.append(Span(start, start + len(old), new))
        start = content.find(old, start + len(old))
    return Found("exact", tuple(spans))


def replaced(content: bytes, spans: tuple[Span, ...]) -> bytes:
    """Return the content with disjoint, ascending spans replaced; every byte between them stays."""
    view = memoryview(content)  # a large file is copied once
    parts: list[bytes | memoryview] = []
    position = 0
    for span in spans:
        parts += [view[position : span.start], span.new]
        position = span.end
    return b"".join([*parts, view[position:]])


def line_numbers(content: bytes, positions: list[int]) -> list[int]:
    """Return the 1-based lines of ascending positions."""
    numbers = []
    line, last = 1, 0
    for position in positions:
        line += content.count(b"\n", last, position)
        last = position
        numbers.append(line)
    return numbers


def margin_of(lines: list[bytes]) -> bytes:
    """Return the blanks that every line with a text begins with."""
    indents = [line[: len(line) - len(line.lstrip(BLANKS))] for line in lines if line.strip(BLANKS)]
    first, last = min(indents), max(indents)
    size = 0
    while size < len(first) and first[size] == last[size]:
        size += 1
    return first[:size]


def shift_back(new: bytes, margin: bytes, found: bytes) -> bytes | None:
    """Return new text with the file's indentation in place of `margin`; None where a line has too little of it."""
    pieces = re.split(rb"(\r\n|\r|\n)", new)
    for index in range(0, len(pieces), 2):
        line = pieces[index]
        if not line.strip(BLANKS):
            continue
        if line.startswith(margin):
            pieces[index] = found + line[len(margin) :]
        elif found.endswith(margin):
            pieces[index] = found[: len(found) - len(margin)] + line
        elif margin.endswith(found) and line.startswith(margin[: len(margin) - len(found)]):
            pieces[index] = line[len(margin) - len(found) :]
        else:
            return None
    return b"".join(pieces)


def _found(tier: Tier, spans: list[Span]) -> Found:
    return Found(tier, tuple(spans[:MOST_FOUND]), len(spans) > MOST_FOUND)


def _exact(content: bytes, old: bytes) -> list[int]:
    found: list[int] = []
    start = content.find(old)
    while start >= 0 and len(found) <= MOST_FOUND:
        found.append(start)
        start = content.find(old, start + 1)
    return found


def _is_crlf(content: bytes) -> bool:
    """Whether every line of the content ends in CRLF."""
    first = content.find(b"\n")
    if first <= 0 or content[first - 1] != 0x0D:
        return False
    pairs = content.count(b"\r\n")
    return pairs > 0 and pairs == content.count(b"\n") == content.count(b"\r")


def _has_bare_newline(new: bytes) -> bool:
    return b"\n" in new and b"\r" not in new


def _without_outer_blanks(text: bytes) -> bytes:
    """Return a text's lines stripped: what every tier has in common, found in a time that no content makes long."""
    lines = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return b"\n".join([line.strip(BLANKS) for line in lines])


def _line_ending_pattern(old: bytes) -> bytes:
    return EOL.join(re.escape(line) for line in LINE_BREAK.split(old))


def _trailing_blanks_pattern(old: bytes) -> bytes:
    """Match each line with any blanks at its end; an unfinished last line matches as it is."""
    *lines, last = LINE_BREAK.split(old)
    whole = [re.escape(line.rstrip(BLANKS)) + rb"[ \t]*" for line in lines]
    if lines and not lines[0].rstrip(BLANKS):
        whole[0] = rb"(?<![ \t])" + whole[0]  # a long run of blanks is tried once, not from each of them
    stripped = last.rstrip(BLANKS)
    if stripped and stripped != last:
        return EOL.join([*whole, re.escape(stripped) + rb"[ \t]*(?=[\r\n]|\Z)"])
    return EOL.join([*whole, re.escape(last)])


def _by_pattern(content: bytes, pattern: bytes, new: bytes) -> list[Span]:
    compiled = re.compile(pattern)
    spans: list[Span] = []
    match = compiled.search(content)
    while match is not None and len(spans) <= MOST_FOUND:
        if not spans or match.end() != spans[-1].end:  # else the same place, with fewer of the blanks before it
            spans.append(Span(match.start(), match.end(), _with_endings(new, match[0], content)))
        match = compiled.search(content, match.start() + 1)
    return spans


def _with_endings(new: bytes, replaced_text: bytes, content: bytes) -> bytes:
    """Return new text with the line endings of what it replaces, one after the other, the last one for the rest."""
    endings = LINE_BREAK.findall(replaced_text) or (LINE_BREAK.findall(content, 0, 1 << 16)[:1])
    if not endings:
        return new
    lines = LINE_BREAK.split(new)
    parts = [lines[0]]
    for index, line in enumerate(lines[1:]):
        parts += [endings[min(index, len(endings) - 1)], line]
    return b"".join(parts)


def _shifted(content: bytes, old: bytes, new: bytes) -> list[Span]:
    """Return the places of whole lines that differ from `old` by one and the same indentation."""
    lines = LINE_BREAK.split(old)
    bodies = [line.strip(BLANKS) for line in lines]
    margin = margin_of(lines)
    anchor = max(range(len(lines)), key=lambda index: len(bodies[index]))
    pattern = re.compile(_shift_pattern(lines, margin))
    spans: list[Span] = []
    starts: set[int] = set()
    position = content.find(bodies[anchor])
    left = MOST_LINES_CLIMBED
    while position >= 0 and len(spans) <= MOST_FOUND:
        left -= anchor
        if left < 0:  # whether a place is the only one would not be known
            return []
        start = _line_start(content, position, anchor)
        if start is not None and start not in starts:
            starts.add(start)
            match = pattern.match(content, start)
            shifted = shift_back(new, margin, match[1]) if match else None
            if match and shifted is not None:
                spans.append(Span(match.start(), match.end(), _with_endings(shifted, match[0], content)))
        position = content.find(bodies[anchor], position + 1)
    return spans


def _shift_pattern(lines: list[bytes], margin: bytes) -> bytes:
    parts = []
    is_first = True
    for number, line in enumerate(lines):
        if not line.strip(BLANKS):
            is_last_empty = number == len(lines) - 1 and not line
            parts.append(b"" if is_last_empty else rb"[ \t]*")
            continue
        shift = rb"([ \t]*)" if is_first else rb"(?:\1)"
        is_first = False
        parts.append(shift + re.escape(line[len(margin) :].rstrip(BLANKS)) + rb"[ \t]*")
    end = b"" if not lines[-1] else rb"(?=[\r\n]|\Z)"
    return LINE_START + EOL.join(parts) + end


def _line_start(content: bytes, position: int, lines_above: int) -> int | None:
    """Return where the line begins that stands `lines_above` lines above a position; None above the first."""
    start = content.rfind(b"\n", 0, position) + 1
    for _ in range(lines_above):
        if start == 0:
            return None
        start = content.rfind(b"\n", 0, start - 1) + 1
    return start
