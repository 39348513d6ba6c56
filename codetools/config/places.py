"""Where settings files lie: the user's, the machine-owned `allowed.yaml` beside it, and the project's."""

import os
import stat

from codetools.core.errors import Failure
from codetools.core.path import Path

PROJECT_DIRECTORY = ".codetools"


def user_directory() -> str:
    """Return $XDG_CONFIG_HOME/codetools, else ~/.config/codetools; a relative $XDG_CONFIG_HOME is ignored."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(os.path.normpath(base), "codetools")


def chosen_user_file(option: str | None) -> Path | None:
    """Return the settings file named by `--config` or $CODETOOLS_CONFIG, absolute, or None where neither is given."""
    chosen = os.path.expanduser(option or os.environ.get("CODETOOLS_CONFIG", ""))
    if not option and chosen and not os.path.isabs(chosen):  # it would name another file in every repository
        raise Failure("config", f"CODETOOLS_CONFIG is {chosen!r}, not an absolute path.")
    try:
        return Path(os.path.abspath(chosen)) if chosen else None
    except OSError as error:
        raise Failure("config", f"{chosen}: the working directory is gone ({error.strerror}).") from None


def default_user_file() -> Path:
    """Return the user's own settings file."""
    return Path(os.path.join(user_directory(), "config.yaml"))


def allowed_file(chosen: str | None, root: str | None) -> Path | None:
    """Return `allowed.yaml` beside the user's settings.

    Beside a file chosen by `--config` there is one only in a private directory outside the workspace: elsewhere another
    user, or a file of the project, could grant itself permissions. None says so.
    """
    if chosen is None:
        return Path(os.path.join(user_directory(), "allowed.yaml"))
    directory = os.path.realpath(os.path.dirname(chosen))
    if root is not None and (directory == root or directory.startswith(root.rstrip("/") + "/")):
        return None
    try:
        found = os.stat(directory)
    except OSError:
        return None
    if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o022:
        return None
    return Path(os.path.join(directory, "allowed.yaml"))


def private_paths(chosen: str | None) -> tuple[str, ...]:
    """Return the user's settings directory and the file chosen by `--config`, as written and as reached."""
    named = [user_directory(), *([chosen] if chosen is not None else [])]
    return tuple(dict.fromkeys([*named, *map(os.path.realpath, named)]))


def project_file(root: str) -> Path:
    """Return the settings file of a project."""
    return Path(os.path.join(root, PROJECT_DIRECTORY, "config.yaml"))
