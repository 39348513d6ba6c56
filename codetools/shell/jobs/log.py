"""A job's output on disk: raw from its first byte, capped, and which bytes of it are of which stream."""

import os
from array import array
from collections.abc import Iterator
from io import FileIO

from codetools.shell.jobs.place import Place
from codetools.state.durable import read_if_there
from codetools.system.plumbing import STDERR, STDOUT

MOST_TURNS = 1 << 20
CHUNK_BYTES = 1 << 18
_NUMBER_BYTES = 8


class Log:
    """Writes a job's log. It never fails: `trouble` says why output is missing from it."""

    def __init__(self, place: Place, most_bytes: int) -> None:
        """Make the files; raises OSError."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        self._log = os.open(place.log, flags | os.O_APPEND, 0o600)
        self._turns = os.open(place.turns, flags, 0o600)
        self._room = self._most = most_bytes
        self._number = -1  # of the turn that is on
        self._length = 0
        self.trouble = ""

    def write(self, stream: int, chunk: bytes) -> None:
        """Add a chunk of a stream, as far as there is room."""
        if self.trouble:
            return
        kept = chunk[: self._room]
        is_cut = len(kept) < len(chunk)
        try:
            self._note(stream, len(kept))
            while kept:
                written = os.write(self._log, kept)
                self._room -= written
                kept = kept[written:]
        except OSError as error:
            self.trouble = f"the rest of the output could not be kept: {error.strerror}"
            return
        if is_cut:
            self.trouble = f"only the first {self._most:,} bytes of output were kept"

    def _note(self, stream: int, count: int) -> None:
        """Note whose the next bytes are, before they are there: what is noted too much is not in the log."""
        place = 0 if stream == STDOUT else 1
        if self._number + 2 >= MOST_TURNS:  # from here on it is not told whose they are
            return
        if self._number % 2 != place or self._number < 0:
            self._number += 1 if (self._number + 1) % 2 == place else 2
            self._length = 0
        self._length += count
        os.pwrite(self._turns, array("q", [self._length]).tobytes(), self._number * _NUMBER_BYTES)


def log_size(place: Place) -> int:
    """Return how many bytes of output there are by now."""
    try:
        return os.lstat(place.log).st_size
    except OSError:
        return 0


def read_log(place: Place, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Yield the bytes from `start` to `end` with their streams, as they came; raises OSError."""
    turns = _turns(place)
    with _opened(place.log) as file:
        file.seek(start)
        position = start
        for stream, until in turns:
            while position < min(until, end):
                chunk = file.read(min(CHUNK_BYTES, until - position, end - position))
                if not chunk:
                    return
                position += len(chunk)
                yield stream, chunk
            if position >= end:
                return


def start_of_tail(place: Place, lines: int, most_bytes: int) -> int:
    """Return where the last `lines` lines begin, looking back over at most `most_bytes`."""
    size = log_size(place)
    earliest = max(0, size - most_bytes)
    position, wanted = size, lines + 1  # line ends, one of which may close the last line
    with _opened(place.log) as file:
        while position > earliest:
            begin = max(earliest, position - CHUNK_BYTES)
            file.seek(begin)
            chunk = file.read(position - begin)
            if position == size and not chunk.endswith(b"\n"):
                wanted -= 1
            while wanted > 0 and (found := chunk.rfind(b"\n")) >= 0:
                wanted -= 1
                if wanted == 0:
                    return begin + found + 1
                chunk = chunk[:found]
            position = begin
    return earliest


def _turns(place: Place) -> Iterator[tuple[int, int]]:
    """Yield each turn's stream and where it ends; what no turn speaks of is standard output."""
    lengths = array("q")
    try:
        content = read_if_there(place.turns, MOST_TURNS * _NUMBER_BYTES) or b""
        lengths.frombytes(content[: len(content) // _NUMBER_BYTES * _NUMBER_BYTES])
    except OSError:
        pass
    until = 0
    for number, length in enumerate(lengths):
        until += length
        yield (STDOUT if number % 2 == 0 else STDERR), until
    yield STDOUT, 1 << 62


def _opened(path: str) -> FileIO:
    """Open a file of ours and nothing that the command may have put in its place."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    return FileIO(os.open(path, flags))
