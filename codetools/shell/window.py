"""The head and the tail of a stream of any length, in bounded memory."""

from collections import deque

from codetools.core.record import Record

HEAD_PERCENT = 80


class Piece(Record):
    """Bytes of one stream that came one after another."""

    stream: int
    content: bytes


class View(Record):
    """What is shown of a stream: all of it in `head`, or its two ends, cut on whole lines where there are any."""

    head: tuple[Piece, ...]
    tail: tuple[Piece, ...]
    total_bytes: int
    total_lines: int
    is_cut: bool

    @property
    def shown_bytes(self) -> int:
        """The bytes in both ends."""
        return sum(len(piece.content) for piece in (*self.head, *self.tail))

    @property
    def head_lines(self) -> int:
        """The whole lines before the cut."""
        return sum(piece.content.count(b"\n") for piece in self.head)

    @property
    def tail_lines(self) -> int:
        """The lines after the cut, the last of which may be unfinished."""
        return count_lines(b"".join(piece.content for piece in self.tail))


class Window:
    """Keeps at most about `limit` bytes: the first 80 percent of them, and the last 20, or another share."""

    def __init__(self, limit: int, head_percent: int = HEAD_PERCENT) -> None:
        self._head_room = limit * head_percent // 100
        self._tail_limit = limit - self._head_room
        self._head: list[Piece] = []
        self._tail: deque[Piece] = deque()
        self._tail_bytes = 0
        self._total = 0
        self._newlines = 0
        self._last = b""

    def add(self, stream: int, chunk: bytes, newlines: int) -> None:
        """Take in the next chunk, whose line ends are counted."""
        self._total += len(chunk)
        self._newlines += newlines
        self._last = chunk[-1:]
        if self._head_room:
            first, chunk = chunk[: self._head_room], chunk[self._head_room :]
            self._head_room -= len(first)
            self._head.append(Piece(stream, first))
        if not chunk or not self._tail_limit:
            return
        self._tail.append(Piece(stream, chunk[-self._tail_limit :]))
        self._tail_bytes += len(self._tail[-1].content)
        while self._tail_bytes - len(self._tail[0].content) >= self._tail_limit:
            self._tail_bytes -= len(self._tail.popleft().content)

    def view(self) -> View:
        """Return what is shown."""
        lines = self._newlines + (1 if self._last not in (b"", b"\n") else 0)
        pieces = _joined([*self._head, *self._tail])
        if sum(len(piece.content) for piece in pieces) == self._total:
            return View(tuple(pieces), (), self._total, lines, False)
        head, tail = _joined(self._head), _joined(list(self._tail))
        head = _slice(head, 0, _head_end(_bytes(head)))
        tail = _slice(tail, _tail_start(_bytes(tail)), self._tail_bytes)
        return View(tuple(head), tuple(tail), self._total, lines, True)


def count_lines(content: bytes) -> int:
    """Return how many lines bytes hold, an unfinished last one among them."""
    return content.count(b"\n") + (1 if content and not content.endswith(b"\n") else 0)


def unfinished_bytes(content: bytes) -> int:
    """Return how many bytes at the end are the beginning of a character that is not there."""
    for length in range(1, min(4, len(content)) + 1):
        byte = content[-length]
        if byte & 0xC0 == 0x80:
            continue
        needed = 1 if byte < 0xC2 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
        return length if length < needed else 0
    return 0


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Return the pieces with neighbours of one stream made one."""
    joined: list[tuple[int, list[bytes]]] = []
    for piece in pieces:
        if not joined or joined[-1][0] != piece.stream:
            joined.append((piece.stream, []))
        joined[-1][1].append(piece.content)
    return [Piece(stream, b"".join(contents)) for stream, contents in joined]


def _slice(pieces: list[Piece], start: int, end: int) -> list[Piece]:
    """Return the pieces that hold the bytes from `start` to `end`."""
    found: list[Piece] = []
    for piece in pieces:
        content = piece.content[max(0, start) : max(0, end)]
        found += [Piece(piece.stream, content)] if content else []
        start -= len(piece.content)
        end -= len(piece.content)
    return found


def _bytes(pieces: list[Piece]) -> bytes:
    return b"".join(piece.content for piece in pieces)


def _head_end(content: bytes) -> int:
    """Return where the last whole line ends, or the last character where that line is most of it all."""
    end = content.rfind(b"\n") + 1
    return end if 2 * end >= len(content) else len(content) - unfinished_bytes(content)


def _tail_start(content: bytes) -> int:
    start = content.find(b"\n") + 1
    if start > 0 and 2 * start <= len(content):
        return start
    return next((index for index, byte in enumerate(content[:4]) if byte & 0xC0 != 0x80), 0)
