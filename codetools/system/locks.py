"""One process at a time per file: locks that the kernel gives up when their holder dies, and what such a one left."""

import fcntl
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from types import TracebackType
from typing import Self

from codetools.core.errors import Failure

BUCKETS = 256
FIRST_PAUSE_SECONDS = 0.001
LONGEST_PAUSE_SECONDS = 0.05
NOTE_BYTES = 1 << 16
MOST_NOTED_EVERYWHERE = 64
FILE_MODE = 0o600


def key_of(directory: os.stat_result, name: str) -> int:
    """Return the lock of a name in a directory: files share a few hundred locks, so none ever has to be removed."""
    import zlib

    identity = f"{directory.st_dev}:{directory.st_ino}:".encode() + os.fsencode(name)
    return zlib.crc32(identity) % BUCKETS


class Locks:
    """The locks of some files, held from `with` to its end; `io` naming the holder where they stay taken.

    `directory` is a private directory of ours. All are taken in one order, so two calls never wait for each other.
    What is noted with `leave` is in `left_behind` of whoever takes the lock next.
    """

    def __init__(self, directory: str, keys: Iterable[int], seconds: float, purpose: str) -> None:
        self._directory = directory
        self._keys = sorted(set(keys))
        self._seconds = seconds
        self._purpose = purpose
        self._descriptors: dict[int, int] = {}
        self._has_left: set[int] = set()
        self.left_behind: list[str] = []

    def leave(self, paths: Iterable[tuple[int, str]]) -> None:
        """Note temporary files that could not be removed, each in the lock of the name that it was made for.

        Of few files every lock notes all, so that the next call that takes any of these locks finds all of them.
        """
        for key, noted in self._lines(paths).items():
            self._write(self._descriptors[key], noted)
            self._has_left.add(key)

    def __enter__(self) -> Self:
        deadline = time.monotonic() + self._seconds
        try:
            for key in self._keys:
                self._take(key, deadline)
        except OSError as error:
            self._release()
            raise Failure("io", f"Locks in {self._directory}: {error.strerror}.", "Set CODETOOLS_HOME.") from None
        except BaseException:
            self._release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._release()

    def _take(self, key: int, deadline: float) -> None:
        path = os.path.join(self._directory, f"{key:02x}")
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            descriptor = os.open(path, flags, FILE_MODE)
        except FileNotFoundError:
            os.makedirs(self._directory, 0o700, exist_ok=True)
            descriptor = os.open(path, flags, FILE_MODE)
        self._descriptors[key] = descriptor
        if not wait_for_lock(descriptor, deadline):
            holder = os.pread(descriptor, NOTE_BYTES, 0).decode("utf-8", "replace").split("\n")[0]
            who = f"process {holder}" if holder else "another process"
            del self._descriptors[key]
            os.close(descriptor)
            raise Failure("io", f"The file is being changed by {who}.", "Nothing was changed; try again.")
        lines = os.pread(descriptor, NOTE_BYTES, 0).decode("utf-8", "replace").split("\n")
        self.left_behind += [_path(line) for line in lines[1:] if line]
        self._write(descriptor, self._who())

    def _lines(self, paths: Iterable[tuple[int, str]]) -> dict[int, str]:
        noted = [(key, path.encode("utf-8", "surrogateescape").hex()) for key, path in paths]
        lines: dict[int, list[str]] = {}
        for key, line in noted:
            lines.setdefault(key, [self._who()]).append(line)
        if len(noted) <= MOST_NOTED_EVERYWHERE:
            lines = {key: [self._who(), *(line for _, line in noted)] for key in lines}
        return {key: "\n".join(of_key) for key, of_key in lines.items()}

    def _who(self) -> str:
        return f"{os.getpid()} ({self._purpose})"

    def _write(self, descriptor: int, text: str) -> None:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, text.encode(), 0)

    def _release(self) -> None:
        for key, descriptor in self._descriptors.items():
            if key not in self._has_left:
                with suppress(OSError):  # a note that stays does no harm: who takes the lock next finds its files gone
                    os.ftruncate(descriptor, 0)
            os.close(descriptor)
        self._descriptors = {}


def wait_for_lock(descriptor: int, deadline: float) -> bool:
    """Take the lock of an open file; return whether that was possible until `deadline`, a `time.monotonic()`."""
    pause = FIRST_PAUSE_SECONDS
    while not _try_lock(descriptor):
        if time.monotonic() >= deadline:
            return False
        time.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
    return True


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _path(line: str) -> str:
    try:
        return bytes.fromhex(line).decode("utf-8", "surrogateescape")
    except ValueError:
        return ""
