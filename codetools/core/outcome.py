"""What a call returns, the same through every door."""

from typing import Any, Literal

from codetools.core.arg import Annotated, Arg
from codetools.core.errors import EXIT_CODES, Failure
from codetools.core.path import Path
from codetools.core.record import Record


class Next(Record):
    """The call that goes on where an outcome was cut."""

    tool: str
    arguments: dict[str, Any]


class Truncated(Record):
    """What was left out, in which unit, and how to get it. `total` is null where it is not known."""

    unit: Annotated[str, Arg("What is counted: lines, matches, paths, bytes, characters.")]
    shown: int
    total: int | None
    limit: int
    spool: Path | None = None
    next: Next | None = None


class Span(Record):
    """A piece of text with a role: path, line_number, number, match, added, removed, heading, dim, good, bad or plain.

    A span of role `column` divides a line into cells; the renderer aligns the cells of neighbouring lines.
    """

    text: str
    role: str = "plain"


class Result(Record):
    """Base of every tool's result: fields are the data for programs."""

    def text(self) -> str:
        """Return what the model reads."""
        raise NotImplementedError

    def plain(self) -> str:
        """Return what a pipe gets; the model's text unless scripts expect another form."""
        return self.text()

    def plain_error(self) -> str:
        """Return what goes to standard error beside `plain()` in a pipe: a child's own error output."""
        return ""

    def is_exact(self) -> bool:
        """Whether a pipe gets `plain()` as it is, although it may end without a line feed: somebody else's bytes."""
        return self.process_status() is not None

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return lines of spans for a terminal; none means `plain()`. Contents are raw; the renderer escapes them."""
        return ()

    def status(self) -> str:
        """Return the closing words of a call on a terminal, such as `3 matches in 2 files`."""
        return ""

    def answers_no(self) -> bool:
        """Whether the call ran well and the answer is no: exit code 1."""
        return False

    def process_status(self) -> int | None:
        """Return the exit status of the child that this call ran for the caller, if it ran one."""
        return None


class Change(Record):
    """One file's new state: staged, or committed where the outcome says `changed`."""

    path: Path
    kind: Literal["create", "modify", "delete", "move", "mkdir"]
    diff: str = ""
    additions: int = 0
    removals: int = 0
    sha256: str | None = None
    source: Path | None = None  # where a moved file came from


class Notice(Record):
    """What the reader must know: cut output, a repaired argument, a weaker guarantee."""

    kind: str
    message: str


class Image(Record):
    """One image for the model."""

    path: Path
    media_type: str
    width: int
    height: int
    base64: str


class Outcome(Record):
    """One finished call. `failure` is None where it is ok."""

    tool: str
    text: str
    data: Result | None
    failure: Failure | None
    changes: tuple[Change, ...]
    changed: bool
    dry_run: bool
    undo: str | None
    notices: tuple[Notice, ...]
    images: tuple[Image, ...]
    duration_ms: int
    cwd: Path

    @property
    def ok(self) -> bool:
        """Whether the call did what it was asked."""
        return self.failure is None

    @property
    def exit_code(self) -> int:
        """The process exit code: 0, 1 for an answer of no, or that of the failure."""
        if self.failure is not None:
            return EXIT_CODES[self.failure.kind]
        return 1 if self.data is not None and self.data.answers_no() else 0
