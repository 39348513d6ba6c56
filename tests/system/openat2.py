"""The kernel's own confinement, as the oracle of ours."""

import ctypes
import os

OPENAT2 = 437
RESOLVE_NO_MAGICLINKS = 0x02
RESOLVE_BENEATH = 0x08
RESOLVE_IN_ROOT = 0x10


class OpenHow(ctypes.Structure):
    _fields_ = [("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64)]


def open_beneath(root: str, relative: str, resolve: int = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS) -> tuple[int, int]:
    """Return (device, inode) of what `relative` reaches below `root`; raise OSError as the kernel does."""
    libc = ctypes.CDLL(None, use_errno=True)
    top = os.open(root, os.O_PATH | os.O_DIRECTORY)
    try:
        how = OpenHow(os.O_PATH | os.O_CLOEXEC, 0, resolve)
        found = libc.syscall(OPENAT2, top, os.fsencode(relative), ctypes.byref(how), ctypes.sizeof(how))
        if found < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), relative)
    finally:
        os.close(top)
    try:
        status = os.fstat(found)
        return status.st_dev, status.st_ino
    finally:
        os.close(found)
