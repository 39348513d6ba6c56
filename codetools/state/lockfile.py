"""One process at a time: an advisory lock on a file of ours, given up by the kernel when its holder dies."""

import os
import time
from types import TracebackType

from codetools.core.errors import Failure
from codetools.state.home import FILE_MODE
from codetools.system.locks import wait_for_lock


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
        if not wait_for_lock(self._descriptor, time.monotonic() + self.seconds):
            os.close(self._descriptor)
            raise Failure("io", f"{self.path} is locked by another process for over {self.seconds:g} seconds.")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)
