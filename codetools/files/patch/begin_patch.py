"""Reads the `*** Begin Patch` format, whose hunks are found by their text and `@@` lines, without numbers."""

import re

from codetools.core.path import Path
from codetools.files.patch.model import FilePatch, Hunk, Line, body_lines, refuse, without_blank_end

BEGIN = "*** Begin Patch"
END = "*** End Patch"
END_OF_FILE = "*** End of File"
ADD, DELETE, UPDATE, MOVE = "*** Add File: ", "*** Delete File: ", "*** Update File: ", "*** Move to: "
AFTER = re.compile(r"[\w'\")\]}]*$|```+$|~~~+$")  # what may follow the end: the rest of a shell word or of a fence
NUMBERED = re.compile(r"-(\d+)(?:,\d+)? \+\d+(?:,\d+)?(?: @@.*|$)")


class Reader:
    """The lines of a patch and the place that has been reached in them."""

    def __init__(self, lines: list[str], start: int) -> None:
        self.lines = lines
        self.at = start

    @property
    def number(self) -> int:
        """The 1-based number of the current line."""
        return self.at + 1

    def line(self) -> str:
        """Return the current line; raise `patch_failed` where there is none: the patch was cut off."""
        if self.at >= len(self.lines):
            raise refuse(len(self.lines), f"it ends without {END}", "It may have been cut off; give it whole.")
        return self.lines[self.at]

    def is_marker(self) -> bool:
        """Whether the current line is one of the format's own."""
        return self.line().startswith("*** ")

    def take(self, start: str) -> str | None:
        """Return what follows `start` on the current line, and go on to the next; None where it does not."""
        if not self.line().startswith(start):
            return None
        self.at += 1
        return self.lines[self.at - 1][len(start) :].strip()


def parse_begin_patch(lines: list[str]) -> tuple[FilePatch, ...]:
    """Return what each section says; raise `patch_failed` for a line that says nothing known."""
    patches: list[FilePatch] = []
    start: int | None = next(number for number, line in enumerate(lines) if line.rstrip() == BEGIN)
    while start is not None:
        reader = Reader(lines, start + 1)
        while reader.line().strip() != END:
            if reader.line().strip():
                patches.append(_section(reader))
            else:
                reader.at += 1
        start = _next_start(lines, reader.at + 1)
    return tuple(patches)


def _next_start(lines: list[str], at: int) -> int | None:
    """Return where another patch begins below the end of one; raise `patch_failed` for lines that would be lost."""
    for number in range(at, len(lines)):
        if lines[number].rstrip() == BEGIN:
            return number
        if not AFTER.match(lines[number].strip()):
            raise refuse(number + 1, f"{lines[number][:60]!r} stands after {END}")
    return None


def _section(reader: Reader) -> FilePatch:
    number = reader.number
    if name := reader.take(ADD):
        return FilePatch("add", Path(name), (Hunk(_added(reader), number),), number)
    if name := reader.take(DELETE):
        return FilePatch("delete", Path(name), (), number, removes_any=True)
    if name := reader.take(UPDATE):
        moved = reader.take(MOVE)
        hunks = _hunks(reader)
        if not hunks and moved is None:
            raise refuse(number, f"the section for {name} holds no change")
        return FilePatch("update", Path(name), hunks, number, destination=Path(moved) if moved else None)
    wanted = "Sections begin with *** Add File:, *** Delete File: or *** Update File:, and a path."
    raise refuse(number, f"{reader.line()[:60]!r} begins no section", wanted)


def _added(reader: Reader) -> tuple[Line, ...]:
    start = reader.at
    while not reader.is_marker():
        if reader.line()[:1] not in ("+", ""):
            raise refuse(reader.number, "a line of a new file does not begin with +")
        reader.at += 1
    texts = without_blank_end(reader.lines[start : reader.at])
    return tuple(Line("+", text[1:]) for text in texts)


def _hunks(reader: Reader) -> tuple[Hunk, ...]:
    hunks: list[Hunk] = []
    while not reader.is_marker() or reader.line().strip() == END_OF_FILE:
        number, at = reader.number, None
        headers: list[str] = []
        while (header := reader.take("@@")) is not None:
            numbered = NUMBERED.match(header)
            at = int(numbered[1]) if numbered else at
            if not numbered and (header := header.removesuffix("@@").strip()):
                headers.append(header)
        lines = _body(reader)
        is_at_end = not reader.line().startswith("@@") and reader.take(END_OF_FILE) is not None
        if lines:
            hunks.append(Hunk(lines, number, at, tuple(headers), is_at_end))
        elif number != reader.number and (headers or is_at_end):
            raise refuse(number, "a hunk holds no line")
    return tuple(hunks)


def _body(reader: Reader) -> tuple[Line, ...]:
    start = reader.at
    while not reader.is_marker() and not reader.line().startswith("@@"):
        if reader.line()[:1] not in (" ", "+", "-", "\\", "", "\r"):
            problem = f"{reader.line()[:60]!r} begins with none of blank, + and -"
            raise refuse(reader.number, problem, "Begin a context line with a blank.")
        reader.at += 1
    return body_lines(without_blank_end(reader.lines[start : reader.at]))
