"""A command's output on disk, from its first byte, while it runs: private, capped, and bounded in number and age."""

import errno
import os
import time

from codetools.core.path import Path

MAX_KEPT = 200
MAX_AGE_SECONDS = 7 * 86400
SUFFIX = ".log"


class Spool:
    """One file for both streams, raw, as they came. It never fails: `trouble` says why output is missing from it."""

    def __init__(self, directory: str | None, most_bytes: int) -> None:
        self._directory = directory
        self._room = most_bytes
        self._most = most_bytes
        self._descriptor = -1
        self.path: Path | None = None
        self.trouble = ""

    def write(self, chunk: bytes) -> None:
        """Add a chunk; the file is made with the first."""
        if self.trouble:
            return
        try:
            if self._descriptor < 0:
                self._open()
            self._write_all(chunk[: self._room])
        except OSError as error:
            self.trouble = f"the output could not be kept on disk: {error.strerror}"
            self.discard()
            return
        if len(chunk) > self._room:
            self.trouble = f"only the first {self._most:,} bytes of output were kept on disk"
        self._room -= len(chunk)

    def keep(self) -> None:
        """Close the file and take away old ones, so that spools do not pile up."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
            _prune(os.path.dirname(self.path or ""))

    def discard(self) -> None:
        """Close and remove the file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        if self.path is not None:
            try:
                os.unlink(self.path)
            except OSError:
                return
            self.path = None

    def _open(self) -> None:
        if self._directory is None:
            raise OSError(errno.ENOENT, "there is no directory for it")
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{os.urandom(4).hex()}{SUFFIX}"
        path = os.path.join(self._directory, name)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        self._descriptor = os.open(path, flags, 0o600)
        self.path = Path(path)

    def _write_all(self, chunk: bytes) -> None:
        while chunk:
            chunk = chunk[os.write(self._descriptor, chunk) :]


class Kept:
    """A file that holds the output already, and stays whatever becomes of the result."""

    trouble = ""

    def __init__(self, path: Path) -> None:
        self.path: Path | None = path

    def write(self, chunk: bytes) -> None:
        """Add nothing: it is there."""

    def keep(self) -> None:
        """Leave it as it is."""

    def discard(self) -> None:
        """Leave it as it is, and name it no more: the result shows all of it."""
        self.path = None


def _prune(directory: str) -> None:
    """Remove spools past their age or number; another process may be doing the same."""
    oldest = time.time() - MAX_AGE_SECONDS
    try:
        names = sorted((name for name in os.listdir(directory) if name.endswith(SUFFIX)), reverse=True)
        for number, name in enumerate(names):
            path = os.path.join(directory, name)
            if number >= MAX_KEPT or os.stat(path).st_mtime < oldest:
                os.unlink(path)
    except OSError:
        return
