"""Where everything that lasts is kept: one private directory outside every workspace."""

import os
import stat

from codetools.core.errors import Failure

DIRECTORY_MODE = 0o700
FILE_MODE = 0o600


def state_home() -> str:
    """Return the state directory: $CODETOOLS_HOME, else $XDG_STATE_HOME/codetools, else ~/.local/state/codetools.

    Nothing is made. A relative $CODETOOLS_HOME is a `config` failure, for it would mean another directory, perhaps
    inside the workspace, in every working directory; a relative $XDG_STATE_HOME is ignored, as its specification asks.
    """
    chosen = os.environ.get("CODETOOLS_HOME", "")
    if chosen:
        if not os.path.isabs(chosen):
            raise Failure("config", f"CODETOOLS_HOME is {chosen!r}, not an absolute path.")
        return os.path.normpath(chosen)
    base = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(os.path.normpath(base), "codetools")


def make_directory(path: str) -> None:
    """Make a directory of the state home, 0700, with its parents; raise `io` where it cannot be private to us."""
    try:
        os.makedirs(path, DIRECTORY_MODE, exist_ok=True)
        found = os.stat(path)
        if found.st_uid != os.geteuid():
            raise Failure("io", f"The state directory {path} belongs to another user.", "Set CODETOOLS_HOME.")
        if stat.S_IMODE(found.st_mode) & 0o077:
            os.chmod(path, DIRECTORY_MODE)
    except OSError as error:
        raise Failure("io", f"State directory {path}: {error.strerror}.", "Set CODETOOLS_HOME.") from None
