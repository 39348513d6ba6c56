"""What no rule and no yes lets go: a root, the ground the call stands on, what the system lives from, mount points."""

import os

from codetools.core.errors import Failure
from codetools.files.workspace import Workspace
from codetools.system.confined import below

_CRITICAL = frozenset(
    """/ /bin /boot /dev /etc /home /lib /lib32 /lib64 /opt /proc /root /run /sbin /srv /sys /tmp /usr /var /usr/bin
    /usr/lib /usr/local /var/lib /var/tmp /Applications /Library /System /Users /Volumes""".split()
)
_MOUNTS = "/proc/self/mountinfo"


def refuse_vital(workspace: Workspace, written: str, reached: str, verb: str) -> None:
    """Raise `denied` for a path that may be neither deleted nor moved, whoever asks."""
    if (written.rstrip("/").rpartition("/")[2] or "/") in (".", "..", "/"):
        raise _refusal(f"{written or '.'}: a path that ends in . or .. is never {verb}", "Name the directory itself.")
    if root := next((root.path for root in workspace.roots if below(root.path, reached)), None):
        what = "a root of the workspace" if root == reached else f"above the workspace root {root}"
        raise _refusal(f"{written} is {what}, which is never {verb}")
    if below(workspace.cwd, reached):
        what = "is" if workspace.cwd == reached else "is above"
        raise _refusal(f"{written} {what} the working directory, which is never {verb}")
    home = os.path.realpath(os.path.expanduser("~"))
    if reached in _CRITICAL or below(home, reached):
        raise _refusal(f"{written} is needed by the system or the user, and never {verb}")
    if mount := next((mount for mount in _mounts() if below(mount, reached)), None):
        what = "is a mount point" if mount == reached else f"holds the mount point {mount}"
        raise _refusal(f"{written} {what}, which is never {verb}")


def _refusal(what: str, hint: str = "No rule lifts that.") -> Failure:
    return Failure("denied", f"{what}.", hint)


def _mounts() -> list[str]:
    try:
        with open(_MOUNTS, encoding="utf-8", errors="surrogateescape") as mounts:
            return [_unescaped(line.split(" ")[4]) for line in mounts]
    except OSError:
        return []  # no Linux: a change of device is seen while the tree is walked


def _unescaped(path: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        path = path.replace(code, character)
    return path
