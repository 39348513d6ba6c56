"""Waits for the end of jobs, and ends them: by their supervisors, whose pids are never taken for somebody else's."""

import os
import select
import signal
import time
from collections.abc import Callable, Iterable

from codetools.core.record import Record
from codetools.shell.jobs.job import Found, look_at
from codetools.state.alive import is_alive
from codetools.system.process import REPORT_SECONDS

CHECK_SECONDS = 0.1
KILL_SECONDS = 3.0


class Supervisors:
    """The supervisors of running jobs, each held so that its pid cannot become another process's."""

    def __init__(self, jobs: Iterable[Found]) -> None:
        self._held: dict[int, Found] = {}
        self._loose: list[Found] = []  # where the machine has no such hold
        for found in jobs:
            if found.job.is_running:
                self._hold(found)

    def _hold(self, found: Found) -> None:
        pid = int(found.supervisor.partition(":")[0])
        if not hasattr(os, "pidfd_open"):
            self._loose.append(found)
            return
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:  # it has just ended
            return
        except OSError:  # a kernel or a container without such a hold
            self._loose.append(found)
            return
        if is_alive(found.supervisor):  # asked after the hold: so it is this one that is held
            self._held[descriptor] = found
        else:
            os.close(descriptor)

    def signal(self, number: int) -> None:
        """Signal those that still run."""
        for descriptor in self._held:
            try:
                signal.pidfd_send_signal(descriptor, number)
            except ProcessLookupError:
                continue
        for found in self._loose:
            if is_alive(found.supervisor):
                os.kill(int(found.supervisor.partition(":")[0]), number)

    def wait(self, deadline: float, *, for_one: bool = False) -> bool:
        """Wait until all have ended (or one of them) or the time is up; return whether they have."""
        count = len(self._held) + len(self._loose)
        while self._held or self._loose:
            self._drop_ended(min(CHECK_SECONDS, max(0.0, deadline - time.monotonic())))
            left = len(self._held) + len(self._loose)
            if for_one and left < count:
                return True
            if time.monotonic() >= deadline:
                return not left
        return True

    def close(self) -> None:
        """Let go of all."""
        for descriptor in self._held:
            os.close(descriptor)
        self._held = {}

    def _drop_ended(self, seconds: float) -> None:
        poll = select.poll()
        for descriptor in self._held:
            poll.register(descriptor, select.POLLIN)
        for descriptor, _ in poll.poll(seconds * 1000):
            del self._held[descriptor]
            os.close(descriptor)
        self._loose = [found for found in self._loose if is_alive(found.supervisor)]


class Waited(Record):
    """Jobs as they were when the wait was over."""

    jobs: tuple[Found, ...]
    is_over: bool


def wait_for(jobs: tuple[Found, ...], deadline: float, check: Callable[[], None], *, for_one: bool = False) -> Waited:
    """Wait until the jobs (or one of them) have ended, or until `deadline` (monotonic); `check` may raise."""
    if for_one and any(not found.job.is_running for found in jobs):
        return Waited(jobs, True)
    supervisors = Supervisors(jobs)
    try:
        is_over = False
        while not is_over:
            check()
            now = time.monotonic()
            is_over = supervisors.wait(min(deadline, now + CHECK_SECONDS), for_one=for_one)
            if now >= deadline:
                break
    finally:
        supervisors.close()
    return Waited(tuple(again(found) for found in jobs), is_over)


def end_jobs(jobs: tuple[Found, ...]) -> tuple[Found, ...]:
    """End jobs with all that they started; return them as they are then."""
    supervisors = Supervisors(jobs)
    try:
        supervisors.signal(signal.SIGTERM)
        if not supervisors.wait(time.monotonic() + REPORT_SECONDS):
            supervisors.signal(signal.SIGKILL)  # the keeper below sees that and ends the tree
            supervisors.wait(time.monotonic() + KILL_SECONDS)
    finally:
        supervisors.close()
    return tuple(again(found) for found in jobs)


def again(found: Found) -> Found:
    """Look at a job once more."""
    return look_at(found.place) or found
