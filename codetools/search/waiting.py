"""When a piece of work in this process has taken long enough."""

import time
from collections.abc import Callable

from codetools.core.errors import Failure
from codetools.search.find import Pace

Check = Callable[[], None]


def is_over(pace: Pace) -> bool:
    """Whether the time has run out; raise where the caller waits no longer."""
    if pace.check is not None:
        pace.check()
    return time.monotonic() > pace.deadline


def ending_of(pace: Pace) -> Check:
    """Return what raises `timeout` once the time has run out."""

    def check() -> None:
        if is_over(pace):
            raise Failure("timeout", "there are more ignore rules than could be read in the time.")

    return check
