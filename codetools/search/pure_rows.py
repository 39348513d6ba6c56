"""Searches one file's content in Python, and writes the rows that ripgrep's JSON printer would."""

import base64
import json
import re
from collections.abc import Callable
from functools import cached_property
from itertools import islice
from typing import Any

from codetools.search.job import Job, Query
from codetools.search.sieve import Sieve

Write = Callable[[bytes], None]


class FileText:
    """One file's content, and its lines of text; a UTF-16 file with a byte order mark is decoded first."""

    def __init__(self, content: bytes) -> None:
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            content = content.decode("utf-16", "replace").encode("utf-8", "replace")
        self.content = content.removeprefix(b"\xef\xbb\xbf")

    @cached_property
    def binary_offset(self) -> int:
        """Where the first NUL byte stands, or -1."""
        return self.content.find(b"\0")

    @cached_property
    def text(self) -> str:
        """The content decoded; NUL bytes end lines."""
        content = self.content.replace(b"\0", b"\n") if self.binary_offset >= 0 else self.content
        return content.decode("utf-8", "surrogateescape")


def events(
    job: Job, query: Query, expression: "re.Pattern[str]", sieve: Sieve, path: str, file: FileText, write: Write
) -> bool:
    """Write what was found in a file; return whether anything was."""
    if sieve.needle not in file.content or (file.binary_offset >= 0 and not job.has_binary):
        return False
    most = job.most_per_file if job.output != "paths" else 1
    if query.is_multiline:
        blocks = _across(expression, file.text, most)
    else:
        blocks = _by_line(query, expression, sieve, file.text, most, 0 if job.output == "events" else 1)
    if not blocks:
        return False
    name = path.encode("utf-8", "surrogateescape")
    if job.output == "paths":
        write(name + b"\0")
    elif job.output == "counts":
        count = sum(len(block.spans) for block in blocks) if query.is_multiline else len(blocks)
        write(name + b"\0%d\n" % count)
    else:
        _write_rows(query, path, file, blocks, write)
    return True


class _Block:
    """A matching line, or the lines that one match spans, with the places of its matches in the whole text."""

    def __init__(self, start: int, end: int, line: int) -> None:
        self.start, self.end, self.line = start, end, line
        self.spans: list[tuple[int, int]] = []


def _by_line(
    query: Query, expression: "re.Pattern[str]", sieve: Sieve, text: str, most: int | None, most_spans: int = 0
) -> list[_Block]:
    """Return the matching lines; `most_spans` are found in each, 0: all."""
    blocks: list[_Block] = []
    flat = text.replace("\r", "\n") if "\r" in text else text  # either ends what a match may span
    start, number = 0, 1
    while start < len(text) and (most is None or len(blocks) < most):
        if not query.is_inverted:
            place = sieve.search(flat, start)
            left = text.rfind("\n", start, place) + 1 or start
            if place < 0 or left == len(text):
                break
            number += text.count("\n", start, left)
            start = left
        end = text.find("\n", start) + 1 or len(text)
        found = _spans(expression, text[start:end].removesuffix("\n").removesuffix("\r"), most_spans)
        if bool(found) != query.is_inverted:
            block = _Block(start, end, number)
            block.spans = [(start + left, start + right) for left, right in found]
            blocks.append(block)
        start, number = end, number + 1
    return blocks


def _spans(expression: "re.Pattern[str]", line: str, most: int = 0) -> list[tuple[int, int]]:
    """Return the matches in a line; none holds a carriage return, which is an end to `^` and `$`, as in ripgrep."""
    if "\r" not in line:
        return [match.span() for match in islice(expression.finditer(line), most or None)]
    found: list[tuple[int, int]] = []
    start = 0
    for part in line.split("\r"):
        matches = islice(expression.finditer(part), most or None)
        found += [(start + match.start(), start + match.end()) for match in matches]
        start += len(part) + 1
    return found


def _across(expression: "re.Pattern[str]", text: str, most: int | None) -> list[_Block]:
    blocks: list[_Block] = []
    line, counted = 1, 0
    for match in expression.finditer(text):
        start, end = match.span()
        if start == len(text) and start > 0 and start == end:
            break
        left = text.rfind("\n", 0, start) + 1
        right = text.find("\n", max(start, end - 1) if end > start else end)
        right = len(text) if right < 0 else right + 1
        if blocks and left <= blocks[-1].end:  # as ripgrep, which makes one row of matches whose lines adjoin
            blocks[-1].end = max(blocks[-1].end, right)
        else:
            if most is not None and len(blocks) >= most:
                break
            line += text.count("\n", counted, left)
            counted = left
            blocks.append(_Block(left, right, line))
        blocks[-1].spans.append((start, end))
    return blocks


def _write_rows(query: Query, path: str, file: FileText, blocks: list[_Block], write: Write) -> None:
    shown_path = _value(path)
    write(_event("begin", {"path": shown_path}))
    text, position, number = file.text, 0, 1
    offset = 0

    def row(kind: str, start: int, end: int, line: int, spans: list[tuple[int, int]]) -> None:
        nonlocal position, offset
        offset += _size(text[position:start])
        position = start
        matches = [
            {
                "match": _value(text[left:right]),
                "start": _size(text[start:left]),
                "end": _size(text[start:right]),
            }
            for left, right in spans
        ]
        data = {"path": shown_path, "lines": _value(text[start:end]), "line_number": line}
        write(_event(kind, {**data, "absolute_offset": offset, "submatches": matches}))

    done = 0
    for index, block in enumerate(blocks):
        after = blocks[index + 1].start if index + 1 < len(blocks) else len(text)
        for start, end, number in _lines_before(text, block, max(done, 0), query.before):
            row("context", start, end, number, [])
        row("match", block.start, block.end, block.line, block.spans)
        done, number = block.end, block.line + max(1, text.count("\n", block.start, block.end))
        for _ in range(query.after):
            if done >= after:
                break
            end = text.find("\n", done) + 1 or len(text)
            row("context", done, end, number, [])
            done, number = end, number + 1
    offset_shown = file.binary_offset if file.binary_offset >= 0 else None
    write(_event("end", {"path": shown_path, "binary_offset": offset_shown}))


def _lines_before(text: str, block: _Block, floor: int, count: int) -> list[tuple[int, int, int]]:
    found: list[tuple[int, int, int]] = []
    end, number = block.start, block.line
    while len(found) < count and end > floor:
        start = text.rfind("\n", 0, end - 1) + 1
        number -= 1
        found.append((start, end, number))
        end = start
    return found[::-1]


def _event(kind: str, data: dict[str, Any]) -> bytes:
    return json.dumps({"type": kind, "data": data}, separators=(",", ":")).encode() + b"\n"


def _value(text: str) -> dict[str, str]:
    try:
        text.isascii() or text.encode()
    except UnicodeEncodeError:
        return {"bytes": base64.b64encode(text.encode("utf-8", "surrogateescape")).decode()}
    return {"text": text}


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))
