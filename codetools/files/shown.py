"""What of a file was read, as a program, a model, a pipe and a terminal get it."""

from typing import Literal

from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result, Span, Truncated
from codetools.core.path import Path
from codetools.files.kind import KindName

Layout = Literal["bare", "raw", "base64"]


class ReadResult(Result):
    """A page of a file. `total_lines` and `sha256` are null for a file too large to be read whole."""

    path: Path
    kind: Annotated[KindName, Arg("What the first bytes say it is.")]
    content: Annotated[str, Arg("The lines shown, with their line breaks.")]
    first_line: Annotated[int, Arg("Number of the first line shown; 0 where there is none.")]
    last_line: int
    total_lines: int | None
    size: Annotated[int, Arg("Bytes of the whole file.")]
    sha256: str | None
    encoding: Annotated[str | None, Arg("Null for what is not text.")]
    eol: Annotated[str | None, Arg("Line endings: lf, crlf, cr, mixed or none; null for what is not text.")]
    truncated: Truncated | None = None
    layout: Annotated[Layout | None, Arg("How the text was asked for, where not numbered.")] = None
    base64: Annotated[str | None, Arg("The bytes, where asked for, or raw bytes that are not UTF-8.")] = None
    summary: Annotated[str | None, Arg("One line about what is no text.")] = None
    width: Annotated[int | None, Arg("Pixels of the image in the file.")] = None
    height: int | None = None
    total_pages: Annotated[int | None, Arg("Pages of a PDF.")] = None

    def text(self) -> str:
        """Return the lines as the model reads them."""
        if not self.size:
            return f"[{self.path} is empty.]"
        if self.summary is not None:
            return f"[{self.summary}]"
        if self.layout == "base64":
            return self.base64 or ""
        if self.layout == "raw":
            return self.content if self.base64 is None else "[bytes that are not UTF-8 stand in `data.base64`]"
        if self.layout == "bare":
            return "\n".join(self._lines())
        return "\n".join([f"{number}\t{line}" for number, line in enumerate(self._lines(), self.first_line)])

    def plain(self) -> str:
        """Return the lines, and nothing for an empty file; of raw bytes those that are not UTF-8 as surrogates."""
        if self.layout == "raw":
            return self.content if self.base64 is None else _surrogates(self.base64)
        return self.text() if self.size else ""

    def is_exact(self) -> bool:
        """Whether the lines stand as they are, without a line feed of ours after them."""
        return self.layout == "raw"

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the lines with their numbers aligned."""
        if self.summary is not None or self.layout == "base64":
            return ()
        if self.layout is not None:
            return tuple((Span(line),) for line in self._lines())
        width = len(str(self.last_line))
        return tuple(
            (Span(f"{number:>{width}}", "line_number"), Span("  "), Span(line))
            for number, line in enumerate(self._lines(), self.first_line)
        )

    def status(self) -> str:
        """Return the size and the number of lines shown."""
        if self.summary is not None:
            return f"{self.size:,} bytes"
        lines = self._lines()
        total = f" of {self.total_lines:,}" if self.truncated and self.total_lines is not None else ""
        return f"{self.size:,} bytes, {len(lines):,}{total} line{'' if len(lines) == 1 else 's'}"

    def _lines(self) -> list[str]:
        lines = self.content.split("\n")
        if not lines[-1]:
            lines.pop()
        return [line.removesuffix("\r") for line in lines] if "\r" in self.content else lines


def _surrogates(base64: str) -> str:
    from base64 import b64decode

    return b64decode(base64).decode("utf-8", "surrogateescape")
