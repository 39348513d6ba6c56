"""One process at a time: an advisory lock on a file of ours, given up by the kernel when its holder dies."""

import fcntl
import os
import time
from types import TracebackType

from codetools.core.errors import Failure
from codetools.state.home import FILE_MODE

POLL_SECONDS = 0.01


class Lock:
    """A lock held from `with` to its end; `io` where another process keeps it longer than `seconds`."""

    def __init__(self, path: str, seconds: float) -> None:
        self.path = path
        self.seconds = seconds
        self._descriptor = -1

    def __enter__(self) -> None:
        try:
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, FILE_MODE)
        except OSError as error:
            raise Failure("io", f"{self.path}: {error.strerror}.") from None
        deadline = time.monotonic() + self.seconds
        while not self._try():
            if time.monotonic() >= deadline:
                os.close(self._descriptor)
                raise Failure("io", f"{self.path} is locked by another process for over {self.seconds:g} seconds.")
            time.sleep(POLL_SECONDS)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)

    def _try(self) -> bool:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
