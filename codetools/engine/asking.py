"""The question that an ask puts to a person, and the answers there are."""

from collections.abc import Callable
from typing import Literal

from codetools.core.outcome import Change
from codetools.core.record import Record


class Question(Record):
    """What is about to happen. `suggested_rule` is the narrowest rule that would allow it, or empty."""

    tool: str
    operation: str
    preview: str
    suggested_rule: str
    changes: tuple[Change, ...] = ()
    reason: str = ""


Answer = Literal["once", "session", "always", "deny"]
Asker = Callable[[Question], Answer]
