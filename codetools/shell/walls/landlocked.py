"""The workspace sandbox where bubblewrap cannot be had: the kernel lets the command write below the workspace only.

It is the weaker one: temporary directories are shared, `.git` and protected names in the workspace can be written, and
modes and times of the user's own files elsewhere can be changed.
"""

import os
from typing import Literal

from codetools.shell.walls.exposure import Exposure, is_within
from codetools.system.jail import Jail
from codetools.system.landlock import TRUNCATE_ABI, landlock_version
from codetools.system.seccomp import can_filter

_TEMPORARY = ("/tmp", "/var/tmp")
_WRITABLE = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/pts", "/dev/shm")


def can_lock(*, has_network: bool) -> bool:
    """Whether this kernel can hold a command so, its network too where that is to be closed."""
    return landlock_version() >= TRUNCATE_ABI and (has_network or can_filter())


def workspace_jail(exposure: Exposure, files: tuple[str, ...], *, has_network: bool) -> Jail:
    """Return the jail of a command that writes to its workspace."""
    hidden = tuple(path for path in exposure.hidden if path not in _TEMPORARY)
    temporary = [path for path in _TEMPORARY if not any(is_within(place, path) for place in hidden)]
    seen = (*_visible("/", hidden), *exposure.shown, *files)
    writable = tuple(root for root, is_writable in exposure.roots if is_writable)
    read_only = tuple(root for root, is_writable in exposure.roots if not is_writable)
    calls: Literal["networked", "local"] = "networked" if has_network else "local"
    return Jail(files=True, execute=(*seen, *read_only), write=(*writable, *temporary, *_WRITABLE), calls=calls)


def _visible(directory: str, hidden: tuple[str, ...]) -> list[str]:
    """Return the largest parts of the tree that hold nothing hidden."""
    seen: list[str] = []
    try:
        names = sorted(os.listdir(directory))
    except OSError:
        return seen
    for name in names:
        path = os.path.join(directory, name)
        if os.path.islink(path) or path in hidden:
            continue
        if any(is_within(place, path) for place in hidden):
            seen += _visible(path, hidden)
        else:
            seen.append(path)
    return seen
