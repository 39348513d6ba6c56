"""Reads unified diffs, git's and others', as they are and as models write them: counts and numbers are not trusted."""

import re

from codetools.core.path import Path
from codetools.files.patch.head import Head
from codetools.files.patch.model import FilePatch, Hunk, body_lines, refuse, without_blank_end

NUMBERS = re.compile(r"@@ *-(\d+)(?:,(\d+))? +\+(\d+)(?:,(\d+))? *@@")
VERSION = re.compile(r"\d+\.\d+")
BETWEEN = re.compile(
    r"\s*$|diff |index |Index: |=====|Only in |-- ?$|\d+\.\d+[\w.]*\s*$|```|~~~|[A-Z]+\s*$|\*\*\* End Patch"
)


def parse_unified(lines: list[str], file_path: str | None) -> tuple[FilePatch, ...]:
    """Return what a diff says of each file; raise `patch_failed` for what would be lost or misread."""
    if file_path is not None and not any(line.startswith(("@@", "--- ", "diff --git ")) for line in lines):
        lines = ["@@", *lines]  # nothing but the lines of one hunk
    return _Reader(lines, file_path).read()


class _Reader:
    def __init__(self, lines: list[str], file_path: str | None) -> None:
        self._lines = lines
        self._file_path = file_path
        self._heads: list[Head] = []
        self._at = 0
        self._is_counted = True  # whether the counts said where the last hunk ends

    def read(self) -> tuple[FilePatch, ...]:
        lines = self._lines
        while self._at < len(lines):
            line = lines[self._at]
            if line.startswith("diff --git "):
                self._begin().name_both(line.removeprefix("diff --git "))
                self._at += 1
            elif self._is_names(self._at):
                self._names()
            elif line.startswith("@@@"):
                raise refuse(self._at + 1, "it is a combined diff of a merge", "Give a diff against one version.")
            elif line.startswith("@@"):
                self._hunk()
            else:
                self._other(line)
                self._at += 1
        return tuple(head.patch() for head in self._heads)

    def _begin(self) -> Head:
        head = Head(self._at + 1)
        self._heads.append(head)
        return head

    def _is_names(self, at: int) -> bool:
        lines = self._lines
        return lines[at].startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ ")

    def _names(self) -> None:
        head = self._heads[-1] if self._heads and not self._heads[-1].is_named else self._begin()
        head.name(self._lines[self._at][4:], self._lines[self._at + 1][4:])
        self._at += 2

    def _other(self, line: str) -> None:
        number = self._at + 1
        if line.startswith(("--- ", "+++ ")):
            raise refuse(number, "--- and +++ lines must stand together", "Name both; /dev/null stands for no file.")
        if line.startswith(("GIT binary patch", "Binary files ")):
            raise refuse(number, "it changes a binary file", "Only text can be patched; use write or bash.", "binary")
        if line.startswith("..."):
            raise refuse(number, "it was cut off here", "Give the whole patch.")
        head = self._heads[-1] if self._heads else None
        if head is not None and not head.hunks:
            head.extend(line, number)
        elif head is not None and not self._is_counted and not BETWEEN.match(line):
            problem = f"{line[:60]!r} begins with none of blank, + and -"
            raise refuse(number, problem, "Begin a context line with a blank.")

    def _hunk(self) -> None:
        start = self._at
        numbers = NUMBERS.match(self._lines[start])
        old, new = (_count(numbers[2]), _count(numbers[4])) if numbers else (0, 0)
        end = self._counted_end(start + 1, old, new) if numbers else None
        self._is_counted = end is not None
        body = self._lines[start + 1 : end] if end is not None else self._uncounted(start + 1)
        self._at = start + 1 + len(body)
        if not self._heads:
            if self._file_path is None:
                hint = "Put --- and +++ lines above it, or give file_path."
                raise refuse(start + 1, "a hunk names no file", hint, "usage")
            if any(line.startswith(("+", "-")) for line in self._lines[:start]):
                raise refuse(start + 1, "changed lines stand above the first @@ line", "Put @@ above them.")
            head = self._begin()
            head.old = head.new = Path(self._file_path)
            head.is_named = True
        found = body_lines(body if end is not None else without_blank_end(body))
        if not found:
            raise refuse(start + 1, "a hunk holds no line")
        self._heads[-1].hunks.append(Hunk(found, start + 1, _first_line(numbers, old)))

    def _counted_end(self, at: int, old: int, new: int) -> int | None:
        """Return where a hunk of so many lines ends; None where the counts are wrong."""
        lines = self._lines
        while old > 0 or new > 0:
            mark = lines[at][:1] if at < len(lines) else "none"
            if mark in (" ", "", "\r", "-"):
                old -= 1
            if mark in (" ", "", "\r", "+"):
                new -= 1
            if mark not in (" ", "", "\r", "+", "-", "\\") or old < 0 or new < 0:
                return None
            at += 1
        if at < len(lines) and lines[at].startswith("\\"):
            at += 1
        if at < len(lines) and lines[at][:1] in (" ", "+", "-") and not self._is_names(at) and not self._is_signed(at):
            return None
        return at

    def _uncounted(self, start: int) -> list[str]:
        """Return the lines that look like a hunk's, up to what cannot be one of them."""
        lines, at = self._lines, start
        while at < len(lines) and lines[at][:1] in (" ", "+", "-", "\\", "", "\r"):
            is_next_file = self._is_names(at) and at + 2 < len(lines) and lines[at + 2].startswith("@@")
            if is_next_file or self._is_signed(at):
                break
            at += 1
        return lines[start:at]

    def _is_signed(self, at: int) -> bool:
        """Whether a mailed patch ends here: two dashes, and git's version below."""
        lines = self._lines
        return lines[at].rstrip() == "--" and at + 1 < len(lines) and bool(VERSION.match(lines[at + 1]))


def _count(text: str | None) -> int:
    return 1 if text is None else int(text)


def _first_line(numbers: re.Match[str] | None, old: int) -> int | None:
    """Return the line that the old lines begin at; an empty range names the line before it."""
    if numbers is None:
        return None
    return int(numbers[1]) + (old == 0)
