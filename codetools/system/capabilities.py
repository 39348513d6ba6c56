"""Takes from root what a command in a sandbox has no use for; some capabilities pass by every other wall."""

import os
import struct

from codetools.system import kernel

_PR_CAPBSET_DROP = 24
_VERSION_3 = 0x20080522
READING = (1, 2)  # dac_override, dac_read_search: root reads what only root may read
OWN_FILES = (0, 1, 2, 3, 4)  # chown, fowner and fsetid as well: root changes what it may write
_MOST = 64


def drop_capabilities(kept: tuple[int, ...]) -> None:
    """Leave root only these rights, for good; nothing to do for a user."""
    if os.geteuid() != 0:
        return
    for number in range(_MOST):
        if number not in kept:
            try:
                kernel.prctl(_PR_CAPBSET_DROP, number)
            except OSError:  # past the last one, or not root's to drop in a container: then it is not root's to use
                break
    import ctypes

    header = struct.pack("<Ii", _VERSION_3, 0)
    held = ctypes.create_string_buffer(24)
    kernel.call("capget", header, held)
    mask = struct.unpack("<6I", held.raw)[1] & sum(1 << number for number in kept)
    kernel.call("capset", header, struct.pack("<6I", mask, mask, 0, 0, 0, 0))
