"""What a call of a server's tool needs of its surroundings: the Context as this room sees it."""

from typing import Protocol

from codetools.config.settings import Settings
from codetools.core.limits import Limits
from codetools.core.outcome import Image
from codetools.files.files import Files


class Caller(Protocol):
    """What a call of a server's tool needs: the Context as this room sees it."""

    files: Files
    settings: Settings

    @property
    def limits(self) -> Limits:
        """The caps in force."""

    @property
    def home(self) -> str:
        """The state directory."""

    def hold_descendants(self, process: int) -> None:
        """Let no codetools below a process be looser than this call."""

    def remaining_seconds(self) -> float | None:
        """Return the seconds until the caller's deadline, or None without one."""

    def check_cancelled(self) -> None:
        """Raise where the call is to end."""

    def progress(self, done: int, total: int | None, message: str) -> None:
        """Say how far the call has come."""

    def notice(self, kind: str, message: str) -> None:
        """Tell the reader of the outcome something."""

    def image(self, image: Image) -> None:
        """Add an image to the outcome."""
