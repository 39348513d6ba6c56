"""What only a person at a terminal may decide, and never from below a call of ours."""

import sys

from codetools.core.errors import Failure
from codetools.engine.lock import is_locked
from codetools.render.escape import escape_text
from codetools.render.terminal import terminal_of


def refuse_below_a_call(what: str) -> None:
    """Raise `denied` where this process runs below one of our own, or a harness has locked it."""
    if is_locked():
        raise Failure("denied", f"{what} is locked here: this process was started below a call.")


def is_at_terminal() -> bool:
    """Whether a person can be asked."""
    return terminal_of(sys.stdin).is_terminal and terminal_of(sys.stderr).is_terminal


def forget_typed_ahead() -> None:
    """Drop what was typed before a question was shown: it cannot be meant as its answer."""
    import termios

    try:
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    except (OSError, ValueError, termios.error):
        return  # no terminal: then nobody is asked


def confirms(shown: str, question: str) -> bool:
    """Show what it is about, ask, and return whether the person typed yes; anything else is a no."""
    forget_typed_ahead()
    sys.stderr.write(f"{escape_text(shown)}\n{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
