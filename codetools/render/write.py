"""The last step to standard output, checked, so that exit 0 means that the reader has every byte."""

import os
import signal
import sys
from collections.abc import Iterable

from codetools.core.errors import Failure
from codetools.core.outcome import Outcome
from codetools.core.path import without_surrogates

LAST_BYTES = 4096  # what a pipe that has room takes at once
READY_SECONDS = 60.0  # a reader that takes nothing for so long is stuck


def write_out(pieces: str | bytes | Iterable[str]) -> bool:
    """Write to standard output and flush; return whether a reader is still there.

    A pipe whose reader has left is no error: the rest is dropped and the caller ends as it would have. A closed or full
    standard output raises `io`. Names that are not UTF-8 leave as the bytes they are.
    """
    try:
        if sys.stdout is None:
            raise OSError("it is closed")
        sys.stdout.flush()
        for piece in (pieces,) if isinstance(pieces, str | bytes) else pieces:
            _write(piece if isinstance(piece, bytes) else encoded(piece))
    except BrokenPipeError:
        _drop_what_follows()
        return False
    except (OSError, ValueError) as error:  # ValueError: Python's own closed file
        _drop_what_follows()
        reason = getattr(error, "strerror", None) or str(error)
        raise Failure("io", f"standard output: {reason}.") from None
    return True


def write_last(content: str) -> bool:
    """Write the answer that this process ends with; once all of it has left, no signal changes how the process ends.

    Until then an interrupt raises, and the reader has a part of the answer at most. Else as `write_out`.
    """
    whole = encoded(content)
    if not write_out(whole[:-LAST_BYTES]):
        return False
    if sys.stdout is not None:
        _wait_for_room()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # raises what came before
    return write_out(whole[-LAST_BYTES:])


def write_error(text: str) -> None:
    """Write to standard error, where there is one: nothing is left to tell a failure to."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
            sys.stderr.buffer.write(encoded(text))
            sys.stderr.flush()
    except (OSError, ValueError):
        pass


def tell_lost(command: str, failure: Failure, outcome: Outcome) -> int:
    """Say why an outcome could not be printed, and that what it changed stands (I4); return the exit code."""
    stands = f" The change was made (undo {outcome.undo})." if outcome.changed else ""
    write_error(f"codetools {command}: {failure.line()}{stands}\n")
    return failure.exit_code


def encoded(text: str) -> bytes:
    """Return text as UTF-8; bytes that were no UTF-8 in a file name are themselves again."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return without_surrogates(text).encode()


def _write(content: bytes) -> None:
    buffer = sys.stdout.buffer
    raw = getattr(buffer, "raw", buffer)  # unbuffered, so that nothing is left over to fail at exit
    view = memoryview(content)
    while view:
        count = raw.write(view)
        if count is None:
            _wait_until_ready(raw.fileno())
        else:
            view = view[count:]


def _wait_for_room() -> None:
    """Wait, as a write would, until the reader takes so few bytes at once; whatever is wrong, the write will say."""
    import select

    try:
        select.select([], [sys.stdout.fileno()], [])
    except (OSError, ValueError):
        return


def _wait_until_ready(descriptor: int) -> None:
    import select

    if not select.select([], [descriptor], [], READY_SECONDS)[1]:
        raise OSError(f"nobody reads it ({READY_SECONDS:g} seconds)")


def _drop_what_follows() -> None:
    """Keep Python from a second attempt, and a traceback, at exit."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (AttributeError, OSError, ValueError):
        pass
