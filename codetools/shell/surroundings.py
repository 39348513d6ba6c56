"""What a run needs of its call, for the type checker: the Context as this room sees it."""

from collections.abc import Callable
from typing import Protocol

from codetools.config.settings import Settings
from codetools.core.access import Gate
from codetools.core.limits import Limits
from codetools.files.files import Files


class Surroundings(Protocol):
    """What a run needs of its call: the Context as this room sees it."""

    files: Files
    gate: Gate
    settings: Settings
    session: str | None
    hold_descendants: Callable[[int], None]

    @property
    def limits(self) -> Limits:
        """The caps in force."""

    @property
    def home(self) -> str:
        """The state directory."""

    @property
    def emit(self) -> Callable[[str, str], None] | None:
        """Where live output goes, with the name of its stream, or None."""

    def notice(self, kind: str, message: str) -> None:
        """Tell the reader of the outcome something."""

    def check_cancelled(self) -> None:
        """Raise where the call is to end."""

    def spool_directory(self) -> str:
        """Return where long output is kept."""
