"""The kernel's own file policy for a process that gives up rights: Landlock, by raw system calls, as any user or root.

What is not named may not be read, run or written. Landlock does not cover chmod, chown, times, attributes or sockets
other than TCP; `seccomp.py` closes those.
"""

import os

from codetools.core.record import Record
from codetools.system import kernel

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_VERSION_FLAG = 1
_PATH_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _IOCTL = 1 << 14, 1 << 15
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL
_FILE_RIGHTS = (1, 13), (2, 14), (3, 15), (5, 16)  # from this ABI on, so many rights exist
_TCP_ABI, _SCOPE_ABI = 4, 6
_BIND_AND_CONNECT = 0b11
_SOCKETS_AND_SIGNALS = 0b11
TRUNCATE_ABI = 3


class Allowed(Record):
    """Files and directories (with all below them) that stay open to a restricted process; missing ones are ignored."""

    read: tuple[str, ...] = ()
    execute: tuple[str, ...] = ()  # these may be read as well
    write: tuple[str, ...] = ()  # existing files, and directories below which everything may be done
    has_network: bool = False


def landlock_version() -> int:
    """Return the kernel's Landlock ABI version, 0 where there is none."""
    try:
        return kernel.syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG)
    except OSError:
        return 0


def restrict_files(allowed: Allowed) -> None:
    """Restrict this thread and its children for good: files to what is allowed, TCP to none, signals to their own.

    Raises OSError where the kernel refuses. The process must have no_new_privs, or be privileged.
    """
    import ctypes

    version = landlock_version()
    every_right = (1 << max(count for since, count in _FILE_RIGHTS if version >= since)) - 1
    attributes = [every_right]
    if version >= _TCP_ABI:
        attributes.append(0 if allowed.has_network else _BIND_AND_CONNECT)
    if version >= _SCOPE_ABI:
        attributes.append(_SOCKETS_AND_SIGNALS)
    packed = b"".join(value.to_bytes(8, "little") for value in attributes)
    ruleset = kernel.syscall(_CREATE_RULESET, ctypes.c_char_p(packed), len(packed), 0)
    try:
        for path in allowed.read:
            _allow(ruleset, path, _READ_FILE | _READ_DIR)
        for path in allowed.execute:
            _allow(ruleset, path, _EXECUTE | _READ_FILE | _READ_DIR)
        for path in allowed.write:
            _allow(ruleset, path, every_right)
        kernel.syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    import ctypes

    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not _is_directory(descriptor):
            rights &= _OF_FILES
        packed = rights.to_bytes(8, "little") + descriptor.to_bytes(4, "little")
        kernel.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.c_char_p(packed), 0)
    finally:
        os.close(descriptor)


def _is_directory(descriptor: int) -> bool:
    import stat

    return stat.S_ISDIR(os.fstat(descriptor).st_mode)
