"""What an engine says on standard error: entries it passed over, files it could not read, and errors."""

from collections.abc import Callable
from typing import Literal

from codetools.core.record import Record

MOST_BYTES = 64 << 20
MOST_ERRORS_CHARS = 20_000


class Passed(Record):
    """An entry that was not searched or listed; a directory stands for all below it.

    `ignored`: by an ignore file of the tree or the user; `default`: by the default excludes alone.
    """

    path: str
    why: Literal["ignored", "default", "link", "special"]


class Unread(Record):
    """A file or directory that could not be read."""

    path: str
    reason: str


Note = Passed | Unread


class Notes:
    """Collects the lines of standard error; memory stays bounded."""

    def __init__(self, read_note: Callable[[str], Note | None]) -> None:
        self._read_note = read_note
        self._pending = b""
        self._bytes = 0
        self.passed: list[Passed] = []
        self.unread: list[Unread] = []
        self.errors = ""
        self.freed: list[str] = []

    def read(self, chunk: bytes) -> bool:
        """Take what the engine wrote."""
        self._bytes += len(chunk)
        if self._bytes > MOST_BYTES:
            return True
        *lines, self._pending = (self._pending + chunk).split(b"\n")
        for line in lines:
            self._take(line)
        return True

    def close(self) -> None:
        """Take what has no line end."""
        if self._pending:
            self._take(self._pending)
            self._pending = b""

    def _take(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace")
        note = self._read_note(text)
        if isinstance(note, Passed):
            self.passed.append(note)
        elif isinstance(note, Unread):
            self.unread.append(note)
        elif not text.startswith("rg: DEBUG|") and len(self.errors) < MOST_ERRORS_CHARS:
            self.errors += text[:2000] + "\n"
