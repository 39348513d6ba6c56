"""Runs an engine's process: a deadline, a reader that can say enough, bounded memory, and no survivor.

The runner of `system/process.py` keeps whole trees of strangers; an engine is one process of ours that starts none, and
`subprocess` starts it in a third of the time.
"""

import contextlib
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.search.job import RULES_PATH, Program

READ_BYTES = 1 << 20
CHECK_SECONDS = 0.2
GRACE_SECONDS = 2.0  # for a process that has closed its pipes to end
KEPT_VARIABLES = ("HOME", "XDG_CONFIG_HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR")
DESCRIPTORS = "/proc/self/fd" if sys.platform == "linux" else "/dev/fd"

Reader = Callable[[bytes], bool]


class Ending(Record):
    """How a process ended: its status, or None where it was stopped before its end."""

    status: int | None
    timed_out: bool = False
    was_enough: bool = False


class Child:
    """One running engine. `read` and `read_errors` take what it writes, and return False for enough."""

    def __init__(self, program: Program, read: Reader, read_errors: Reader) -> None:
        self._process = _start(program)
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._readers = {self._process.stdout.fileno(): read, self._process.stderr.fileno(): read_errors}

    def finish(self, deadline: float, check: Callable[[], None] | None = None) -> Ending:
        """Read to the end, to `deadline` (`time.monotonic`), or until a reader has enough or `check` raises."""
        poll = select.poll()
        for descriptor in self._readers:
            poll.register(descriptor, select.POLLIN)
        while self._readers:
            if check is not None:
                check()
            left = deadline - time.monotonic()
            if left <= 0:
                self.stop()
                return Ending(None, timed_out=True)
            for descriptor, _ in poll.poll(min(left, CHECK_SECONDS) * 1000):
                chunk = os.read(descriptor, READ_BYTES)
                if not chunk:
                    poll.unregister(descriptor)
                    del self._readers[descriptor]
                elif not self._readers[descriptor](chunk):
                    self.stop()
                    return Ending(None, was_enough=True)
        try:
            return Ending(self._process.wait(GRACE_SECONDS))
        except subprocess.TimeoutExpired:
            self.stop()
            return Ending(None, timed_out=True)

    def stop(self) -> None:
        """End the process if it still runs, and let go of it."""
        self._process.kill()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        self._readers = {}
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def descriptor_path(fd: int) -> str:
    """Return the path by which a process opens a descriptor that it inherited."""
    return f"{DESCRIPTORS}/{fd}"


def _start(program: Program) -> "subprocess.Popen[bytes]":
    rules = _readable(program.rules) if program.rules else -1
    inherited = program.inherited_fds + ((rules,) if rules >= 0 else ())
    argv = [descriptor_path(rules) if word == RULES_PATH else word for word in program.argv]
    try:
        return subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=_entry(program.directory_fd),
            env={name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ},
            pass_fds=inherited,
            start_new_session=True,
            pipesize=READ_BYTES,
        )
    except ValueError:
        raise Failure("usage", "a pattern or glob holds a NUL character.", r"Write \x00 in a pattern.") from None
    except UnicodeEncodeError:
        raise Failure("usage", "a pattern or glob is not valid UTF-8.") from None
    except OSError as error:
        if error.errno == 7:  # E2BIG
            raise Failure("usage", "the pattern is too long for a command line.", "Search for a part of it.") from None
        raise Failure("unavailable", f"the search program cannot be started: {error.strerror}.") from None
    finally:
        if rules >= 0:
            os.close(rules)


def _entry(directory_fd: int | None) -> str | None:
    """Return a name for an open directory that leads to it and nowhere else; on macOS only its present name."""
    if directory_fd is None:
        return None
    if sys.platform == "darwin":
        import fcntl

        return os.fsdecode(fcntl.fcntl(directory_fd, fcntl.F_GETPATH, b"\0" * 1024).rstrip(b"\0"))
    return descriptor_path(directory_fd)


def _readable(text: str) -> int:
    """Return a descriptor that a process can open by its path and read once; a pipe holds what fits into it."""
    content = text.encode("utf-8", "surrogateescape")
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with contextlib.suppress(BlockingIOError):
        os.write(writing, content)
    os.close(writing)
    return reading
