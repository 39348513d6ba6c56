"""One process that is talked to while it runs: three pipes to it, and an end in bounded time for its whole tree.

A keeper (`keeper.py`) owns the tree, as it does for a command that is run to its end. It holds no descriptor of ours,
so that an end that takes longer than we wait goes on without us.
"""

import os
import select
import time
from collections.abc import Callable

from codetools.core.errors import Failure
from codetools.system import keeper, kernel
from codetools.system.command import Command
from codetools.system.helper import Helper, has_threads
from codetools.system.plumbing import Ends

READ_BYTES = 1 << 16
END_SECONDS = 0.2  # for a process to end by itself once its input has ended
LEAVE_SECONDS = 0.5  # and for its tree to be ended; after that the keeper goes on alone

_unreaped: list[int] = []


class Companion:
    """A process that runs. `stdout`, `stderr` and `report` are descriptors to poll; reading them never waits.

    `argv[0]` is an absolute path. Raises `unavailable` where no process can be started; a program that cannot be
    executed shows in `ended`, once `report` is readable and `hear()` was called. `hold` is called with the process
    below which it is about to run.
    """

    def __init__(
        self,
        argv: tuple[str, ...],
        environment: dict[str, str],
        directory: str,
        hold: Callable[[int], None] | None = None,
    ) -> None:
        _reap()
        self._descriptors: list[int] = []
        self._heard = b""
        self._exit: str | None = None
        self._has_begun = False
        self.is_over = False  # whether nothing more will be reported
        self.ended: str | None = None  # how, in words; None while it runs
        command = Command(argv, environment, directory)
        try:
            stdin, self._stdin = self._pipe()
            self.stdout, stdout = self._pipe()
            self.stderr, stderr = self._pipe()
            self.report, report = self._pipe()
            control, self._control = self._pipe()
            self._keeper = _start(command, Ends(stdin, stdout, stderr, -1, control, report), hold)
        except OSError as error:
            self._close(*self._descriptors)
            raise Failure("unavailable", f"no process can be started: {error.strerror}.") from None
        self._close(stdin, stdout, stderr, control, report)
        for descriptor in (self._stdin, self.stdout, self.stderr, self.report):
            os.set_blocking(descriptor, False)

    def write(self, content: bytes, deadline: float) -> bool:
        """Write all of `content`; False where the process does not take it until `deadline`, or never will."""
        rest = memoryview(content)
        poll = select.poll()
        if self._stdin < 0:
            return False
        poll.register(self._stdin, select.POLLOUT)
        while rest:
            try:
                rest = rest[os.write(self._stdin, rest[:READ_BYTES]) :]
            except BlockingIOError:
                left = deadline - time.monotonic()
                if left <= 0 or not poll.poll(left * 1000):
                    return False
            except OSError:  # it has closed its input
                return False
        return True

    def read(self, descriptor: int) -> bytes | None:
        """Return what there is on `stdout` or `stderr`, nothing at its end, None where there is nothing yet."""
        try:
            return os.read(descriptor, READ_BYTES)
        except BlockingIOError:
            return None

    def hear(self) -> None:
        """Take in what the keeper reports."""
        try:
            heard = os.read(self.report, READ_BYTES)
        except BlockingIOError:
            return
        self.is_over = self.is_over or not heard
        *lines, self._heard = (self._heard + heard).split(b"\n")
        for line in lines:
            word, _, rest = line.decode("utf-8", "replace").partition(" ")
            if word == "exited":
                self._exit = _said(int(rest))
            elif word == "started":
                self._has_begun = True
            elif word == "failed":
                number, stage = rest.split(" ", 2)[:2]
                what = "its directory cannot be entered" if stage == "directory" else "it cannot be started"
                self.ended = f"{what}: {os.strerror(int(number))}"
            self.is_over = self.is_over or word == "end"
        if self._has_begun or self.is_over:  # the end may be heard of before that it never began
            self.ended = self.ended or self._exit

    def end(self, *, at_once: bool = False) -> None:
        """End the whole tree: by closing its input, then TERM, then KILL; `at_once` begins with KILL."""
        self._close(self._stdin)
        self._stdin = -1
        if not at_once:
            self._listen(END_SECONDS, until_exit=True)
        try:
            os.write(self._control, b"q" if at_once else b"k")
        except OSError:  # the keeper was killed, and its child with it
            self.is_over = True
        self._listen(LEAVE_SECONDS, until_exit=False)
        self._close(*self._descriptors)
        _unreaped.append(self._keeper)
        _reap()

    def leave(self) -> None:
        """Close its input and go: the keeper sees to the end of the whole tree."""
        try:
            os.write(self._control, b"e")
        except OSError:  # the keeper was killed, and its child with it
            self.is_over = True
        self._close(*self._descriptors)
        self._stdin = -1
        _unreaped.append(self._keeper)

    def _listen(self, seconds: float, *, until_exit: bool) -> None:
        until = time.monotonic() + seconds
        poll = select.poll()
        poll.register(self.report, select.POLLIN)
        while not self.is_over and not (until_exit and self.ended):
            left = until - time.monotonic()
            if left <= 0 or not poll.poll(left * 1000):
                return
            self.hear()

    def _pipe(self) -> tuple[int, int]:
        read, write = os.pipe()
        self._descriptors += (read, write)
        return read, write

    def _close(self, *descriptors: int) -> None:
        for descriptor in descriptors:
            if descriptor in self._descriptors:
                self._descriptors.remove(descriptor)
                os.close(descriptor)


def _start(command: Command, ends: Ends, hold: Callable[[int], None] | None) -> int:
    """Start the keeper; return its process."""
    if has_threads():
        helper = Helper(command, ends)
        try:
            if hold is not None:
                hold(helper.pid)
            helper.deliver()
        except BaseException:
            helper.close()
            _unreaped.append(helper.pid)
            raise
        return helper.pid
    kernel.load()
    if hold is not None:
        hold(os.getpid())
    process = os.fork()
    if process == 0:
        _keep(command, ends)
    return process


def _keep(command: Command, ends: Ends) -> None:
    """In the forked child: let go of all that is not the process's, standard streams too, and become its keeper."""
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nothing, standard)
        above = 3
        for descriptor in sorted((ends.stdin, ends.stdout, ends.stderr, ends.control, ends.report)):
            os.closerange(above, descriptor)
            above = descriptor + 1
        os.closerange(above, min(os.sysconf("SC_OPEN_MAX"), keeper.MOST_FDS))
        keeper.keep(command, ends)
    finally:
        os._exit(1)


def _reap() -> None:
    for process in tuple(_unreaped):
        try:
            if os.waitpid(process, os.WNOHANG)[0]:
                _unreaped.remove(process)
        except (ChildProcessError, ValueError):  # the caller ignores SIGCHLD; another thread was quicker
            if process in _unreaped:
                _unreaped.remove(process)


def _said(status: int) -> str:
    if os.WIFSIGNALED(status):
        return f"it was ended by signal {os.WTERMSIG(status)}"
    return f"it ended with status {os.WEXITSTATUS(status)}"
