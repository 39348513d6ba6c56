"""In which order two streams were written, which two pipes alone do not tell: their reader comes too late to see it.

The streams are FIFOs (unlinked as soon as they are open) watched by inotify, which queues one event for each run of
writes to one stream. Within a run nothing is lost; where a stream has more lines than runs, the first run gets the
surplus, so that lines written in quick turns come out as they were written.
"""

import errno
import os

from codetools.system import kernel

_MODIFIED = 0x2
_EVENT_BYTES = 16
_QUEUE_BYTES = 1 << 16


class Order:
    """The two streams of one command; raises OSError where the machine has no FIFOs or no watch to give."""

    def __init__(self, directory: str) -> None:
        self._watches: dict[int, int] = {}
        self.queue = kernel.call("inotify_init1", os.O_NONBLOCK | os.O_CLOEXEC)
        self._directory = directory

    def open(self, stream: int) -> tuple[int, int]:
        """Return the ends of a stream: to read, which never waits, and to write."""
        path = os.path.join(self._directory, f".{os.getpid()}-{os.urandom(4).hex()}")
        os.mkfifo(path, 0o600)
        try:
            watch = kernel.call("inotify_add_watch", self.queue, os.fsencode(path), _MODIFIED)
            read = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            write = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        finally:
            os.unlink(path)
        self._watches[watch] = stream
        return read, write

    def arrange(self, chunks: dict[int, bytes]) -> list[tuple[int, bytes]]:
        """Return what was just read of the streams, in the order in which it was written."""
        runs = self._runs()
        if len(chunks) < 2:
            return list(chunks.items())
        return arrange(chunks, runs)

    def _runs(self) -> list[int]:
        """Return the streams in the order of their runs of writes since the last time."""
        try:
            events = os.read(self.queue, _QUEUE_BYTES)
        except OSError as error:
            if error.errno != errno.EAGAIN:
                raise
            return []
        runs: list[int] = []
        for start in range(0, len(events), _EVENT_BYTES):
            watch = int.from_bytes(events[start : start + 4], "little", signed=True)
            mask = int.from_bytes(events[start + 4 : start + 8], "little")
            stream = self._watches.get(watch)
            if stream is not None and mask & _MODIFIED and (not runs or runs[-1] != stream):
                runs.append(stream)
        return runs


def arrange(chunks: dict[int, bytes], runs: list[int]) -> list[tuple[int, bytes]]:
    """Deal the lines of two streams out to their runs; what no run speaks of comes last."""
    lines = {stream: _lines(chunk) for stream, chunk in chunks.items()}
    spare = {stream: runs.count(stream) - len(lines[stream]) for stream in chunks}
    arranged: list[tuple[int, bytes]] = []
    begun: set[int] = set()
    for stream in runs:
        if stream not in lines:
            continue
        if spare[stream] > 0:  # a run whose bytes were read earlier
            spare[stream] -= 1
            continue
        count = 1 if stream in begun else 1 - spare[stream]
        begun.add(stream)
        arranged.append((stream, b"".join(lines[stream][:count])))
        del lines[stream][:count]
    arranged += [(stream, b"".join(left)) for stream, left in lines.items() if left]
    return arranged


def _lines(chunk: bytes) -> list[bytes]:
    *whole, last = chunk.split(b"\n")
    return [line + b"\n" for line in whole] + ([last] if last else [])
