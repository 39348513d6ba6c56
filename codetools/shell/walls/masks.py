"""Placeholders for names that do not exist yet and must not come into being while a sandboxed command runs.

A mount needs something to lie on, so each name is made for the time of the run: an empty file or directory, which the
sandbox covers read-only. Several commands may run in one workspace, and processes may stay: who runs holds a lock, and
the last one to end takes the placeholders away; what a killed run leaves is taken away by the next.
"""

import fcntl
import hashlib
import json
import os
import time

from codetools.core.errors import Failure
from codetools.shell.walls.held import Masks

LOCK_SECONDS = 5.0
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


def keep_masks(place: str) -> Masks:
    """Keep, in another process, what whoever prepared the command still holds; raise OSError."""
    held = os.open(f"{place}.held", _FLAGS, 0o600)
    fcntl.flock(held, fcntl.LOCK_SH)
    return Masks(place, held)


def make_masks(masks: Masks, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Make the names that are missing; return those that are there now. Where nobody can, nothing has to lie."""
    try:
        ledger = _locked(f"{masks.place}.list")
        try:
            known = _known(ledger)
            _write(ledger, sorted({*known, *(path for path in wanted if _make(path))}))
        finally:
            os.close(ledger)
    except OSError as error:
        raise _unusable(masks.place, error) from None
    return tuple(path for path in wanted if os.path.lexists(path))


def hold_masks(state: str, root: str) -> Masks:
    """Keep what lies in a root from being taken away; raise `io` where the state directory cannot be used."""
    directory = os.path.join(state, "sandbox")
    place = os.path.join(directory, hashlib.sha256(os.fsencode(root)).hexdigest()[:24])
    try:
        os.makedirs(directory, 0o700, exist_ok=True)
        ledger = _locked(f"{place}.list")  # nobody is taking away while this is ours
        try:
            held = os.open(f"{place}.held", _FLAGS, 0o600)
            fcntl.flock(held, fcntl.LOCK_SH)
        finally:
            os.close(ledger)
    except OSError as error:
        raise _unusable(place, error) from None
    return Masks(place, held)


def clear_masks(place: str) -> None:
    """Take the placeholders of a workspace away unless a command that needs them runs."""
    try:
        ledger = _locked(f"{place}.list")
        try:
            if _is_free(f"{place}.held"):
                for path in _known(ledger):
                    _remove(path)
                _write(ledger, [])
        finally:
            os.close(ledger)
    except (OSError, ValueError):  # the next run in this workspace does it
        return


def _unusable(place: str, error: OSError) -> Failure:
    return Failure("io", f"the sandbox cannot be prepared in {os.path.dirname(place)}: {error.strerror}.")


def _locked(path: str) -> int:
    descriptor = os.open(path, _FLAGS, 0o600)
    until = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
        except BlockingIOError:
            if time.monotonic() > until:
                os.close(descriptor)
                raise
            time.sleep(0.01)


def _is_free(path: str) -> bool:
    """Whether neither a codetools nor a sandbox holds a lock: ours is of one kind, that of bubblewrap of another."""
    descriptor = os.open(path, _FLAGS, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)


def _known(ledger: int) -> list[str]:
    content = os.pread(ledger, 1 << 20, 0)
    try:
        return [str(path) for path in json.loads(content)] if content else []
    except ValueError:  # cut off while it was written: what it named is empty, and stays
        return []


def _write(ledger: int, paths: list[str]) -> None:
    content = json.dumps(paths).encode()
    os.ftruncate(ledger, 0)
    os.pwrite(ledger, content, 0)


def _make(path: str) -> bool:
    """Make a placeholder; whether one was made: somebody may have been quicker, and then it is not ours."""
    try:
        if is_file(path):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o444))
        else:
            os.mkdir(path, 0o755)
    except OSError:
        return False
    return True


def is_file(path: str) -> bool:
    """Whether a name is that of a file rather than of a directory, as far as names tell."""
    name = os.path.basename(path)
    return "." in name[1:] or name.endswith(("rc", "init"))


def _remove(path: str) -> None:
    try:
        if is_file(path):
            if os.lstat(path).st_size == 0:
                os.unlink(path)
        else:
            os.rmdir(path)
    except OSError:  # gone, or no longer empty: then it is somebody's
        return
