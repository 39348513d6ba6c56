"""The wall behind the verdict: the kernel holds a command judged to only read to that, so a mistake fails closed."""

from collections.abc import Callable
from typing import Literal

from codetools.system import kernel
from codetools.system.capabilities import drop_capabilities
from codetools.system.landlock import TRUNCATE_ABI, Allowed, landlock_version, restrict_files
from codetools.system.seccomp import can_filter, filter_calls

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


def jail(roots: tuple[str, ...], programs: tuple[str, ...]) -> Callable[[], None]:
    """Return what a forked child calls to give up everything but reading.

    It may read below the roots and the system's own files, run these programs and no other, write to nothing but
    /dev/null and what it has open, reach no network and signal nobody outside. Raises OSError where that cannot be had.
    """
    allowed = Allowed(read=(*roots, *READABLE), execute=(*LIBRARIES, *programs), write=WRITABLE)

    def restrict() -> None:
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        drop_capabilities()
        restrict_files(allowed)
        if can_filter():
            filter_calls()

    return restrict
