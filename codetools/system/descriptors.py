"""Room for many open directories: a change of thousands of files needs more than a process may open by default."""

import os
from types import TracebackType
from typing import Self

from codetools.core.errors import Failure

FEW = 200  # that there is always room for
SPARE = 300  # for what is open for a moment: a path of many names, a deep tree


class Room:
    """Lets this process have `count` more files open until the `with` ends; `io` where the system does not allow it."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._before: tuple[int, int] | None = None

    def __enter__(self) -> Self:
        if self._count > FEW:
            import resource

            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            wanted = self._count + SPARE + _open_now()
            if soft != resource.RLIM_INFINITY and wanted > soft:
                if hard != resource.RLIM_INFINITY and wanted > hard:
                    message = f"The change needs {wanted:,} open files and directories; this process may have {hard:,}."
                    raise Failure("io", message, "Nothing was changed; make it in parts, or raise `ulimit -n`.")
                self._before = (soft, hard)
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            import resource

            resource.setrlimit(resource.RLIMIT_NOFILE, self._before)


def _open_now() -> int:
    try:
        return len(os.listdir("/proc/self/fd"))
    except OSError:
        return FEW
