"""Starts a job: makes room and a directory for it, executes its supervisor, and waits until the command runs."""

import fcntl
import json
import os
import select
import signal
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.shell.jobs.place import Place, jobs_directory, new_place, remove_place
from codetools.shell.jobs.room import make_room
from codetools.shell.prepare import Prepared
from codetools.state.durable import write_new
from codetools.state.home import make_directory
from codetools.state.lockfile import Lock

if TYPE_CHECKING:
    from codetools.shell.surroundings import Surroundings

START_SECONDS = 30.0
MOST_DESCRIPTION_CHARS = 200
_FIRST_FREE_FD = 10
_PACKAGE_PARENT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
_START = "import sys; sys.path.append(sys.argv[1]); from codetools.shell.jobs.supervisor import main; main()"
_PASSED_ON = ("HOME", "PATH", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH")  # and all by which settings are chosen
_PASSED_ON_PREFIXES = ("CODETOOLS_", "XDG_", "LC_")
_RESET_SIGNALS = [signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE]


class Naming(Record):
    """How a job is shown: its command, and what its caller says that it does."""

    command: str
    description: str = ""


def start_job(prepared: Prepared, naming: Naming, context: "Surroundings") -> "Leash":
    """Start what the policy has let pass as a job.

    Returns once the command runs. Raises `io` where its directory cannot be written, `unavailable` where too many
    jobs run, and whatever kept the command from starting; nothing is left then.
    """
    place = _make_place(prepared, naming, context)
    leash = None
    try:
        leash = Leash(place, prepared)
        context.hold_descendants(leash.order_to_come())
        leash.order(prepared, context.limits.spool_bytes)
        return leash
    except BaseException:
        if leash is not None:
            leash.let_go()
        remove_place(place)
        raise
    finally:
        prepared.close()


class Leash:
    """A supervisor and our hold on it: until `detach`, it ends its job when this process does."""

    def __init__(self, place: Place, prepared: Prepared) -> None:
        """Execute the supervisor; raise `unavailable` where that fails."""
        self.place = place
        order, self._orders = _pipe()
        self._answers, answer = _pipe()
        self._heard = b""
        self._until = time.monotonic() + START_SECONDS
        directory = prepared.command.directory
        if not isinstance(directory, int):
            raise TypeError("the directory of a prepared command is open")
        passed = [order, answer, _high(directory)]
        actions: list[Any] = [
            (os.POSIX_SPAWN_DUP2, passed[0], 0),
            (os.POSIX_SPAWN_DUP2, passed[1], 1),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_RDWR, 0),
            (os.POSIX_SPAWN_DUP2, passed[2], 3),
        ]
        argv = [sys.executable, "-I", "-S", "-B", "-c", _START, _PACKAGE_PARENT]
        try:
            pid = os.posix_spawn(
                sys.executable, argv, _environment(), file_actions=actions, setsigmask=(), setsigdef=_RESET_SIGNALS
            )
        except OSError as error:
            self.let_go()
            raise Failure("unavailable", f"no process can be started: {error.strerror}.") from None
        finally:
            for descriptor in passed:
                os.close(descriptor)
        with suppress(ChildProcessError):  # the caller ignores SIGCHLD
            os.waitpid(pid, 0)  # it leaves the supervisor behind at once

    def order_to_come(self) -> int:
        """Return the supervisor's pid, which waits for its order."""
        return int(self._answer()["supervisor"].partition(":")[0])

    def order(self, prepared: Prepared, most_bytes: int) -> None:
        """Give the order and wait until the command runs; raise why it does not."""
        order = {
            "directory": self.place.directory,
            "command": prepared.command.but(directory="/").to_json(),
            "timeout_seconds": prepared.timeout_seconds,
            "most_bytes": most_bytes,
            "masks": [masks.place for masks in prepared.masks],
        }
        self._write(json.dumps(order).encode("ascii") + b"\n")
        failed = self._answer().get("failed")
        if failed is not None:
            raise Failure(failed["kind"], failed["message"], failed["hint"])

    def detach(self) -> None:
        """Let the job outlive this process."""
        with suppress(BrokenPipeError):  # it has ended already
            os.write(self._orders, b"d")
        self.let_go()

    def has_exited(self, seconds: float) -> bool:
        """Wait for the command's own end and return whether it has come; for a supervisor that died, too."""
        if b"\n" in self._heard:
            return True
        poll = select.poll()
        poll.register(self._answers, select.POLLIN)
        if not poll.poll(seconds * 1000):
            return False
        heard = os.read(self._answers, 1 << 16)
        self._heard += heard
        return not heard or b"\n" in self._heard

    def end(self) -> None:
        """Have the job ended with all that it started; `has_exited` tells when that is done."""
        os.close(self._orders)
        self._orders = -1

    def let_go(self) -> None:
        """Give up our hold; a job that was not detached is ended by that."""
        for descriptor in (self._orders, self._answers):
            if descriptor >= 0:
                os.close(descriptor)
        self._orders = self._answers = -1

    def _write(self, content: bytes) -> None:
        rest = memoryview(content)
        os.set_blocking(self._orders, False)
        while rest:
            self._wait(self._orders, select.POLLOUT)
            try:
                rest = rest[os.write(self._orders, rest) :]
            except BrokenPipeError:
                raise _no_supervisor("it ended before it had its order") from None

    def _answer(self) -> dict[str, Any]:
        while b"\n" not in self._heard:
            self._wait(self._answers, select.POLLIN)
            heard = os.read(self._answers, 1 << 16)
            if not heard:
                raise _no_supervisor("it ended at once")
            self._heard += heard
        line, _, self._heard = self._heard.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _wait(self, descriptor: int, event: int) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        if not poll.poll(max(0.0, self._until - time.monotonic()) * 1000):
            raise _no_supervisor(f"it does not answer within {START_SECONDS:g} seconds")


def _make_place(prepared: Prepared, naming: Naming, context: "Surroundings") -> Place:
    directory = jobs_directory(context.home)
    make_directory(context.home)
    make_directory(directory)
    judgement = prepared.judgement
    last = judgement.parts[-1].words
    about = {
        "command": naming.command,
        "description": naming.description[:MOST_DESCRIPTION_CHARS],
        "session": context.session,
        "root": context.files.workspace.root,
        "working_dir": prepared.began_in,
        "started": time.time(),
        "timeout_seconds": prepared.timeout_seconds,
        "sandbox": prepared.sandbox,
        "verdict": judgement.verdict,
        "last_program": last[0] if last else "",
    }
    place = None
    try:
        with Lock(os.path.join(directory, "lock"), context.limits.lock_seconds):
            make_room(context.home, context.limits)
            place = new_place(directory)
        write_new(place.about, json.dumps(about).encode("ascii"), durable=False)
    except (OSError, Failure) as error:
        prepared.close()
        if place is not None:
            remove_place(place)
        if isinstance(error, Failure):
            raise
        raise Failure("io", f"{directory} cannot be written: {error.strerror}.") from None
    return place


def _environment() -> dict[str, str]:
    """Return what the supervisor's own interpreter needs, and what a codetools below it is compared with."""
    return {
        name: value for name, value in os.environ.items() if name in _PASSED_ON or name.startswith(_PASSED_ON_PREFIXES)
    }


def _pipe() -> tuple[int, int]:
    read, write = os.pipe()
    return _moved(read), _moved(write)


def _moved(descriptor: int) -> int:
    high = _high(descriptor)
    os.close(descriptor)
    return high


def _high(descriptor: int) -> int:
    """Return a copy that none of the supervisor's own descriptors can fall on."""
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE_FD)


def _no_supervisor(why: str) -> Failure:
    return Failure("unavailable", f"the process that runs the job cannot be used: {why}.")
