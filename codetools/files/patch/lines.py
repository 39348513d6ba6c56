"""A text as lines that hunks are compared with, each looser form of them made once and only when it is needed."""

from array import array
from functools import cached_property
from io import BytesIO
from itertools import accumulate

from codetools.files.match import BLANKS, Tier

BOM = b"\xef\xbb\xbf"


class FileLines:
    """The lines of working bytes, without a byte order mark; a line ends with its line feed.

    With `start` and `end` it is only the lines from one byte to another, numbered from 0; `first` is the number of
    lines above them.
    """

    def __init__(
        self, content: bytes, *, with_bom: bool = False, start: int | None = None, end: int | None = None
    ) -> None:
        top = top_of(content, with_bom=with_bom)
        self.start = top if start is None else start
        self.first = content.count(b"\n", top, self.start)
        whole = self.start == 0 and end is None
        self.lines = split_lines(content if whole else content[self.start : end])
        self._content = content

    def __len__(self) -> int:
        return len(self.lines)

    def keys(self, tier: Tier) -> list[bytes]:
        """Return the lines in the form that a tier compares."""
        if tier == "exact":
            return self.lines
        if tier == "line_endings":
            return self._bodies
        return self._bare if tier == "trailing_blanks" else self._stripped

    def offset(self, line: int) -> int:
        """Return the byte of the working content where a 0-based line begins, or the end."""
        return self._offsets[line]

    @property
    def is_unterminated(self) -> bool:
        """Whether the last line has no line feed."""
        return bool(self.lines) and not self.lines[-1].endswith(b"\n")

    @cached_property
    def ending(self) -> bytes:
        """The line ending of most lines; a line feed where there is none."""
        return b"\r\n" if 2 * self._content.count(b"\r\n") > self._content.count(b"\n") else b"\n"

    @cached_property
    def _bodies(self) -> list[bytes]:
        return [body_of(line) for line in self.lines]

    @cached_property
    def _bare(self) -> list[bytes]:
        return [body.rstrip(BLANKS) for body in self._bodies]

    @cached_property
    def _stripped(self) -> list[bytes]:
        return [body.strip(BLANKS) for body in self._bodies]

    @cached_property
    def _offsets(self) -> "array[int]":
        return array("q", accumulate(map(len, self.lines), initial=self.start))


def top_of(content: bytes, *, with_bom: bool) -> int:
    """Return the byte where the first line begins."""
    return len(BOM) if content.startswith(BOM) and not with_bom else 0


def split_lines(content: bytes) -> list[bytes]:
    """Return lines with their line feeds; a lone carriage return ends none."""
    return BytesIO(content).readlines()


def body_of(line: bytes) -> bytes:
    """Return a line without its ending."""
    return line.removesuffix(b"\n").removesuffix(b"\r")


def ending_of(line: bytes) -> bytes:
    """Return a line's ending, empty where it has none."""
    return line[len(body_of(line)) :] if line.endswith(b"\n") else b""
