"""The pipes between us and one command: made, told apart into ours and the command's, and let go of."""

import contextlib
import fcntl
import os

from codetools.core.record import Record
from codetools.system import kernel
from codetools.system.order import Order

STDOUT, STDERR = 1, 2
READ_BYTES = 1 << 18


class Ends(Record):
    """The command's ends; -1 where there is none."""

    stdin: int
    stdout: int
    stderr: int
    directory: int
    control: int
    report: int


class Plumbing:
    """Our ends: `streams` to read (descriptor to stream), `report`, `control`, `directory`, and `feed` to write.

    With `fifos_in`, a directory, the two streams are read in the order in which they were written, as far as the
    machine tells. Raises OSError where no descriptor is left.
    """

    def __init__(self, stdin: bytes | None, fifos_in: str | None, *, has_directory: bool) -> None:
        self._descriptors: list[int] = []
        self._order: Order | None = None
        self._unsent = memoryview(stdin or b"")
        self.feed = self.directory = -1
        try:
            (stdout, stdout_end), (stderr, stderr_end) = self._output(fifos_in)
            self.streams = {stdout: STDOUT, stderr: STDERR}
            _widen(stdout)
            self.report, report_end = self._pipe()
            control_end, self.control = self._pipe()
            directory_end = -1
            if has_directory:
                self.directory, directory_end = self._pipe()
            if stdin is None:
                stdin_end = self._keep(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
            else:
                stdin_end, self.feed = self._pipe()
        except OSError:
            self.close()
            raise
        self.ends = Ends(stdin_end, stdout_end, stderr_end, directory_end, control_end, report_end)
        queue = self._order.queue if self._order is not None else -1
        self._ours = {stdout, stderr, queue, self.report, self.control, self.directory, self.feed} - {-1}

    def become_theirs(self) -> None:
        """In the forked child: let go of our ends."""
        for descriptor in self._ours:
            os.close(descriptor)

    def become_ours(self) -> None:
        """After the fork: let go of the command's ends, and never wait on ours."""
        for descriptor in set(self._descriptors) - self._ours:
            self._close(descriptor)
        for descriptor in self._ours - {self.control}:
            os.set_blocking(descriptor, False)

    def read(self) -> tuple[list[tuple[int, bytes]], list[int]]:
        """Read both streams, whichever is ready, so that their order can be told; also return which have ended."""
        chunks: dict[int, bytes] = {}
        ended: list[int] = []
        for descriptor, stream in tuple(self.streams.items()):
            try:
                chunk = os.read(descriptor, READ_BYTES)
            except BlockingIOError:
                continue
            if chunk:
                chunks[stream] = chunk
                continue
            del self.streams[descriptor]
            ended.append(descriptor)
        return self._order.arrange(chunks) if self._order is not None else list(chunks.items()), ended

    def write(self) -> bool:
        """Feed the command's input as far as it takes it; return whether all of it is gone."""
        try:
            self._unsent = self._unsent[os.write(self.feed, self._unsent[:READ_BYTES]) :]
        except BlockingIOError:
            return False
        except BrokenPipeError:
            self._unsent = memoryview(b"")
        return not self._unsent

    def tell(self, word: bytes) -> None:
        """Tell the keeper a word."""
        try:
            os.write(self.control, word)
        except BrokenPipeError:  # the keeper was killed; its end shows in the report
            return

    def told(self) -> bytes:
        """Return what the command, and what stands around it, told us besides its output."""
        if self.directory < 0:
            return b""
        try:
            return os.read(self.directory, 1 << 16)
        except BlockingIOError:
            return b""

    def drop(self, descriptor: int) -> None:
        """Let go of one of our ends."""
        self._close(descriptor)

    def close(self) -> None:
        """Let go of everything; a keeper that has not been told to finish ends its tree by this."""
        for descriptor in tuple(self._descriptors):
            self._close(descriptor)

    def _output(self, directory: str | None) -> tuple[tuple[int, int], tuple[int, int]]:
        if directory is not None:
            try:
                self._order = Order(directory)
                self._keep(self._order.queue)
                stdout = self._order.open(STDOUT)
                self._descriptors += stdout
                stderr = self._order.open(STDERR)
                self._descriptors += stderr
                return stdout, stderr
            except OSError:  # no watch left, or a file system without FIFOs: the order is that of reading
                self._order = None
        return self._pipe(), self._pipe()

    def _pipe(self) -> tuple[int, int]:
        read, write = os.pipe()
        self._descriptors += (read, write)
        return read, write

    def _keep(self, descriptor: int) -> int:
        self._descriptors.append(descriptor)
        return descriptor

    def _close(self, descriptor: int) -> None:
        self._descriptors.remove(descriptor)
        os.close(descriptor)


def _widen(pipe: int) -> None:
    """Let a pipe hold as much as is read at once: fewer turns between writer and reader."""
    if kernel.IS_LINUX:
        with contextlib.suppress(OSError):  # a user's pipes have a limit
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, READ_BYTES)
