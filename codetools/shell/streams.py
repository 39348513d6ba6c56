"""A command's two streams apart and byte for byte, as a pipe gets them: from memory, else from the spool they share."""

from array import array

from codetools.core.path import Path
from codetools.shell.window import View
from codetools.system.plumbing import STDOUT

MOST_BYTES = 16 << 20  # of one stream that is passed on; text of that size is held a few times over
MOST_RUNS = 1 << 20


class Runs:
    """Which bytes of a spool are whose: the streams' turns, in the order they came."""

    def __init__(self) -> None:
        self._turns = array("q")  # bytes of standard output, of standard error, and so on in turns
        self.is_whole = True

    def add(self, stream: int, count: int) -> None:
        """Note the next chunk."""
        if stream % 2 == len(self._turns) % 2 and self._turns:
            self._turns[-1] += count
            return
        if len(self._turns) >= MOST_RUNS:
            self.is_whole = False
            return
        if not self._turns and stream % 2 == 0:
            self._turns.append(0)
        self._turns.append(count)

    def of(self, stream: int) -> list[tuple[int, int]]:
        """Return a stream's places in the spool: where each begins, and its length."""
        places: list[tuple[int, int]] = []
        start = 0
        for number, count in enumerate(self._turns, 1):
            if number % 2 == stream % 2 and count:
                places.append((start, count))
            start += count
        return places


class Streams:
    """The streams of a command that has ended; `total` bytes came of each, `both` is what memory holds of them."""

    def __init__(self, both: View, total: dict[int, int], runs: Runs, spool: Path | None) -> None:
        self._both = both
        self._total = total
        self._runs = runs
        self._spool = spool

    def whole(self, stream: int) -> bytes:
        """Return a stream from its beginning: all of it, or as much as is passed on."""
        pieces = (*self._both.head, *self._both.tail)
        if not self._both.is_cut:
            return b"".join(piece.content for piece in pieces if piece.stream == stream)
        if self._spool is None or not self._runs.is_whole:
            return b"".join(piece.content for piece in self._both.head if piece.stream == stream)[:MOST_BYTES]
        return self._read(self._spool, stream)

    def remark(self, stream: int, shown: int) -> str:
        """Return a line that says what of a stream is not passed on, if anything is not."""
        if shown >= self._total[stream]:
            return ""
        name = "output" if stream == STDOUT else "error output"
        where = f"; {self._spool.printable()} holds more" if self._spool is not None else ""
        return f"[only the first {shown:,} of {self._total[stream]:,} bytes of {name} are passed on{where}]\n"

    def _read(self, spool: Path, stream: int) -> bytes:
        room = MOST_BYTES
        chunks = []
        try:
            with open(spool, "rb") as file:
                for start, count in self._runs.of(stream):
                    file.seek(start)
                    chunks.append(file.read(min(count, room)))
                    room -= len(chunks[-1])
                    if room <= 0:
                        break
        except OSError:  # it was taken away meanwhile; the remark says what is missing
            pass
        return b"".join(chunks)
