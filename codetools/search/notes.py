"""What an engine says on standard error: entries it passed over, files it could not read, and errors."""

from collections.abc import Callable
from typing import Literal

from codetools.core.record import Record

MOST_BYTES = 64 << 20
DROPPED_RULES = "error building NFA"  # what ripgrep says where it drops all rules of a file
MOST_ERRORS_CHARS = 20_000
MOST_NOTE_CHARS = 10_000
SAYS_PATH = ("rg: DEBUG|ignore::walk|", "rg: DEBUG|rg::haystack|")  # what has a path, perhaps of several lines


class OvergrownError(Exception):
    """An engine met an ignore file that is too long for it."""


class Passed(Record):
    """An entry that was not searched or listed; a directory stands for all below it.

    `ignored`: by an ignore file of the tree or the user; `default`: by the default excludes alone; `withheld`: by its
    name; `large`, `long`: its content alone; `rules`: an ignore file, as a source of rules alone. What is `kept` is
    none of it: an ignore file of the tree names it with `!`.
    """

    path: str
    why: Literal["ignored", "default", "link", "special", "withheld", "large", "kept", "rules", "long"]


class Unread(Record):
    """A file or directory that could not be read."""

    path: str
    reason: str


Note = Passed | Unread


class Notes:
    """Collects the lines of standard error; memory stays bounded.

    `suspects` tells which of the paths that are `kept` are remembered. Where only a `tally` is asked for, what was
    ignored is counted and not remembered.
    """

    def __init__(
        self,
        read_note: Callable[[str], Note | None],
        *,
        tally: bool = False,
        suspects: Callable[[str], object] | None = None,
    ) -> None:
        self._read_note = read_note
        self._is_tally = tally
        self._suspects = suspects
        self._pending = b""
        self._bytes = 0
        self._held = ""
        self.counts: dict[str, int] = {}
        self.passed: list[Passed] = []
        self.unread: list[Unread] = []
        self.errors = ""
        self.freed: list[str] = []

    @property
    def is_whole(self) -> bool:
        """Whether all that was said could be taken."""
        return self._bytes <= MOST_BYTES

    def named(self, *kinds: str) -> tuple[str, ...]:
        """Return the paths of what was passed over for one of these reasons."""
        return tuple(entry.path for entry in self.passed if entry.why in kinds)

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
        if note is None and self._held and not text.startswith("rg: "):  # a name of several lines
            text = f"{self._held}\n{text}"
            note = self._read_note(text)
        is_odd = note is None and text.startswith(SAYS_PATH) and len(text) < MOST_NOTE_CHARS
        self._held = text if is_odd else ""
        if isinstance(note, Passed):
            self._pass(note)
        elif isinstance(note, Unread):
            self.unread.append(note)
        elif not text.startswith("rg: DEBUG|") and len(self.errors) < MOST_ERRORS_CHARS:
            self.errors += text[:2000] + "\n"

    def _pass(self, note: Passed) -> None:
        if note.why == "kept":
            if self._suspects is None or not self._suspects(note.path):
                return
        else:
            self.counts[note.why] = self.counts.get(note.why, 0) + 1
        if not self._is_tally or note.why in ("withheld", "kept", "large", "rules", "long"):
            self.passed.append(note)
