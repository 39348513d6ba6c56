"""What a patch says, in whichever format it was written."""

from typing import Literal

from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.core.record import Record

Mark = Literal[" ", "-", "+"]


class Line(Record):
    """One line of a hunk, without its line feed; `is_unterminated`: `\\ No newline at end of file` follows it."""

    mark: Mark
    text: str
    is_unterminated: bool = False


class Hunk(Record):
    """One change with its surroundings.

    `written_at` is its line in the patch. `at` is the line that it says its old lines begin at, which only chooses
    between equal places. `headers` are lines it must stand below, outermost first; `is_at_end`: its old lines are the
    last ones of the file.
    """

    lines: tuple[Line, ...]
    written_at: int
    at: int | None = None
    headers: tuple[str, ...] = ()
    is_at_end: bool = False

    def side(self, mark: Literal["-", "+"]) -> tuple[Line, ...]:
        """Return the old lines (`-`) or the new ones (`+`), context among them."""
        return tuple(line for line in self.lines if line.mark in (" ", mark))


class FilePatch(Record):
    """What is to become of one file.

    `destination` is the new name of an update that renames, and of a copy. `old_name` is what a diff calls the file on
    its --- line, which is no order to rename it. `mode` is a new file's. `removes_any`: a deletion that does not say
    what the file holds.
    """

    kind: Literal["update", "add", "delete", "copy"]
    path: Path
    hunks: tuple[Hunk, ...]
    written_at: int
    destination: Path | None = None
    old_name: Path | None = None
    mode: int | None = None
    removes_any: bool = False

    def new_text(self) -> str:
        """Return what an added file holds."""
        lines = [line for hunk in self.hunks for line in hunk.lines]
        return "".join(line.text + ("" if line.is_unterminated else "\n") for line in lines)


def body_lines(texts: list[str]) -> tuple[Line, ...]:
    """Return the lines of a hunk; an empty one is context that lost its blank."""
    lines: list[Line] = []
    for text in texts:
        if text.startswith("\\"):
            if lines:
                lines[-1] = lines[-1].but(is_unterminated=True)
            continue
        mark: Mark = "+" if text[:1] == "+" else "-" if text[:1] == "-" else " "
        lines.append(Line(mark, text if text[:1] in ("", "\r") else text[1:]))
    return tuple(lines)


def without_blank_end(texts: list[str]) -> list[str]:
    """Return lines without the empty ones at their end, which only part sections: less context is always safe."""
    while texts and texts[-1] in ("", "\r"):
        texts = texts[:-1]
    return texts


def refuse(line: int, problem: str, hint: str = "", kind: str = "patch_failed") -> Failure:
    """Return the failure of a patch that is refused whole; `line` is where in the patch, 1-based."""
    return Failure(kind, f"patch line {line}: {problem}; nothing was changed.", hint, {"patch_line": line})
