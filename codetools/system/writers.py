"""Whether another program has a file open for writing: the kernel grants a read lease only where none has."""

import errno
import fcntl
import signal


def has_writer(descriptor: int) -> bool:
    """Whether some process has the file open for writing; False where the system cannot tell.

    The descriptor has to be open for reading only.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        # who opens the file in this moment breaks the lease, which is told by a signal: one that is ignored by default
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return error.errno == errno.EAGAIN  # others: not our file, or a file system without leases
    fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False
