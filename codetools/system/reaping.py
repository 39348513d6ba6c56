"""Takes in the end of a keeper within bounded time: one that is told to end and cannot, is ended with its tree."""

import os
import signal
import time
from contextlib import suppress

from codetools.system.descendants import descendants

FIRST_PAUSE_SECONDS = 0.0005
LAST_PAUSE_SECONDS = 0.05


def wake(process: int) -> None:
    """Let a process go on that somebody has stopped."""
    _signal(process, signal.SIGCONT)


def ends_within(process: int, seconds: float) -> bool:
    """Wait for the end of a child of ours; whether it came in that time."""
    until = time.monotonic() + seconds
    pause = FIRST_PAUSE_SECONDS
    try:
        while not os.waitpid(process, os.WNOHANG)[0]:
            if time.monotonic() >= until:
                return False
            time.sleep(pause)
            pause = min(2 * pause, LAST_PAUSE_SECONDS)
    except ChildProcessError:  # the caller ignores SIGCHLD, or another thread took it in
        pass
    return True


def end_by_force(process: int, seconds: float) -> None:
    """End a child and all below it; each step waits for at most so long."""
    for number in (signal.SIGSTOP, signal.SIGKILL):  # a tree that keeps forking holds still
        for pid, _ in descendants(process):
            _signal(pid, number)
    _signal(process, signal.SIGKILL)
    ends_within(process, seconds)


def _signal(process: int, number: int) -> None:
    with suppress(OSError):  # it is gone
        os.kill(process, number)
