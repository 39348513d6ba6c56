"""Runs an engine's process: a deadline, a reader that can say enough, bounded memory, and no survivor.

The runner of `system/process.py` keeps whole trees of strangers; an engine is one process of ours that starts none.
`subprocess` would do, but its import takes as long as the search of a small tree.
"""

import contextlib
import errno
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, NoReturn, Self

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.search.job import RULES_PATH, WITHHELD_PATH, Program

READ_BYTES = 1 << 18
CHECK_SECONDS = 0.2
SILENT_SECONDS = 0.4  # after which it is looked at what it waits for
CHOKED_SECONDS = 0.8  # after which it is looked for an ignore file that it may choke on
LOOK_SECONDS = 0.025  # between looks at what it reads: less than a file takes that is too large
GRACE_SECONDS = 1.0  # for a process that has closed its pipes to end
KEPT_VARIABLES = ("HOME", "XDG_CONFIG_HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR")
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
DESCRIPTORS = "/proc/self/fd" if sys.platform == "linux" else "/dev/fd"

Reader = Callable[[bytes], bool]


class Ending(Record):
    """How a process ended: its status, or None where it was stopped before its end."""

    status: int | None
    timed_out: bool = False
    was_enough: bool = False
    met_large: bool = False  # a file above `most_file_bytes`
    met_long: bool = False  # a file with a line too long to show
    met_rules: bool = False  # an ignore file that is too long


class Child:
    """One running engine. `read` and `read_errors` take what it writes, and return False for enough."""

    def __init__(self, program: Program, read: Reader, read_errors: Reader) -> None:
        self._status: int | None = None
        self._pid = 0
        self._readers: dict[int, Reader] = {}
        self._directory = program.directory_fd
        self._most_file_bytes = program.watched_bytes
        self._watches_lines = program.watches_lines
        self._is_watched = program.watches_lines or program.watched_bytes is not None
        self._known: set[tuple[int, int]] = set()
        self._may_choke = program.argv[0] if program.may_choke else ""
        self.freed: list[str] = []  # FIFOs in the place of ignore files, on which it waited
        masked = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING_SIGNALS)
        try:  # an interrupt waits until there is somebody to end the process
            self._pid, out, err = _start(program, masked)
            self._readers = {out: read, err: read_errors}
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)

    def finish(self, deadline: float, check: Callable[[], None] | None = None) -> Ending:
        """Read to the end, to `deadline` (`time.monotonic`), or until a reader has enough or `check` raises."""
        poll = select.poll()
        for descriptor in self._readers:
            poll.register(descriptor, select.POLLIN)
        heard = looked = time.monotonic()
        pause = LOOK_SECONDS if self._is_watched else CHECK_SECONDS
        while self._readers:
            if check is not None:
                check()
            now = time.monotonic()
            if now >= deadline:
                self.stop()
                return Ending(None, timed_out=True)
            ready = poll.poll(min(deadline - now, pause) * 1000)
            now = time.monotonic()
            if ready:
                heard = now
            elif now - heard > SILENT_SECONDS:
                self._free()
                if self._may_choke and now - heard > CHOKED_SECONDS and self._is_choked():
                    self.stop()
                    return Ending(None, met_rules=True)
            if self._is_watched and now - looked >= LOOK_SECONDS:
                looked = now
                if met := self._met_file():
                    self.stop()
                    return Ending(None, met_large=met == "large", met_long=met == "long")
            for descriptor, _ in ready:
                chunk = os.read(descriptor, READ_BYTES)
                if not chunk:
                    poll.unregister(descriptor)
                    del self._readers[descriptor]
                    os.close(descriptor)
                elif not self._readers[descriptor](chunk):
                    self.stop()
                    return Ending(None, was_enough=True)
        pause = 0.00002
        while not self._has_ended() and pause < GRACE_SECONDS:
            time.sleep(pause)
            pause *= 1.5
        self.stop()
        return Ending(self._status)

    def _met_file(self) -> str:
        from codetools.search.stuck import met_file

        return met_file(self._pid, self._most_file_bytes, self._known if self._watches_lines else None)

    def _is_choked(self) -> bool:
        """Whether an ignore file below is too long; looked for once."""
        from codetools.search.overgrown import is_overgrown_below

        program, self._may_choke = self._may_choke, ""
        return self._directory is not None and is_overgrown_below(program, self._directory)

    def _free(self) -> None:
        from codetools.search.stuck import free

        self.freed += free(self._pid, self._directory)

    def stop(self) -> None:
        """End the process if it still runs, and let go of it."""
        for descriptor in self._readers:
            os.close(descriptor)
        self._readers = {}
        if self._pid and self._status is None:
            os.kill(self._pid, signal.SIGKILL)
            self._settle(os.waitpid(self._pid, 0))

    def __del__(self) -> None:
        self.stop()  # an interrupt may come before its owner has it

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _has_ended(self) -> bool:
        if self._status is None:
            self._settle(os.waitpid(self._pid, os.WNOHANG))
        return self._status is not None

    def _settle(self, waited: tuple[int, int]) -> None:
        pid, status = waited
        if pid:
            self._status = os.waitstatus_to_exitcode(status)


def descriptor_path(fd: int) -> str:
    """Return the path by which a process opens a descriptor that it inherited."""
    return f"{DESCRIPTORS}/{fd}"


def text_path(place: str, fd: int) -> str:
    """Return the path of a text that was given along; each of the two kinds is told by how its path is written."""
    assert place in (RULES_PATH, WITHHELD_PATH)
    return descriptor_path(fd) if place == RULES_PATH else f"{DESCRIPTORS}/./{fd}"


class _Start(Record):
    """What the child needs between fork and exec."""

    argv: tuple[bytes, ...]
    directory_fd: int | None
    standard_fds: tuple[int, int, int]
    kept_fds: tuple[int, ...]
    tell_fd: int
    masked: frozenset[int]
    allowed: Any = None  # what a wall leaves open


def _start(program: Program, masked: Iterable[int]) -> tuple[int, int, int]:
    """Start a process; return its id and the descriptors of its standard output and error.

    Signals that end us are blocked meanwhile; `masked` are those that were before.
    """
    with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
        try:
            texts = {place: _readable(text, theirs) for place, text in program.texts}
            out, out_end = _pipe(ours, theirs)
            err, err_end = _pipe(ours, theirs)
            told, tell = _pipe(ours, theirs)
            nothing = _closing(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC), theirs)
            argv = tuple(_encoded(text_path(word, texts[word]) if word in texts else word) for word in program.argv)
            kept = (*program.inherited_fds, *texts.values())
            standard = (nothing, out_end, err_end)
            start = _Start(argv, program.directory_fd, standard, kept, tell, frozenset(masked), _wall(program))
            pid = os.fork()
        except OSError as error:
            raise Failure("unavailable", f"no search can be started: {error.strerror}.") from None
        if pid == 0:
            _become(start)
        theirs.close()
        failed = os.read(told, 64)  # nothing once the program runs
        if failed:
            os.waitpid(pid, 0)
            raise _failure(int(failed))
        ours.pop_all()
        os.close(told)
        return pid, out, err


def _wall(program: Program) -> Any:
    if not program.is_walled or program.directory_fd is None:
        return None
    from codetools.search.wall import wall_around

    return wall_around(program.argv[0], program.directory_fd)


def _become(start: _Start) -> NoReturn:
    """In the child: become the program, in its directory, with its own descriptors only."""
    try:
        for ending in (signal.SIGPIPE, *ENDING_SIGNALS):
            signal.signal(ending, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, start.masked)
        os.setsid()
        for number, descriptor in enumerate(start.standard_fds):
            os.dup2(descriptor, number)
        last = 2
        for descriptor in sorted({*start.kept_fds, start.tell_fd, *_present(start.directory_fd)}):
            os.closerange(last + 1, descriptor)
            last = descriptor
        os.closerange(last + 1, os.sysconf("SC_OPEN_MAX"))
        for descriptor in start.kept_fds:
            os.set_inheritable(descriptor, True)
        if start.directory_fd is not None:
            os.fchdir(start.directory_fd)
        if start.allowed is not None:
            _enter_wall(start.allowed)
        os.execve(start.argv[0], start.argv, {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ})
    except OSError as error:
        os.write(start.tell_fd, str(error.errno).encode())
    finally:
        os._exit(127)


def _enter_wall(allowed: Any) -> None:
    from codetools.search.wall import enter  # it was imported before the fork

    enter(allowed)


def _failure(number: int) -> Failure:
    if number == errno.E2BIG:
        return Failure("usage", "the pattern is too long for a command line.", "Search for a part of it.")
    return Failure("unavailable", f"the search program cannot be started: {os.strerror(number)}.")


def _encoded(word: str) -> bytes:
    if "\0" in word:
        raise Failure("usage", "a pattern or glob holds a NUL character.", r"Write \x00 in a pattern.")
    return os.fsencode(word)


def _readable(text: str, theirs: contextlib.ExitStack) -> int:
    """Return a descriptor that a process can open by its path and read once; a pipe holds what fits into it."""
    written = text.encode("utf-8", "surrogateescape")
    if sys.platform == "linux":
        memory = _closing(os.memfd_create("rules"), theirs)
        while written:
            written = written[os.write(memory, written) :]
        return memory
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with contextlib.suppress(BlockingIOError):
        os.write(writing, written)
    os.close(writing)
    return _closing(reading, theirs)


def _pipe(ours: contextlib.ExitStack, theirs: contextlib.ExitStack) -> tuple[int, int]:
    reading, writing = os.pipe()
    return _closing(reading, ours), _closing(writing, theirs)


def _closing(descriptor: int, stack: contextlib.ExitStack) -> int:
    stack.callback(os.close, descriptor)
    return descriptor


def _present(descriptor: int | None) -> tuple[int, ...]:
    return () if descriptor is None else (descriptor,)
