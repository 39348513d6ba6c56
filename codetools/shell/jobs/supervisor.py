"""The process that runs one job and outlives everybody else: executed afresh, in its own session, ordered by JSON.

It reads one line with the order from standard input and answers there with lines on standard output: who it is, then
that the command has started or why not. Until `d` (detached) follows the order, it ends the job where its input ends:
whoever asked for the job is gone and nobody knows of it.
"""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from codetools.core.errors import Failure
from codetools.shell.jobs.log import Log
from codetools.shell.jobs.place import Place
from codetools.state.alive import this_process
from codetools.state.durable import write_new
from codetools.system import keeper, kernel
from codetools.system.command import command_from_json
from codetools.system.descendants import descendants
from codetools.system.process import Watch, run_process
from codetools.system.report import Ending

ORDER_FD, ANSWER_FD, DIRECTORY_FD = 0, 1, 3
RESERVED_BYTES = 4096
MOST_LEFT = 20
PROCESS_NAME = b"codetools-job"
_MOST_FDS = 1 << 16


def main() -> None:
    """Run the job that is ordered, to its end."""
    if os.fork():  # nobody's child: whoever started us need not take our end in
        os._exit(0)
    os.setsid()
    os.chdir("/")
    os.closerange(DIRECTORY_FD + 1, min(os.sysconf("SC_OPEN_MAX"), _MOST_FDS))
    for descriptor in (ORDER_FD, ANSWER_FD, 2, DIRECTORY_FD):
        os.set_inheritable(descriptor, False)
    if kernel.IS_LINUX:
        kernel.prctl(kernel.PR_SET_NAME, PROCESS_NAME)
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    _answer({"supervisor": this_process()})
    order = _read_order()
    if order is not None:
        _Supervisor(order).run()


class _Supervisor:
    def __init__(self, order: dict[str, Any]) -> None:
        self.order = order
        self.place = Place(order["directory"])
        self.has_started = False
        self.exited: Ending | None = None

    def run(self) -> None:
        try:
            write_new(self.place.reserve, b" " * RESERVED_BYTES, durable=False)
            write_new(self.place.supervisor, this_process().encode("ascii"), durable=False)
            self.log = Log(self.place, self.order["most_bytes"])
        except OSError as error:
            _refuse("io", f"{self.place.directory} cannot be written: {error.strerror}.")
            return
        try:
            with self._masks():
                ending = self._run()
        except Failure as failure:
            if self.has_started:  # what kept the tree for us was killed: now it is ours to end
                _end_what_is_left()
                self._write_end("lost", self.exited)
            else:
                _refuse(failure.kind, failure.message, failure.hint)
            return
        self._write_end(_state_of(ending), ending)

    @contextmanager
    def _masks(self) -> Iterator[None]:
        """Keep the placeholders of the command's sandbox while it runs."""
        if not self.order["masks"]:
            yield
            return
        from codetools.shell.walls.masks import keep_masks

        try:
            held = [keep_masks(place) for place in self.order["masks"]]
        except OSError as error:
            raise Failure("io", f"the sandbox cannot be held: {error.strerror}.") from None
        try:
            yield
        finally:
            for masks in held:
                masks.close()

    def _run(self) -> Ending:
        command = command_from_json(self.order["command"]).but(directory=DIRECTORY_FD, fifos_in=self.place.directory)
        read, write = os.pipe()
        os.set_blocking(write, False)
        signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: None)
        for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
        watch = Watch(self._note_start, self._note_exit, {ORDER_FD: _leash, read: lambda: _signalled(read)})
        return run_process(command, self.log.write, timeout_seconds=self.order["timeout_seconds"], watch=watch)

    def _note_start(self) -> None:
        self.has_started = True
        os.close(DIRECTORY_FD)
        _answer({"started": True})

    def _note_exit(self, ending: Ending) -> None:
        """The command has ended, and something of it goes on."""
        self.exited = ending
        temporary = f"{self.place.end}.tmp"
        try:
            write_new(temporary, self._record(_state_of(ending), ending, is_final=False), durable=False)
            os.replace(temporary, self.place.end)
        except OSError:  # a full disk; the end itself has its room
            return
        _answer({"exited": True})

    def _write_end(self, state: str, ending: Ending | None) -> None:
        content = self._record(state, ending, is_final=True)
        descriptor = os.open(self.place.reserve, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        os.pwrite(descriptor, content.ljust(RESERVED_BYTES), 0)
        os.fsync(descriptor)
        os.close(descriptor)
        os.replace(self.place.reserve, self.place.end)
        _answer({"exited": True})

    def _record(self, state: str, ending: Ending | None, *, is_final: bool) -> bytes:
        import time

        directory = ending.directory if ending else None
        if directory is not None and len(directory) > RESERVED_BYTES // 8:
            directory = None
        seconds = ending.seconds if ending else 0.0
        record = {
            "state": state,
            "is_final": is_final,
            "exit_code": ending.exit_code if ending else None,
            "signal": ending.signal if ending else None,
            "exited": ending.started + seconds if ending else None,
            "ended": time.time(),
            "seconds": seconds,
            "started": ending.started if ending else None,
            "directory": directory,
            "left": [[process.pid, process.name] for process in ending.left[:MOST_LEFT]] if ending else [],
            "trouble": self.log.trouble,
        }
        return json.dumps(record).encode("ascii")


def _state_of(ending: Ending) -> Literal["exited", "signalled", "timed_out", "killed"]:
    if ending.timed_out:
        return "timed_out"
    if ending.interruption is not None:
        return "killed"
    return "exited" if ending.signal is None else "signalled"


def _read_order() -> dict[str, Any] | None:
    """Return the order, or None where whoever started us has thought better of it."""
    content = bytearray()
    while not content.endswith(b"\n"):
        chunk = os.read(ORDER_FD, 1 << 16)
        if not chunk:
            return None
        content += chunk
    order: dict[str, Any] = json.loads(content)
    return order


def _leash() -> Literal["no_more", "end"]:
    word = os.read(ORDER_FD, 1)
    os.dup2(2, ORDER_FD, inheritable=False)
    return "no_more" if word == b"d" else "end"


def _signalled(read: int) -> Literal["end"]:
    os.read(read, 4096)
    return "end"


def _answer(words: dict[str, Any]) -> None:
    try:
        os.write(ANSWER_FD, json.dumps(words).encode("ascii") + b"\n")
    except OSError:  # nobody listens any more; the end of our input says so too
        return


def _refuse(kind: str, message: str, hint: str = "") -> None:
    _answer({"failed": {"kind": kind, "message": message, "hint": hint}})


def _end_what_is_left() -> None:
    """End what became our child when its keeper was killed."""
    import time

    until = time.monotonic() + keeper.KILL_SECONDS
    while time.monotonic() < until and (left := descendants(os.getpid())):
        for pid, _ in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return
