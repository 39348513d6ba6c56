"""Closes what Landlock leaves open to a process that only reads: metadata, sockets, signals, tracing, administration.

The filter is a list of refused calls, so it stands behind Landlock, never alone; calls younger than this list do not
exist for the process (ENOSYS), so that a new kernel opens nothing.
"""

import os
import struct
from typing import Literal

from codetools.system import kernel

Calls = Literal["reading", "local", "networked"]

_PR_SET_SECCOMP = 22
_MODE_FILTER = 2
_ARCHITECTURE = 0xC000003E  # AUDIT_ARCH_X86_64
_FIRST_UNKNOWN = 451  # numbers from here on are refused; x32 calls (bit 30) are among them
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_EPERM, _ENOSYS = 1, 38
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER_OFFSET, _ARCHITECTURE_OFFSET, _ARGUMENTS_OFFSET = 0, 4, 16

_METADATA = {
    "chmod": 90, "fchmod": 91, "fchmodat": 268, "chown": 92, "fchown": 93, "lchown": 94, "fchownat": 260,
    "utime": 132, "utimes": 235, "futimesat": 261, "utimensat": 280, "setxattr": 188, "lsetxattr": 189,
    "fsetxattr": 190, "removexattr": 197, "lremovexattr": 198, "fremovexattr": 199,
}  # fmt: skip
_SOCKETS = {"socket": 41, "connect": 42, "bind": 49, "listen": 50}
_IO_URING = {"io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427}  # it passes by this filter
_OTHER_PROCESSES = {  # abort() needs tgkill, which Landlock scopes
    "shmget": 29, "shmat": 30, "semget": 64, "semop": 65, "semtimedop": 220, "msgget": 68, "msgsnd": 69,
    "msgrcv": 70, "msgctl": 71, "shmctl": 31, "semctl": 66,  # by a number that needs no permission to be guessed
    "mq_open": 240, "mq_unlink": 241,
    "kill": 62, "tkill": 200, "rt_sigqueueinfo": 129, "rt_tgsigqueueinfo": 297, "pidfd_send_signal": 424,
    "pidfd_getfd": 438, "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312,
    "process_madvise": 440, "process_mrelease": 448, "setpriority": 141, "ioprio_set": 251,
    "sched_setparam": 142, "sched_setscheduler": 144, "sched_setaffinity": 203, "sched_setattr": 314,
    "migrate_pages": 256, "move_pages": 279,
}  # fmt: skip
_MACHINE = {
    # mounts and namespaces
    "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "setns": 308, "unshare": 272,
    "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
    "mount_setattr": 442,
    # files by handle, which pass by Landlock's paths
    "name_to_handle_at": 303, "open_by_handle_at": 304,
    # the machine
    "bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "keyctl": 250, "add_key": 248, "request_key": 249,
    "init_module": 175, "finit_module": 313, "delete_module": 176, "kexec_load": 246, "kexec_file_load": 320,
    "reboot": 169, "swapon": 167, "swapoff": 168, "sethostname": 170, "setdomainname": 171,
    "settimeofday": 164, "clock_settime": 227, "clock_adjtime": 305, "adjtimex": 159, "quotactl": 179,
    "quotactl_fd": 443, "acct": 163, "ioperm": 173, "iopl": 172, "syslog": 103, "vhangup": 153,
    "fanotify_init": 300, "modify_ldt": 154, "uselib": 134,
}  # fmt: skip
_REFUSED: dict[Calls, dict[str, int]] = {
    "reading": {**_METADATA, **_SOCKETS, **_IO_URING, **_OTHER_PROCESSES, **_MACHINE},
    "local": {**_SOCKETS, **_IO_URING, **_MACHINE},
    "networked": {**_IO_URING, **_MACHINE},
}
_IOCTL, _PRLIMIT = 16, 302
_REFUSED_IOCTLS = {
    "TIOCSTI": 0x5412, "TIOCLINUX": 0x541C, "FS_IOC_SETFLAGS": 0x40086602, "FS_IOC32_SETFLAGS": 0x40046602,
    "FS_IOC_FSSETXATTR": 0x401C5820, "FS_IOC_SETVERSION": 0x40087602, "FS_IOC_ENABLE_VERITY": 0x40806685,
}  # fmt: skip


def can_filter() -> bool:
    """Whether this machine's system calls are those of the filter: x86-64 Linux."""
    return kernel.IS_LINUX and os.uname().machine == "x86_64"


def filter_calls(kept: Calls) -> None:
    """Keep the calls of a reading, a local or a networked program, for this thread and its children, for good.

    It must have no_new_privs, or be privileged.
    """
    import ctypes

    program = ctypes.create_string_buffer(_program(_REFUSED[kept]))
    header = struct.pack("HxxxxxxP", (len(program) - 1) // 8, ctypes.addressof(program))
    kernel.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.c_char_p(header))


def _program(refused: dict[str, int]) -> bytes:
    steps = [
        _step(_LOAD, _ARCHITECTURE_OFFSET),
        _step(_IF_EQUAL, _ARCHITECTURE, 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER_OFFSET),
        _step(_IF_AT_LEAST, _FIRST_UNKNOWN, 0, 1),
        _step(_RETURN, _ERRNO | _ENOSYS),
    ]
    for number in refused.values():
        steps += _refuse_if_equal(number)
    refused_ioctls = [step for number in _REFUSED_IOCTLS.values() for step in _refuse_if_equal(number)]
    steps += [
        _step(_IF_EQUAL, _IOCTL, 0, len(refused_ioctls) + 2),
        _step(_LOAD, _ARGUMENTS_OFFSET + 8),
        *refused_ioctls,
        _step(_RETURN, _ALLOW),
        _step(_IF_EQUAL, _PRLIMIT, 0, 3),
        _step(_LOAD, _ARGUMENTS_OFFSET),
        _step(_IF_EQUAL, 0, 1, 0),  # a process's own limits are its own
        _step(_RETURN, _ERRNO | _EPERM),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(steps)


def _refuse_if_equal(value: int) -> list[bytes]:
    return [_step(_IF_EQUAL, value, 0, 1), _step(_RETURN, _ERRNO | _EPERM)]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)
