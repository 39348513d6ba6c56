"""Where our own helpers (rg, bash) are found: never in the workspace, never by a relative PATH element (I8)."""

import os
import sys

SYSTEM_DIRECTORIES = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")


def clean_path(inside: tuple[str, ...] = ()) -> str:
    """Return the caller's PATH without empty, relative and in-workspace elements; `inside` are the workspace roots.

    The directory of our own installation comes first and stays, even where it lies in the workspace. System directories
    stay even where a root such as `/` holds them.
    """
    written = os.environ.get("PATH", "").split(os.pathsep)
    kept = [own_directory()]
    for element in (*written, *SYSTEM_DIRECTORIES):
        is_ours = element in SYSTEM_DIRECTORIES or not lies_inside(element, inside)
        if os.path.isabs(element) and element not in kept and is_ours:
            kept.append(element)
    return os.pathsep.join(kept)


def find_helper(name: str, inside: tuple[str, ...] = ()) -> str | None:
    """Return the absolute path of a program of ours on the clean PATH, or None where there is none."""
    return find_program(name, clean_path(inside).split(os.pathsep), inside)


def find_system_program(name: str) -> str | None:
    """Return a program from the system's own directories, whatever PATH says, or None."""
    return find_program(name, SYSTEM_DIRECTORIES, ())


def find_program(name: str, directories: tuple[str, ...] | list[str], inside: tuple[str, ...]) -> str | None:
    """Return the first executable file called `name`, passing over links that lead into a workspace root."""
    own = own_directory()
    for directory in directories:
        found = os.path.join(directory, name)
        if os.path.isfile(found) and os.access(found, os.X_OK):
            is_ours = directory == own or directory in SYSTEM_DIRECTORIES
            if is_ours or not lies_inside(found, inside):
                return found
    return None


def own_directory() -> str:
    """Return the directory of programs that were installed with us."""
    return os.path.join(sys.prefix, "bin")


def lies_inside(path: str, roots: tuple[str, ...]) -> bool:
    """Whether a path, as written or with its links followed, lies in one of the roots."""
    spellings = (os.path.normpath(path), os.path.realpath(path))
    tops = [top.rstrip("/") for root in roots for top in (os.path.normpath(root), os.path.realpath(root))]
    return any(f"{spelling}/".startswith(f"{top}/") for spelling in spellings for top in tops)
