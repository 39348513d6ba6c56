"""Holds ripgrep to the tree that it searches: it opens directories by name, and one may become a link meanwhile.

Where the kernel has Landlock, what lies outside the tree cannot be opened, wherever a link that was put there leads.
"""

import os
import signal

from codetools.system import kernel
from codetools.system.landlock import Allowed, landlock_version, restrict_files

IGNORE_FILES = (".gitignore", ".ignore", ".rgignore", os.path.join(".git", "info", "exclude"))
LIBRARIES = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/etc/ld.so.cache")


def wall_around(program: str, directory_fd: int) -> Allowed | None:
    """Return what a search of the directory may open, or None where the kernel cannot hold it to that.

    That is the tree itself, the program with its libraries, and the ignore files of the directories above and of the
    user. Call it before the fork: a child should import nothing.
    """
    if not kernel.IS_LINUX or landlock_version() == 0:
        return None
    from codetools.search.user_excludes import user_excludes_file

    here = f"/proc/self/fd/{directory_fd}"
    above = _ignore_files_above(os.readlink(here))
    return Allowed(read=(here, *above, user_excludes_file(), *_git_settings()), execute=(program, *LIBRARIES))


def enter(allowed: Allowed) -> None:
    """Give up all else, for good, and end with the process that started us; raises OSError where the kernel refuses."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    restrict_files(allowed)


def _ignore_files_above(directory: str) -> list[str]:
    found: list[str] = []
    while directory != "/":
        directory = os.path.dirname(directory)
        found += [os.path.join(directory, name) for name in IGNORE_FILES]
    return [path for path in found if not os.path.islink(path)]


def _git_settings() -> tuple[str, ...]:
    home = os.environ.get("HOME", "")
    settings = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    return os.path.join(home, ".gitconfig"), os.path.join(settings, "git", "config")
