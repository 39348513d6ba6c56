"""Takes from root what a reading command has no use for; some capabilities pass by every other wall."""

import os
import struct

from codetools.system import kernel

_PR_CAPBSET_DROP = 24
_VERSION_3 = 0x20080522
_DAC_OVERRIDE, _DAC_READ_SEARCH = 1, 2  # root reads what only root may read
_MOST = 64


def drop_capabilities() -> None:
    """Leave root only the right to read any file, for good; nothing to do for a user."""
    if os.geteuid() != 0:
        return
    for number in range(_MOST):
        if number not in (_DAC_OVERRIDE, _DAC_READ_SEARCH):
            try:
                kernel.prctl(_PR_CAPBSET_DROP, number)
            except OSError:  # past the last one, or not root's to drop in a container: then it is not root's to use
                break
    import ctypes

    header = struct.pack("<Ii", _VERSION_3, 0)
    held = ctypes.create_string_buffer(24)
    kernel.call("capget", header, held)
    kept = struct.unpack("<6I", held.raw)[1] & (1 << _DAC_OVERRIDE | 1 << _DAC_READ_SEARCH)
    kernel.call("capset", header, struct.pack("<6I", kept, kept, 0, 0, 0, 0))
