"""Stands between us and one command: owns its whole process tree, so that nothing of it is lost or left behind.

The keeper is a child of ours in its own session, forked, or started by `helper.py` where we have threads. It adopts
every orphan of the command (a child subreaper), so that a `setsid` child or a double fork can be found and ended. It
works by two pipes: it reads `k` (end the tree), `q` (without grace), `e` (unless it ends by itself) or `f` (finished:
let stay what stays) on `control`, and writes lines on `report`: `started` or `failed ERRNO STAGE`, `exited STATUS`,
`empty` once nothing of the tree is left, `left PID NAME`, `alive PID NAME`, `end`. Where `control` closes without a
word, our process was killed: the tree ends.
"""

import errno
import fcntl
import os
import select
import signal
import time
from typing import NoReturn

from codetools.system import kernel
from codetools.system.command import Command
from codetools.system.descendants import descendants
from codetools.system.plumbing import Ends

GRACE_SECONDS = 2.0
KILL_SECONDS = 5.0
BY_ITSELF_SECONDS = 0.5
DIRECTORY_FD = 100  # where a shell tells the directory it ended in
REPORT_FD = 101
STATUS_FD = 102  # the same pipe as DIRECTORY_FD, where a wrapper says that the program ran
PROCESS_NAME = b"codetools-run"  # by which a call made below a command knows where it runs
_FIRST_FREE_FD = 110
MOST_FDS = 1 << 20


def keep(command: Command, ends: Ends) -> NoReturn:
    """Run the command to its end, or end it; called in a process made for that, and never returns."""
    try:
        _Keeper(ends).run(command)
    except BaseException as error:  # noqa: BLE001  a forked process must not go on in its caller's code
        os.write(ends.report, f"failed {getattr(error, 'errno', 0) or errno.EINVAL} keeper {error}\n".encode())
    finally:
        os._exit(0)


class _Keeper:
    def __init__(self, ends: Ends) -> None:
        self.ends = ends
        self.control = ends.control
        self.report = ends.report
        self.child = 0
        self.wrapper = ""
        self.has_exited = False
        self.woken = -1
        self.begun = -1  # closes without a word once the command has taken this process's child over

    def run(self, command: Command) -> None:
        self.woken = self._take_over()
        self.wrapper = command.wrapper
        try:
            self.begun, child_report = os.pipe()
            self.child = os.fork()
        except OSError as error:
            self._say(f"failed {error.errno} fork")
            return
        if self.child == 0:
            _become(command, self.ends.but(report=child_report))
        ends = self.ends
        for descriptor in {ends.stdin, ends.stdout, ends.stderr, ends.directory, child_report} - {-1}:
            os.close(descriptor)
        poll = select.poll()
        poll.register(self.control, select.POLLIN | select.POLLHUP)
        poll.register(self.woken, select.POLLIN)
        poll.register(self.begun, select.POLLIN)
        while True:
            for descriptor, _ in poll.poll():
                if descriptor == self.woken:
                    os.read(self.woken, 4096)
                    if not self._reap():
                        self._say("empty")
                    continue
                if descriptor == self.begun:
                    self._say(os.read(self.begun, 4096).decode().rstrip() or "started")
                    poll.unregister(self.begun)
                    continue
                word = os.read(self.control, 1)
                if word == b"f":
                    self._leave()
                else:
                    self._wait_until_gone(BY_ITSELF_SECONDS if word == b"e" else 0.0)
                    self._end(0.0 if word == b"q" else GRACE_SECONDS)
                self._say("end")
                return

    def _take_over(self) -> int:
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
        if kernel.IS_LINUX:
            kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
            kernel.prctl(kernel.PR_SET_NAME, PROCESS_NAME)
        woken, wake = os.pipe()
        os.set_blocking(woken, False)
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        return woken

    def _reap(self) -> bool:
        """Take in what has ended; return whether any child is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self.child:
                self.has_exited = True
                self._say(f"exited {status}")

    def _leave(self) -> None:
        if self._reap():
            for pid, name in descendants(os.getpid()):
                if not self.wrapper or name != self.wrapper:
                    self._say(f"left {pid} {name}")

    def _end(self, grace_seconds: float) -> None:
        """Ask everything to end, then make it: TERM, a grace, KILL until nothing is left."""
        if not select.select([self.begun], [], [], 0)[0]:  # not the command yet but we ourselves, deaf to TERM
            _signal(self.child, (signal.SIGKILL,))
        self._ask_all()
        self._wait_until_gone(grace_seconds)
        until = time.monotonic() + KILL_SECONDS
        while self._reap() and time.monotonic() < until:
            self._signal_all(signal.SIGSTOP)  # so that a tree that keeps forking holds still
            self._signal_all(signal.SIGKILL)
            self._wait_until_gone(0.1)
        if self._reap():
            for pid, name in descendants(os.getpid()):
                self._say(f"alive {pid} {name}")

    def _ask_all(self) -> None:
        """Ask everything to end; not what stands around the program, for with it goes the program, without a grace."""
        if not self.wrapper:
            self._signal_all(signal.SIGTERM, signal.SIGCONT)
            return
        for pid, name in descendants(os.getpid()):
            if name != self.wrapper:
                _signal(pid, (signal.SIGTERM, signal.SIGCONT))

    def _signal_all(self, *numbers: int) -> None:
        if not self.has_exited:
            _signal(-self.child, numbers)
        for pid, _ in descendants(os.getpid()):
            _signal(pid, numbers)

    def _wait_until_gone(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while self._reap() and time.monotonic() < until:
            if select.select([self.woken], [], [], 0.05)[0]:
                os.read(self.woken, 4096)

    def _say(self, line: str) -> None:
        try:
            os.write(self.report, line.encode() + b"\n")
        except OSError:  # nobody listens any more: our process was killed
            return


def _become(command: Command, ends: Ends) -> NoReturn:
    """Turn this forked process into the command; report the stage and the error where that fails."""
    stage, report = "directory", ends.report
    try:
        os.chdir(command.directory)
        stage = "start"
        os.setsid()
        if kernel.IS_LINUX:
            kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        report = _take_descriptors(ends, has_wrapper=bool(command.wrapper))
        for trapped in signal.valid_signals():
            if signal.getsignal(trapped) not in (signal.SIG_DFL, None):
                signal.signal(trapped, signal.SIG_DFL)
        if command.jail is not None:
            stage = "sandbox"
            command.jail.enter()
        stage = "exec"
        os.execve(command.argv[0], command.argv, command.environment)
    except BaseException as error:  # noqa: BLE001  this process must end here whatever happens
        number = error.errno if isinstance(error, OSError) and error.errno else errno.EINVAL
        os.write(report, f"failed {number} {stage}\n".encode())
    finally:
        os._exit(127)


def _take_descriptors(ends: Ends, *, has_wrapper: bool) -> int:
    """Put the command's descriptors in their places, close every other, and return that of the report."""
    wanted: dict[int, int] = {0: ends.stdin, 1: ends.stdout, 2: ends.stderr, REPORT_FD: ends.report}
    if ends.directory >= 0:
        wanted[DIRECTORY_FD] = ends.directory
    if has_wrapper:
        wanted[STATUS_FD] = ends.directory
    moved = {number: fcntl.fcntl(old, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE_FD) for number, old in wanted.items()}
    for number, old in moved.items():
        os.dup2(old, number, inheritable=number != REPORT_FD)
    os.closerange(3, DIRECTORY_FD if ends.directory >= 0 else REPORT_FD)
    os.closerange((STATUS_FD if has_wrapper else REPORT_FD) + 1, min(os.sysconf("SC_OPEN_MAX"), MOST_FDS))
    return REPORT_FD


def _signal(pid: int, numbers: tuple[int, ...]) -> None:
    for number in numbers:
        try:
            os.kill(pid, number)
        except OSError:  # gone already, or not ours to signal: then it is reported as alive
            return
