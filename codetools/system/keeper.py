"""Stands between us and one command: owns its whole process tree, so that nothing of it is lost or left behind.

The keeper is a forked child in its own session that adopts every orphan of the command (a child subreaper), so that a
`setsid` child or a double fork can be found and ended. It works by two pipes: it reads `k` (end the tree) or `f`
(finished: let stay what stays) on `control`, and writes lines on `report`: `failed ERRNO STAGE`, `exited STATUS`,
`left PID NAME`, `alive PID NAME`, `end`. Where `control` closes without a word, our process was killed: the tree ends.
"""

import errno
import fcntl
import os
import select
import signal
import time
from typing import NoReturn

from codetools.core.record import Record
from codetools.system import kernel
from codetools.system.jail import Jail

GRACE_SECONDS = 2.0
KILL_SECONDS = 5.0
DIRECTORY_FD = 100  # where a shell tells the directory it ended in
REPORT_FD = 101
PROCESS_NAME = b"codetools-run"  # by which a call made below a command knows where it runs
_FIRST_FREE_FD = 110
_MOST_FDS = 1 << 20


class Start(Record):
    """What the command's process is made of; the integers are descriptors, `directory` too where it is one."""

    argv: tuple[str, ...]
    environment: dict[str, str]
    directory: str | int
    jail: Jail | None
    stdin: int
    stdout: int
    stderr: int
    directory_report: int


def keep(start: Start, control: int, report: int) -> NoReturn:
    """Run the command to its end, or end it; called in a freshly forked process, and never returns."""
    try:
        _Keeper(control, report).run(start)
    except BaseException as error:  # noqa: BLE001  a forked process must not go on in its caller's code
        os.write(report, f"failed {getattr(error, 'errno', 0) or errno.EINVAL} keeper {error}\n".encode())
    finally:
        os._exit(0)


class _Stat(Record):
    name: str
    state: str
    parent: int


class _Keeper:
    def __init__(self, control: int, report: int) -> None:
        self.control = control
        self.report = report
        self.child = 0
        self.has_exited = False
        self.woken = -1

    def run(self, start: Start) -> None:
        self.woken = self._take_over()
        try:
            self.child = os.fork()
        except OSError as error:
            self._say(f"failed {error.errno} fork")
            return
        if self.child == 0:
            _become(start, self.report)
        for descriptor in {start.stdin, start.stdout, start.stderr, start.directory_report} - {-1}:
            os.close(descriptor)
        poll = select.poll()
        poll.register(self.control, select.POLLIN | select.POLLHUP)
        poll.register(self.woken, select.POLLIN)
        while True:
            for descriptor, _ in poll.poll():
                if descriptor == self.woken:
                    os.read(self.woken, 4096)
                    self._reap()
                    continue
                if os.read(self.control, 1) == b"f":
                    self._leave()
                else:
                    self._end()
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
            for pid, name in _descendants():
                self._say(f"left {pid} {name}")

    def _end(self) -> None:
        """Ask everything to end, then make it: TERM, a grace, KILL until nothing is left."""
        self._signal_all(signal.SIGTERM, signal.SIGCONT)
        self._wait_until_gone(GRACE_SECONDS)
        until = time.monotonic() + KILL_SECONDS
        while self._reap() and time.monotonic() < until:
            self._signal_all(signal.SIGSTOP)  # so that a tree that keeps forking holds still
            self._signal_all(signal.SIGKILL)
            self._wait_until_gone(0.1)
        if self._reap():
            for pid, name in _descendants():
                self._say(f"alive {pid} {name}")

    def _signal_all(self, *numbers: int) -> None:
        if not self.has_exited:
            _signal(-self.child, numbers)
        for pid, _ in _descendants():
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


def _become(start: Start, report: int) -> NoReturn:
    """Turn this forked process into the command; report the stage and the error where that fails."""
    stage = "directory"
    try:
        os.chdir(start.directory)
        stage = "start"
        os.setsid()
        if kernel.IS_LINUX:
            kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        report = _take_descriptors(start, report)
        for trapped in signal.valid_signals():
            if signal.getsignal(trapped) not in (signal.SIG_DFL, None):
                signal.signal(trapped, signal.SIG_DFL)
        if start.jail is not None:
            stage = "sandbox"
            start.jail.enter()
        stage = "exec"
        os.execve(start.argv[0], start.argv, start.environment)
    except BaseException as error:  # noqa: BLE001  this process must end here whatever happens
        number = error.errno if isinstance(error, OSError) and error.errno else errno.EINVAL
        os.write(report, f"failed {number} {stage}\n".encode())
    finally:
        os._exit(127)


def _take_descriptors(start: Start, report: int) -> int:
    """Put the command's descriptors in their places, close every other, and return that of the report."""
    wanted: dict[int, int] = {0: start.stdin, 1: start.stdout, 2: start.stderr, REPORT_FD: report}
    if start.directory_report >= 0:
        wanted[DIRECTORY_FD] = start.directory_report
    moved = {number: fcntl.fcntl(old, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE_FD) for number, old in wanted.items()}
    for number, old in moved.items():
        os.dup2(old, number, inheritable=number != REPORT_FD)
    os.closerange(3, DIRECTORY_FD if start.directory_report >= 0 else REPORT_FD)
    os.closerange(REPORT_FD + 1, min(os.sysconf("SC_OPEN_MAX"), _MOST_FDS))
    return REPORT_FD


def _descendants() -> list[tuple[int, str]]:
    """Return pid and name of every living process below this one, parents first."""
    below: dict[int, list[int]] = {}
    names: dict[int, str] = {}
    try:
        numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    for pid in numbers:
        stat = _stat(pid)
        if stat is not None:
            below.setdefault(stat.parent, []).append(pid)
            names[pid] = "" if stat.state in "ZX" else stat.name
    found, queue = [], list(below.get(os.getpid(), ()))
    while queue:
        pid = queue.pop(0)
        queue.extend(below.get(pid, ()))
        if names[pid]:
            found.append((pid, names[pid]))
    return found


def _stat(pid: int) -> _Stat | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            head, _, tail = file.read().rpartition(b")")
    except OSError:
        return None
    state, parent = tail.split()[:2]
    return _Stat(head.partition(b"(")[2].decode("utf-8", "replace"), state.decode(), int(parent))


def _signal(pid: int, numbers: tuple[int, ...]) -> None:
    for number in numbers:
        try:
            os.kill(pid, number)
        except OSError:  # gone already, or not ours to signal: then it is reported as alive
            return
