"""Changing a name in a directory so that it is old or new at every moment, and durable afterwards."""

import errno
import os
import signal
import stat
from types import TracebackType
from typing import Any, Self

from codetools.system.xattrs import attributes

TEMPORARY_PREFIX = ".codetools-"
TEMPORARY_SUFFIX = ".tmp"
RENAME_NOREPLACE = 1
RENAME_EXCHANGE = 2
NEW_FILE_MODE = 0o666  # less the umask, which the kernel takes off
PRIVATE_MODE = 0o600
SLICE_BYTES = 8 << 20
SYNC_FILE_RANGE_WRITE = 2

_libc: Any = None
MAY_NOT = (errno.EACCES, errno.EPERM, errno.ENOTSUP)
_UNSUPPORTED = (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP)
_SYSCALL_NUMBERS = {"x86_64": 316, "aarch64": 276, "riscv64": 276}


class Unsupported(Exception):
    """The file system or the kernel cannot rename in the asked-for way."""


def load() -> Any:
    """Load the C library; called ahead, so that nothing is half done while modules are imported."""
    global _libc
    if _libc is None:
        import ctypes

        _libc = ctypes.CDLL(None, use_errno=True)
    return _libc


def temporary_name() -> str:
    """Return a name that nobody can guess."""
    return f"{TEMPORARY_PREFIX}{os.urandom(8).hex()}{TEMPORARY_SUFFIX}"


def is_temporary(name: str) -> bool:
    """Whether a file name is one of `temporary_name`."""
    return name.startswith(TEMPORARY_PREFIX) and name.endswith(TEMPORARY_SUFFIX)


def make_temporary(parent: int, name: str, content: bytes, mode: int) -> int:
    """Write a new file beside its target and return it open, not yet durable; on an error nothing is left."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(name, flags, mode, dir_fd=parent)
    try:
        write_all(descriptor, content)
    except BaseException:
        os.close(descriptor)
        remove(parent, name)
        raise
    return descriptor


def write_all(descriptor: int, content: bytes) -> None:
    """Write a whole content at the end of a new file; the disk takes in a large one while the rest is written."""
    rest = memoryview(content)
    written = 0
    while rest:
        count = os.write(descriptor, rest[:SLICE_BYTES])
        rest = rest[count:]
        if rest:
            _start_writing(descriptor, written, count)
        written += count


def copy_metadata(source: int, target: int) -> list[str]:
    """Give a new file the owner, extended attributes and mode of another; return what could not be kept."""
    wanted, made = os.fstat(source), os.fstat(target)
    lost = []
    if (wanted.st_uid, wanted.st_gid) != (made.st_uid, made.st_gid):
        lost += _copy_owner(target, wanted)
    mode = stat.S_IMODE(wanted.st_mode)
    if lost:
        mode &= ~(stat.S_ISUID | stat.S_ISGID)
    made_with = dict(attributes(target))
    for name, value in attributes(source):
        try:
            if made_with.get(name) != value:
                os.setxattr(target, name, value)
        except OSError as error:
            if error.errno not in MAY_NOT:  # a full or failing disk is no reason to lose any
                raise
            lost.append(name)
    os.fchmod(target, mode)
    return lost


def exchange(parent: int, first: str, second: str) -> None:
    """Swap two names of one directory in one step; raise `Unsupported` or OSError."""
    _rename(parent, first, parent, second, RENAME_EXCHANGE)


def rename_new(parent: int, name: str, new_parent: int, new_name: str) -> None:
    """Rename where the new name must be free, in one step; raise FileExistsError, `Unsupported` or OSError."""
    _rename(parent, name, new_parent, new_name, RENAME_NOREPLACE)


def remove(parent: int, name: str) -> bool:
    """Remove a file that may be gone already; return whether it is."""
    try:
        os.unlink(name, dir_fd=parent)
    except OSError as error:
        return error.errno == errno.ENOENT
    return True


def sync_directory(directory: int | str) -> None:
    """Make the names in a directory durable; it is held open, or given by its path."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    name, parent = (directory, None) if isinstance(directory, str) else (".", directory)
    descriptor = os.open(name, flags, dir_fd=parent)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class HeldSignals:
    """INT, TERM and HUP are held back until the `with` ends; an interrupt that came then is told by `interrupted`.

    Only this thread holds them back: in a process with several the main thread still gets them.
    """

    def __init__(self) -> None:
        self.interrupted = False

    def __enter__(self) -> Self:
        held = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        self._before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, self._before)
        except KeyboardInterrupt:
            if error is not None:
                raise
            self.interrupted = True  # what was to be done is done, and has to be reported


def _start_writing(descriptor: int, start: int, size: int) -> None:
    """Have the kernel begin to write a part of a file; where it does not, the later fsync does it all."""
    import ctypes

    libc = load()
    if hasattr(libc, "sync_file_range"):
        libc.sync_file_range(descriptor, ctypes.c_int64(start), ctypes.c_int64(size), SYNC_FILE_RANGE_WRITE)


def _copy_owner(target: int, wanted: os.stat_result) -> list[str]:
    try:
        os.fchown(target, wanted.st_uid, wanted.st_gid)
    except PermissionError:
        try:
            os.fchown(target, -1, wanted.st_gid)
        except PermissionError:
            return ["owner and group"]
        return ["owner"] if wanted.st_uid != os.fstat(target).st_uid else []
    return []


def _rename(parent: int, name: str, new_parent: int, new_name: str, flags: int) -> None:
    import ctypes

    libc = load()
    arguments = (parent, os.fsencode(name), new_parent, os.fsencode(new_name), flags)
    if hasattr(libc, "renameat2"):
        failed = libc.renameat2(*arguments)
    elif (number := _SYSCALL_NUMBERS.get(os.uname().machine)) and os.uname().sysname == "Linux":
        failed = libc.syscall(number, *arguments)
    else:
        raise Unsupported
    if failed:
        code = ctypes.get_errno()
        if code in _UNSUPPORTED:
            raise Unsupported
        raise OSError(code, os.strerror(code), name)
