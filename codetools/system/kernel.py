"""The kernel calls that Python lacks, by ctypes; nothing here works elsewhere than Linux."""

import os
import sys
from typing import Any

PR_SET_PDEATHSIG = 1
PR_SET_NAME = 15
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

IS_LINUX = sys.platform == "linux"
_library: Any = None


def prctl(option: int, value: int | bytes, third: Any = None) -> None:
    """Call prctl(2); raise OSError where it fails, and where there is no such call."""
    import ctypes

    second = ctypes.c_ulong(value) if isinstance(value, int) else value
    zero = ctypes.c_ulong(0)
    _checked(_libc().prctl(option, second, third if third is not None else zero, zero, zero), f"prctl({option})")


def syscall(number: int, *arguments: Any) -> int:
    """Call a system call by number and return its result; raise OSError where it fails."""
    import ctypes

    words = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    return _checked(_libc().syscall(ctypes.c_long(number), *words), f"syscall({number})")


def call(name: str, *arguments: Any) -> int:
    """Call a function of the C library and return its result; raise OSError where it fails."""
    return _checked(getattr(_libc(), name)(*arguments), name)


def load() -> None:
    """Import what the calls need: before a fork, since a forked child should import nothing."""
    if IS_LINUX:
        _libc()


def _libc() -> Any:
    global _library
    if _library is None:
        import ctypes

        if not IS_LINUX:
            raise OSError(38, "not Linux")
        _library = ctypes.CDLL(None, use_errno=True)
        _library.syscall.restype = ctypes.c_long
    return _library


def _checked(result: int, name: str) -> int:
    if result < 0:
        import ctypes

        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return int(result)
