"""Runs one process to its end: a deadline, bounded memory, every signal answered, and no survivor of its tree.

Nothing here needs `subprocess` (which costs half a call's start) or changes this process: no signal handler, no
subreaper, no working directory. A forked keeper (`keeper.py`) owns the command's tree; this side reads its pipes.
"""

import os
import select
import signal
import time
from collections.abc import Callable
from typing import Literal

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.system import keeper, kernel
from codetools.system.command import Command
from codetools.system.descendants import descendants
from codetools.system.helper import Helper, has_threads
from codetools.system.plumbing import Plumbing
from codetools.system.reaping import end_by_force, ends_within, wake
from codetools.system.report import Ending, LeftProcess, Report

QUIET_SECONDS = 0.1  # how long the pipes must be silent after the command's own end
SETTLE_SECONDS = 1.0  # and how long a process that keeps talking is listened to
CHECK_SECONDS = 0.1
CLOSE_SECONDS = 1.0  # for the keeper's own end, after its last word
REPORT_SECONDS = keeper.GRACE_SECONDS + keeper.KILL_SECONDS + 3.0

_HELD_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Sink = Callable[[int, bytes], bool | None]
Hold = Callable[[int], None]


class Watch(Record):
    """Somebody who stays with a command until nothing of its tree is left.

    `started` is called once the command runs, `exited` with its ending so far where it has ended and left processes
    behind. What `listen` holds for a descriptor is called when that can be read: it may have the whole tree ended.
    """

    started: Callable[[], None]
    exited: Callable[[Ending], None]
    listen: dict[int, Callable[[], Literal["go_on", "no_more", "end"]]]


def run_process(
    command: Command,
    sink: Sink,
    *,
    timeout_seconds: float | None,
    check: Callable[[], None] | None = None,
    watch: Watch | None = None,
    hold: Hold | None = None,
) -> Ending:
    """Run a command, handing what it writes to `sink(stream, chunk)` as it comes; `sink` returns True for enough.

    Returns when the command has exited and its pipes have been quiet for a moment, not at their end: a process left
    in the background is named in `left`. At the deadline, on enough, and when `check` raises, the whole tree is ended
    first. Raises `not_found`, `io` or `unavailable` where the command cannot be started; what `sink` raises passes.
    With `watch` it returns when nothing of the tree is left. `hold` is called with the process below which the command
    is about to run.
    """
    run = _Run(command, sink, watch)
    try:
        run.start(command, hold)
        run.follow(timeout_seconds, check)
        return run.ending()
    finally:
        run.close()


class _Run:
    def __init__(self, command: Command, sink: Sink, watch: Watch | None) -> None:
        self.sink = sink
        self.watch = watch
        try:
            self.pipes = Plumbing(command.stdin, command.fifos_in, has_directory=command.reports_directory)
        except OSError as error:
            raise _no_start(error) from None
        self.report = Report(self.pipes.report)
        self.started = time.time()
        self.began = time.monotonic()
        self.keeper = 0
        self.told = b""
        self.wrapper = command.wrapper
        self.timed_out = self.was_enough = self.is_ending = False
        self.is_staying = self.has_begun = False
        self.interruption: BaseException | None = None
        self.last_output = 0.0

    def start(self, command: Command, hold: Hold | None) -> None:
        """Start the keeper: a fork of us, or, of a process with threads, a helper that was executed."""
        ends = self.pipes.ends
        try:
            kernel.load()
            if command.jail is not None:
                command.jail.load()
            if has_threads():
                self._start_helper(command, hold)
                return
            if hold is not None:
                hold(os.getpid())
            self.keeper = os.fork()
        except OSError as error:
            raise _no_start(error) from None
        if self.keeper == 0:
            self.pipes.become_theirs()
            keeper.keep(command, ends)
        self.pipes.become_ours()

    def _start_helper(self, command: Command, hold: Hold | None) -> None:
        helper = Helper(command, self.pipes.ends)
        self.keeper = helper.pid
        try:
            self.pipes.become_ours()
            if hold is not None:
                hold(helper.pid)
            helper.deliver()
        finally:
            helper.close()

    def follow(self, timeout_seconds: float | None, check: Callable[[], None] | None) -> None:
        poll = select.poll()
        for descriptor in (*self.pipes.streams, self.pipes.report):
            poll.register(descriptor, select.POLLIN)
        if self.pipes.feed >= 0:
            poll.register(self.pipes.feed, select.POLLOUT)
        for descriptor in self.watch.listen if self.watch is not None else ():
            poll.register(descriptor, select.POLLIN)
        deadline = None if timeout_seconds is None else self.began + timeout_seconds
        self.last_output = self.began
        while not self._is_over():
            try:
                self._turn(poll, deadline, check)
            except (KeyboardInterrupt, SystemExit) as error:  # from a signal handler, wherever we were
                if self.interruption is not None:
                    raise
                self._interrupt(error)
        if not self.report.is_over and not self.is_ending:
            self._finish()

    def _turn(self, poll: select.poll, deadline: float | None, check: Callable[[], None] | None) -> None:
        """Wait for what comes next, and take it in."""
        if check is not None and not self.is_ending:
            try:
                check()
            except Exception as error:  # noqa: BLE001  the tree is ended first; then the caller raises it
                self._interrupt(error)
        ready = [descriptor for descriptor, _ in poll.poll(self._wait_ms(deadline, check is not None))]
        if self.pipes.feed in ready and self.pipes.write():
            poll.unregister(self.pipes.feed)
            self.pipes.drop(self.pipes.feed)
            self.pipes.feed = -1
        if any(descriptor in self.pipes.streams for descriptor in ready):
            self._take(poll)
        if self.pipes.report in ready:
            self._hear(poll)
        if self.watch is not None:
            self._attend(self.watch, ready, poll)
        is_running = self.report.status is None or self.is_staying
        if deadline is not None and time.monotonic() >= deadline and is_running and not self.is_ending:
            self.timed_out = True
            self._end_tree()

    def _attend(self, watch: Watch, ready: list[int], poll: select.poll) -> None:
        for descriptor in ready:
            if descriptor in watch.listen:
                answer = watch.listen[descriptor]()
                if answer != "go_on":
                    poll.unregister(descriptor)
                if answer == "end" and not self.is_ending:
                    self._interrupt(KeyboardInterrupt())
        if self._is_quiet() and not (self.is_staying or self.report.is_empty or self.is_ending):
            self.is_staying = True
            left = descendants(self.keeper)
            watch.exited(self.ending().but(left=tuple(LeftProcess(pid, name) for pid, name in left)))

    def _interrupt(self, error: BaseException) -> None:
        self.interruption = error
        self._end_tree()

    def ending(self) -> Ending:
        self.report.raise_failure()
        status = self.report.status
        if status is None and not self.is_ending:
            raise Failure("internal", "the process that kept the command was ended from outside; so is the command.")
        self.told += self.pipes.told()
        if self.wrapper and status is not None and os.WEXITSTATUS(status) == 1 and b'"exit-code"' not in self.told:
            raise Failure("unavailable", f"the sandbox cannot be set up: {self.wrapper} failed, and nothing was run.")
        return Ending(
            exit_code=self.report.exit_code(),
            signal=self.report.signal(),
            timed_out=self.timed_out,
            was_enough=self.was_enough,
            interruption=self.interruption,
            left=tuple(self.report.left),
            directory=self._last_directory(),
            started=self.started,
            seconds=(self.report.exited_at if status is not None else time.monotonic()) - self.began,
        )

    def close(self) -> None:
        """Let go of everything; a keeper that has not been told to finish ends its tree by this."""
        self.pipes.close()
        if self.keeper <= 0 or (self.report.is_over and ends_within(self.keeper, CLOSE_SECONDS)):
            return
        wake(self.keeper)
        if not ends_within(self.keeper, CLOSE_SECONDS if self.is_ending else REPORT_SECONDS):
            end_by_force(self.keeper, CLOSE_SECONDS)

    def _last_directory(self) -> str | None:
        lines = [line for line in self.told.split(b"\n") if line.startswith(b"/")]
        return os.fsdecode(lines[-1]) if lines else None

    def _is_over(self) -> bool:
        if self.report.is_over:
            return True
        if self.is_ending:
            return time.monotonic() > self.ending_by
        return self._is_quiet() and (self.watch is None or self.report.is_empty)

    def _is_quiet(self) -> bool:
        """Whether the command has exited and nothing more is heard from what it left."""
        if self.report.status is None:
            return False
        now = time.monotonic()
        return (
            not self.pipes.streams
            or now - max(self.last_output, self.report.exited_at) >= QUIET_SECONDS
            or (now - self.report.exited_at >= SETTLE_SECONDS)
        )

    def _wait_ms(self, deadline: float | None, is_checked: bool) -> float | None:
        now = time.monotonic()
        waits = [CHECK_SECONDS] if is_checked else []
        if self.is_ending:
            waits.append(self.ending_by - now)
        elif self.report.status is not None and (self.report.is_empty or not self.is_staying):
            waits.append(max(self.last_output, self.report.exited_at) + QUIET_SECONDS - now)
        elif deadline is not None:
            waits.append(deadline - now)
        return max(0.0, min(waits)) * 1000 + 0.5 if waits else None

    def _take(self, poll: select.poll) -> None:
        """Hand on what can be read; no signal may come between the two, or a chunk were lost."""
        held = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD_SIGNALS)
        try:
            self._hand_on(poll)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)

    def _hand_on(self, poll: select.poll) -> None:
        chunks, ended = self.pipes.read()
        for descriptor in ended:
            poll.unregister(descriptor)
            self.pipes.drop(descriptor)
        if chunks:
            self.last_output = time.monotonic()
        for stream, chunk in chunks:
            if not self.was_enough and self.sink(stream, chunk):
                self.was_enough = True
                self._end_tree()

    def _hear(self, poll: select.poll) -> None:
        self.report.hear()
        if self.report.has_ended:
            poll.unregister(self.pipes.report)
        if self.report.has_started and not self.has_begun:
            self.has_begun = True
            if self.watch is not None:
                self.watch.started()

    def _end_tree(self) -> None:
        self.is_ending = True
        self.ending_by = time.monotonic() + REPORT_SECONDS
        wake(self.keeper)  # somebody may have stopped it
        self.pipes.tell(b"k")

    def _finish(self) -> None:
        """Let the keeper go and name what stays."""
        self.pipes.tell(b"f")
        poll = select.poll()
        poll.register(self.pipes.report, select.POLLIN)
        until = time.monotonic() + SETTLE_SECONDS
        while not self.report.has_ended and time.monotonic() < until:
            if poll.poll(SETTLE_SECONDS * 1000):
                self.report.hear()


def _no_start(error: OSError) -> Failure:
    return Failure("unavailable", f"no process can be started: {error.strerror}.")
