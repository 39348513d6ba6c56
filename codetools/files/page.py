"""A page of lines out of a file of any size: memory is bounded by the page, never by the file or a line."""

from collections.abc import Callable, Iterator

from codetools.core.record import Record

BYTES_PER_CHARACTER = 4
NEWLINE = b"\n"


class Page(Record):
    """Lines as bytes, each with its LF where it has one, cut at the cap.

    `cut` are the numbers of cut lines. `has_more` says whether lines follow, `seen_lines` how many lines were passed
    or taken: all there are, where nothing follows.
    """

    lines: tuple[bytes, ...]
    cut: tuple[int, ...]
    has_more: bool
    seen_lines: int


def take_page(
    chunks: Iterator[bytes], offset: int, limit: int, line_bytes: int, page_bytes: int, check: Callable[[], None]
) -> Page:
    """Return up to `limit` lines after the first `offset`; a line ends at LF, and a final LF begins no further line.

    A line keeps its first `line_bytes` bytes, the page ends before `page_bytes` is passed (it has one line at least).
    `check` is called between chunks and may raise.
    """
    taker = _Taker(offset, limit, line_bytes, page_bytes)
    for chunk in chunks:
        check()
        if taker.take(chunk):
            break
    return taker.page()


class _Taker:
    def __init__(self, offset: int, limit: int, line_bytes: int, page_bytes: int) -> None:
        self.to_skip = offset
        self.limit = limit
        self.line_bytes = line_bytes
        self.page_bytes = page_bytes
        self.offset = offset
        self.passed = 0
        self.lines: list[bytes] = []
        self.cut: list[int] = []
        self.size = 0
        self.has_more = False
        self.open = bytearray()
        self.is_open = False  # a line has begun and has not ended
        self.is_cut = False

    def take(self, chunk: bytes) -> bool:
        """Take in a chunk; return whether the page is complete."""
        start = self._skip(chunk) if self.to_skip else 0
        while start < len(chunk):
            if not self.is_open:
                start = self._take_plain(chunk, start)
                if start == len(chunk):
                    return False
                if self._is_full():
                    self.has_more = True
                    return True
            end = chunk.find(NEWLINE, start)
            stop = len(chunk) if end < 0 else end + 1
            self._keep(chunk, start, stop)
            if end >= 0 and not self._close():
                return True
            start = stop
        return False

    def page(self) -> Page:
        if self.is_open:
            if self.to_skip:
                self.passed += 1
            else:
                self._close()
        seen = self.passed + len(self.lines)
        return Page(tuple(self.lines), tuple(self.cut), self.has_more, seen)

    def _skip(self, chunk: bytes) -> int:
        """Pass over lines; return where the first one wanted begins in this chunk, or its length."""
        count = chunk.count(NEWLINE)
        if count < self.to_skip:
            self.to_skip -= count
            self.passed += count
            self.is_open = not chunk.endswith(NEWLINE)
            return len(chunk)
        position = _after_newline(chunk, self.to_skip)
        self.passed += self.to_skip
        self.to_skip = 0
        self.is_open = False
        return position

    def _take_plain(self, chunk: bytes, start: int) -> int:
        """Take at once the lines that end in this chunk and need no cut; return where the first other one begins."""
        room = self.limit - len(self.lines)
        if room <= 0:
            return start
        *ended, rest = chunk[start:].split(NEWLINE, room)
        size = len(chunk) - start - len(rest)
        if self.size + size <= self.page_bytes and max(map(len, ended), default=0) < self.line_bytes:
            self.lines += [line + NEWLINE for line in ended]
            self.size += size
            return start + size
        for line in ended:
            length = len(line) + 1
            if length > self.line_bytes or self.size + length > self.page_bytes:
                break
            self.lines.append(line + NEWLINE)
            self.size += length
            start += length
        return start

    def _keep(self, chunk: bytes, start: int, stop: int) -> None:
        room = self.line_bytes - len(self.open)
        self.is_open = True
        if stop - start > room:
            self.is_cut = True
            stop = start + max(room, 0)
        self.open += chunk[start:stop]

    def _close(self) -> bool:
        """End the open line; return False, and leave it out, where it does not fit into the page any more."""
        if self.lines and self.size + len(self.open) > self.page_bytes:
            self.has_more = True
            self.is_open = False
            return False
        self.lines.append(bytes(self.open))
        self.size += len(self.open)
        if self.is_cut:
            self.cut.append(self.offset + len(self.lines))
        self.open = bytearray()
        self.is_open = self.is_cut = False
        return True

    def _is_full(self) -> bool:
        return len(self.lines) >= self.limit or self.size >= self.page_bytes


def _after_newline(chunk: bytes, number: int) -> int:
    """Return the position after the `number`th LF of a chunk that has as many."""
    step = 1 << 12
    position = 0
    while number > 64:
        count = chunk.count(NEWLINE, position, position + step)
        if count >= number:
            if step <= 64:
                break
            step >>= 2
            continue
        position += step
        number -= count
    for _ in range(number):
        position = chunk.find(NEWLINE, position) + 1
    return position
