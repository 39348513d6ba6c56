"""What is heard of one command from its keeper, and how it ended."""

import os
import signal
import time

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.system.plumbing import READ_BYTES


class LeftProcess(Record):
    """A process of the command that still runs: on purpose in the background, or because it could not be ended."""

    pid: int
    name: str


class Ending(Record):
    """How a process ended. One of `exit_code` and `signal` (a name) is set, unless nothing was heard of it.

    `interruption` is what the `check` of the caller (or a signal handler) raised; the tree has been ended then.
    """

    exit_code: int | None
    signal: str | None
    timed_out: bool
    was_enough: bool
    interruption: BaseException | None
    left: tuple[LeftProcess, ...]
    directory: str | None
    started: float  # seconds since the epoch
    seconds: float


class Report:
    """The lines of the keeper, as `keeper.py` lists them, taken in from one descriptor."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.status: int | None = None
        self.exited_at = 0.0
        self.has_started = self.is_empty = self.has_ended = False
        self.left: list[LeftProcess] = []
        self._failed: str | None = None
        self._text = b""

    @property
    def is_over(self) -> bool:
        """Whether nothing more will be heard, or nothing ever began."""
        return self.has_ended or self._failed is not None

    def hear(self) -> None:
        """Take in what can be read; `has_ended` where nothing more will come."""
        try:
            heard = os.read(self.descriptor, READ_BYTES)
        except BlockingIOError:
            return
        if not heard:
            self.has_ended = True
            return
        *lines, self._text = (self._text + heard).split(b"\n")
        for line in lines:
            self._note(line.decode("utf-8", "replace"))

    def raise_failure(self) -> None:
        """Raise why the command could not be started, if so."""
        if self._failed is not None:
            raise _failure(self._failed)

    def exit_code(self) -> int | None:
        """Return the command's exit status, if it has one."""
        has_exited = self.status is not None and not os.WIFSIGNALED(self.status)
        return os.WEXITSTATUS(self.status) if has_exited and self.status is not None else None

    def signal(self) -> str | None:
        """Return the name of the signal that ended the command, if one did."""
        if self.status is None or not os.WIFSIGNALED(self.status):
            return None
        number = os.WTERMSIG(self.status)
        try:
            return signal.Signals(number).name
        except ValueError:  # a real-time signal
            return f"SIG{number}"

    def _note(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "started":
            self.has_started = True
        elif word == "failed":
            self._failed = rest
        elif word == "exited":
            self.status = int(rest)
            self.exited_at = time.monotonic()
        elif word == "empty":
            self.is_empty = True
        elif word in ("left", "alive"):
            pid, _, name = rest.partition(" ")
            self.left.append(LeftProcess(int(pid), name))
        elif word == "end":
            self.has_ended = True


def _failure(reported: str) -> Failure:
    number, _, stage = reported.partition(" ")
    reason = os.strerror(int(number))
    if stage == "sandbox":
        return Failure("unavailable", f"the sandbox cannot be set up: {reason}.")
    if stage == "directory":
        return Failure("not_found", f"the working directory cannot be entered: {reason}.")
    return Failure("unavailable", f"the command cannot be started: {reason}.")
