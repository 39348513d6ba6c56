"""Reads ripgrep's JSON lines as they come: rows by file, counted even where they are not kept, in bounded memory."""

import json
from collections.abc import Callable, Iterable

from codetools.core.record import Record

MOST_LINE_BYTES = 4 << 20  # a longer row is kept by its head and by what follows its text
HEAD_BYTES = 64 << 10
TAIL_BYTES = 64 << 10
CUT = b"\xff\xfe"  # in no JSON text: stands where the middle of a row was left out

_BEGIN, _MATCH, _CONTEXT, _END = b'{"type":"begin"', b'{"type":"match"', b'{"type":"context"', b'{"type":"end"'
_AFTER_TEXT = b'},"line_number":'  # a quote inside a JSON string is escaped, so this can only be the key


class FileRows(Record):
    """What was found in one file: raw rows, as many as were kept, and how many matched."""

    path: str
    rows: tuple[bytes, ...]
    matched: int
    is_binary: bool


class Events:
    """A reader of one engine's output.

    `keep_matches` rows of a file are kept, of files that `keeps`; with `is_tally` no files either. Reading ends after
    `most_bytes` (0: never), or with the file that brings the matches to `enough_matches`.
    """

    def __init__(
        self,
        keep_matches: int,
        most_bytes: int,
        *,
        enough_matches: int | None = None,
        keeps: Callable[[str], object] | None = None,
        is_tally: bool = False,
    ) -> None:
        self._is_tally = is_tally
        self._keep_matches = keep_matches
        self._most_bytes = most_bytes
        self._enough_matches = enough_matches
        self._keeps = keeps
        self._is_kept = True
        self._bytes = 0
        self._pending = b""
        self._tail: bytearray | None = None  # of a row that is being left out
        self._after: bytes = b""
        self._path = ""
        self._rows: list[bytes] = []
        self._matched = 0
        self.total = 0
        self.total_files = 0  # binary ones not
        self.files: list[FileRows] = []
        self.searched: int | None = None

    def read(self, chunk: bytes) -> bool:
        """Take what the engine wrote; False where that is enough."""
        self._bytes += len(chunk)
        *lines, rest = chunk.split(b"\n")
        if lines:
            lines[0] = self._whole(lines[0])
            for line in lines:
                self._take(line)
            self._pending = rest
        else:
            self._grow(rest)
        if self._enough_matches is not None and self.total >= self._enough_matches:
            return False
        return self._most_bytes == 0 or self._bytes < self._most_bytes

    def found_in(self) -> Iterable[str]:
        """Return the files with a match, as far as they are remembered."""
        return (file.path for file in self.files)

    def close(self) -> None:
        """Keep what was found in a file that was not searched to its end."""
        if self._matched and self._is_kept:
            self._finish(is_binary=False)

    def _grow(self, more: bytes) -> None:
        if self._tail is None:
            self._pending += more
            if len(self._pending) > MOST_LINE_BYTES:
                self._tail = bytearray(self._pending[HEAD_BYTES:])
                self._pending = self._pending[:HEAD_BYTES]
                self._shorten()
        else:
            self._tail += more
            self._shorten()

    def _shorten(self) -> None:
        """Drop the row's text as it passes, and keep what follows it."""
        assert self._tail is not None
        if self._after:
            if len(self._after) < TAIL_BYTES:
                self._after += bytes(self._tail[: TAIL_BYTES - len(self._after)])
            self._tail.clear()
            return
        found = self._tail.find(_AFTER_TEXT)
        if found >= 0:
            self._after = bytes(self._tail[found : found + TAIL_BYTES])
            self._tail.clear()
        elif len(self._tail) > len(_AFTER_TEXT):
            del self._tail[: -len(_AFTER_TEXT)]

    def _whole(self, end: bytes) -> bytes:
        if self._tail is None:
            return self._pending + end
        self._tail += end
        self._shorten()
        line = self._pending + CUT + self._after
        self._tail, self._after = None, b""
        return line

    def _take(self, line: bytes) -> None:
        if line.startswith(_MATCH):
            self._matched += 1
            if self._matched <= self._keep_matches:
                self._rows.append(line)
        elif line.startswith(_CONTEXT):
            if self._matched <= self._keep_matches:
                self._rows.append(line)
        elif line.startswith(_BEGIN):
            self._path = read_path(line)
            self._rows, self._matched = [], 0
            self._is_kept = self._keeps is None or bool(self._keeps(self._path))
        elif not self._is_kept and line.startswith(_END):
            self._rows, self._matched = [], 0
        elif line.startswith(_END):
            self._finish(is_binary=b'"binary_offset":null' not in line)
        else:
            self.searched = json.loads(line)["data"]["stats"]["searches"]

    def _finish(self, *, is_binary: bool) -> None:
        rows = () if is_binary else tuple(self._rows)
        self.total += 0 if is_binary else self._matched
        self.total_files += not is_binary
        if not self._is_tally:
            self.files.append(FileRows(self._path, rows, self._matched, is_binary))
        self._rows, self._matched = [], 0


def read_path(line: bytes) -> str:
    """Return the relative path that a row names, as bytes that are not UTF-8 survive in a string."""
    named: dict[str, str] = json.loads(line)["data"]["path"]
    path = named.get("text")
    if path is None:
        import base64

        path = base64.b64decode(named["bytes"]).decode("utf-8", "surrogateescape")
    return path.removeprefix("./")
