"""Extended attributes: what a file carries beside its bytes and mode, ACLs and capabilities among it."""

import errno
import os

_NONE = (errno.ENOTSUP, errno.ENOSYS)


def attributes(descriptor: int) -> list[tuple[str, bytes]]:
    """Return a file's extended attributes; none where the system has none. Raise OSError where they cannot be read."""
    try:
        names = os.listxattr(descriptor)
    except AttributeError:
        return []
    except OSError as error:
        if error.errno in _NONE:
            return []
        raise
    return [(name, value) for name in names if (value := _value(descriptor, name)) is not None]


def _value(descriptor: int, name: str) -> bytes | None:
    try:
        return os.getxattr(descriptor, name)
    except OSError as error:
        is_gone = error.errno in (*_NONE, errno.ENODATA)
        if is_gone or (isinstance(error, PermissionError) and not name.startswith("user.")):  # the system's, not ours
            return None
        raise
