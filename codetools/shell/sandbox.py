"""The wall behind the verdict: the kernel holds a command judged to only read to that, so a mistake fails closed."""

from typing import Literal

from codetools.system.jail import Jail
from codetools.system.landlock import TRUNCATE_ABI, landlock_version
from codetools.system.seccomp import can_filter

Level = Literal["enforced", "partial", "none"]

LIBRARIES = ("/lib", "/lib32", "/lib64", "/libx32", "/usr/lib", "/usr/lib32", "/usr/lib64", "/nix/store", "/gnu/store")
READABLE = (
    "/usr", "/bin", "/sbin", "/opt", "/proc", "/sys", "/dev/zero", "/dev/random", "/dev/urandom",
    "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/localtime", "/etc/timezone", "/etc/ld.so.cache",
    "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/locale.alias", "/etc/magic", "/etc/os-release", "/etc/mtab",
)  # fmt: skip
WRITABLE = ("/dev/null",)


def sandbox_level() -> Level:
    """Return how far the kernel of this machine can hold a reading command to its word; one system call."""
    version = landlock_version()
    if version == 0:
        return "none"
    return "enforced" if version >= TRUNCATE_ABI and can_filter() else "partial"


def reading_jail(roots: tuple[str, ...], programs: tuple[str, ...]) -> Jail:
    """Return the jail of a command that only reads.

    It may read below the roots and the system's own files, run these programs and no other, write to nothing but
    /dev/null and what it has open, reach no network and signal nobody outside.
    """
    return Jail(files=True, read=(*roots, *READABLE), execute=(*LIBRARIES, *programs), write=WRITABLE, calls="reading")
