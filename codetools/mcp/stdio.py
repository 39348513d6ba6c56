"""A server that is a process of ours: messages on its standard streams, one a line."""

import os
import select
import threading
import time
from collections.abc import Callable
from typing import Any

from codetools.core.record import Record
from codetools.mcp.connection import Listener, oddity_of
from codetools.mcp.faults import fault
from codetools.mcp.protocol.lines import Lines, TooLong
from codetools.mcp.protocol.message import MAX_MESSAGE_BYTES, Id, NotAMessage, read_message, written
from codetools.mcp.waiting import Patience, TimedOut
from codetools.system.companion import Companion

STDERR_BYTES = 4096
MAX_UNASKED_BYTES = 128 << 20  # since the last message of ours
MAX_UNASKED_MESSAGES = 100_000
EXIT_SECONDS = 0.1  # in which the end of the process is heard after that of its output
JOIN_SECONDS = 1.0


class Launch(Record):
    """How a server is started: `argv[0]` is an absolute path, `directory` its working directory."""

    argv: tuple[str, ...]
    environment: dict[str, str]
    directory: str


class Stdio:
    """The process, and a thread that reads it."""

    def __init__(
        self, server: str, launch: Launch, listener: Listener, hold: Callable[[int], None] | None = None
    ) -> None:
        self._server = server
        self._listener = listener
        self._tail = b""
        self._unasked_bytes = self._unasked_messages = 0
        self._turn = threading.Lock()
        self._is_closed = False
        self._companion = Companion(launch.argv, launch.environment, launch.directory, hold)
        self._woken, self._wake = os.pipe()
        self._reader = threading.Thread(target=self._read, name=f"mcp-{server}", daemon=True)
        self._reader.start()

    def send(self, message: dict[str, Any], version: str, headers: dict[str, str], caller: Patience) -> None:
        """Write one line; raise TimedOut where it is not taken, or the failure of a server that has ended."""
        if not self._turn.acquire(timeout=caller.left()):
            raise TimedOut
        try:
            self._unasked_bytes = self._unasked_messages = 0
            if self._is_closed:
                raise fault(self._server, "is no longer connected", self.stderr(), lost=True)
            if not self._companion.write(written(message), caller.deadline):
                if caller.left():
                    self._listener.lost(self._ended("closed its input"))
                    raise fault(self._server, self._ended("closed its input"), self.stderr(), lost=True)
                raise TimedOut
        finally:
            self._turn.release()

    def abandon(self, id: Id) -> bool:
        """Return False: the server has to be told."""
        return False

    def stderr(self) -> str:
        """Return the last of what it wrote to its error output."""
        return self._tail.decode("utf-8", "replace")

    def close(self, *, at_once: bool = False, waits: bool = True) -> None:
        """End the process and its whole tree; without `waits` it is still ending when this returns."""
        with self._turn:
            if self._is_closed:
                return
            self._is_closed = True
        os.write(self._wake, b"x")
        if self._reader is not threading.current_thread():
            self._reader.join(JOIN_SECONDS)
        if waits:
            self._companion.end(at_once=at_once)
        else:
            self._companion.leave()
        for descriptor in (self._woken, self._wake):
            os.close(descriptor)

    def _read(self) -> None:
        try:
            self._follow(Lines(MAX_MESSAGE_BYTES))
        except (OSError, ValueError):  # what it read from was closed under it
            if not self._is_closed:
                raise

    def _follow(self, lines: Lines) -> None:
        """Read both streams until the output ends, the process ends, or we close."""
        companion = self._companion
        poll = select.poll()
        for descriptor in (companion.stdout, companion.stderr, companion.report, self._woken):
            poll.register(descriptor, select.POLLIN)
        while True:
            ready = {descriptor for descriptor, _ in poll.poll()}
            if self._woken in ready:
                return
            if companion.stderr in ready and not self._take_stderr():
                poll.unregister(companion.stderr)
            if companion.report in ready:
                companion.hear()
            is_over = companion.is_over or companion.ended is not None
            chunk = companion.read(companion.stdout) if is_over or companion.stdout in ready else None
            if chunk and not self._take(lines, chunk):
                return
            if chunk == b"" or (is_over and not chunk):  # a child of it may still hold the output open
                self._hear_end()
                return

    def _take_stderr(self) -> bool:
        """Keep the tail of what there is; return whether more may come."""
        chunk = self._companion.read(self._companion.stderr)
        self._tail = (self._tail + (chunk or b""))[-STDERR_BYTES:]
        return chunk != b""

    def _take(self, lines: Lines, chunk: bytes) -> bool:
        """Hand on the messages of some bytes; return whether to go on."""
        self._unasked_bytes += len(chunk)
        try:
            found = lines.feed(chunk)
        except TooLong as error:
            self._listener.lost(f"sent {error}")
            return False
        for line in found:
            self._unasked_messages += 1
            try:
                message = read_message(line)
            except NotAMessage as error:
                self._listener.oddity(oddity_of(error, line))
                continue
            self._listener.message(message)
        if self._unasked_bytes > MAX_UNASKED_BYTES or self._unasked_messages > MAX_UNASKED_MESSAGES:
            self._listener.lost(f"sent {self._unasked_messages:,} messages that nothing asked for")
            return False
        return True

    def _hear_end(self) -> None:
        """Tell why it ended: the end of the process, and its last words, may come a moment after its output's."""
        companion = self._companion
        until = time.monotonic() + EXIT_SECONDS
        while companion.ended is None and not companion.is_over and (left := until - time.monotonic()) > 0:
            if select.select([companion.report], [], [], left)[0]:
                companion.hear()
        while chunk := companion.read(companion.stderr):
            self._tail = (self._tail + chunk)[-STDERR_BYTES:]
        self._listener.lost(self._ended("closed its output"))

    def _ended(self, otherwise: str) -> str:
        ended = self._companion.ended
        return ended.removeprefix("it ").replace("was ended", "has been ended") if ended else otherwise
