"""Extended attributes: what a file carries beside its bytes and mode, ACLs and capabilities among it."""

import os


def attributes(descriptor: int) -> list[tuple[str, bytes]]:
    """Return a file's extended attributes; none where the system has none."""
    try:
        return [(name, os.getxattr(descriptor, name)) for name in os.listxattr(descriptor)]
    except (OSError, AttributeError):
        return []
