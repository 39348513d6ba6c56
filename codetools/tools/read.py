"""Lines of a text file, numbered."""

import re
from typing import Annotated, Literal

from codetools.context import Context
from codetools.core.arg import Arg
from codetools.core.dump import path_argument
from codetools.core.errors import Failure
from codetools.core.outcome import Next, Result, Span, Truncated
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, tool
from codetools.files.document import OpenFile
from codetools.files.reading import Reading, read_page

LINE_RANGE = r"(.+):(\d{1,15})(?:-(\d{1,15}))?"


class Params(Record):
    """What to read."""

    file_path: Annotated[Path, Arg("File to read.", positional=True, metavar="FILE", aliases=("path", "file"))]
    offset: Annotated[int, Arg("Lines to skip.", minimum=0, short="o")] = 0
    limit: Annotated[int, Arg("Most lines to show.", minimum=1, short="l")] = 2000
    no_number: Annotated[bool, Arg("Show the lines without their numbers.", short="N", model=False)] = False
    raw: Annotated[bool, Arg("Give the lines as they are: no numbers, long lines whole.", model=False)] = False


class ReadResult(Result):
    """A page of a file. `total_lines` and `sha256` are null for a file too large to be read whole."""

    path: Path
    kind: Literal["text"]
    content: Annotated[str, Arg("The lines shown, with their line breaks.")]
    first_line: Annotated[int, Arg("Number of the first line shown; 0 where there is none.")]
    last_line: int
    total_lines: int | None
    size: Annotated[int, Arg("Bytes of the whole file.")]
    sha256: str | None
    encoding: str
    eol: Annotated[str, Arg("Line endings: lf, crlf, cr, mixed or none.")]
    truncated: Truncated | None = None
    layout: Annotated[Literal["bare", "raw"] | None, Arg("How the text was asked for, where not numbered.")] = None

    def text(self) -> str:
        """Return the lines as the model reads them."""
        if not self.size:
            return f"[{_empty(self.path)}]"
        if self.layout == "raw":
            return self.content
        if self.layout == "bare":
            return "\n".join(self._lines())
        return "\n".join(f"{number}\t{line}" for number, line in enumerate(self._lines(), self.first_line))

    def plain(self) -> str:
        """Return the lines, and nothing for an empty file."""
        return self.text() if self.size else ""

    def is_exact(self) -> bool:
        """Whether the lines stand as they are, without a line feed of ours after them."""
        return self.layout == "raw"

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the lines with their numbers aligned."""
        if self.layout is not None:
            return tuple((Span(line),) for line in self._lines())
        width = len(str(self.last_line))
        return tuple(
            (Span(f"{number:>{width}}", "line_number"), Span("  "), Span(line))
            for number, line in enumerate(self._lines(), self.first_line)
        )

    def status(self) -> str:
        """Return the size and the number of lines shown."""
        lines = self._lines()
        total = f" of {self.total_lines:,}" if self.truncated and self.total_lines is not None else ""
        return f"{self.size:,} bytes, {len(lines):,}{total} line{'' if len(lines) == 1 else 's'}"

    def _lines(self) -> list[str]:
        lines = self.content.split("\n")
        if not lines[-1]:
            lines.pop()
        return [line.removesuffix("\r") for line in lines]


@tool(
    READ_ONLY,
    aliases=("view", "read_file", "cat"),
    search_hint="show open view file content lines",
    examples=("codetools read README.md", "codetools read src/app.py:100-150"),
)
def read(params: Params, context: Context) -> ReadResult:
    """Show lines of a text file, numbered."""
    params, file = _open(params, context)
    limit = min(params.limit, context.limits.read_lines)
    with file:
        shown = context.files.workspace.show(file.location.written)
        page = read_page(
            file, shown, params.offset, limit, context.limits, context.check_cancelled, whole_lines=params.raw
        )
    result = _result(params, page, shown, limit)
    _tell(result, page, context)
    _remember(file, result, context)
    return result


def _open(params: Params, context: Context) -> tuple[Params, OpenFile]:
    """Open the file; where there is none of that name, `FILE:100-150` is lines 100 to 150 of FILE."""
    files = context.files
    try:
        return params, files.open(params.file_path)
    except Failure as failure:
        if failure.kind == "is_a_directory":
            from codetools.files.near import is_a_directory

            raise is_a_directory(files, params.file_path) from None
        if failure.kind != "not_found":
            raise
        ranged = _ranged(params)
        if ranged is not None and files.exists(ranged.file_path):
            return ranged, files.open(ranged.file_path)
        from codetools.files.near import not_found

        raise not_found(files, params.file_path) from None


def _ranged(params: Params) -> Params | None:
    match = re.fullmatch(LINE_RANGE, params.file_path, re.DOTALL)
    if match is None or params.offset:
        return None
    first, last = int(match[2]), int(match[3] or match[2])
    if not 1 <= first <= last:
        return None
    return params.but(file_path=Path(match[1]), offset=first - 1, limit=last - first + 1)


def _result(params: Params, page: Reading, shown: Path, limit: int) -> ReadResult:
    count = len(page.lines)
    last = params.offset + count
    truncated = None
    if page.has_more:
        arguments = {**path_argument("file_path", shown), "offset": last}
        if params.limit != Params.limit:
            arguments["limit"] = params.limit
        truncated = Truncated("lines", count, page.total_lines, limit, next=Next("read", arguments))
    return ReadResult(
        path=shown,
        kind="text",
        content="".join(page.lines),
        first_line=params.offset + 1 if count else 0,
        last_line=last if count else 0,
        total_lines=page.total_lines,
        size=page.size,
        sha256=page.sha256,
        encoding=page.encoding.name,
        eol=page.eol,
        truncated=truncated,
        layout="raw" if params.raw else "bare" if params.no_number else None,
    )


def _tell(result: ReadResult, page: Reading, context: Context) -> None:
    if not result.size:
        context.notice("empty", _empty(result.path))
    elif not page.lines:
        context.notice("past_end", f"{result.path} has {page.seen_lines:,} lines; nothing lies after the offset.")
    if page.cut_lines:
        numbers = ", ".join(map(str, page.cut_lines[:10])) + (", ..." if len(page.cut_lines) > 10 else "")
        what = "line" if len(page.cut_lines) == 1 else "lines"
        context.notice("cut_lines", f"{what} {numbers} cut at {context.limits.line_chars:,} characters")
    if page.encoding.is_guessed:
        name = "UTF-8 with invalid bytes" if page.encoding.name == "utf-8-invalid" else page.encoding.name
        context.notice("encoding", f"{result.path} is not valid UTF-8; shown as {name}")
    if result.truncated is not None and result.truncated.next is not None:
        import json

        total = f" of {result.total_lines:,}" if result.total_lines is not None else ""
        call = json.dumps(result.truncated.next.arguments)
        shown = f"lines {result.first_line}-{result.last_line}{total} shown"
        context.notice("truncated", f"{shown}; the rest: read {call}")


def _remember(file: OpenFile, result: ReadResult, context: Context) -> None:
    """Note what this session has seen of the file, so that a later edit of other content is found stale."""
    if context.session is None:
        return
    try:
        if marks := context.marks():
            marks.record(
                context.session,
                file.location.reached,
                result.sha256 or "",
                file.mtime_ns,
                result.size,
                result.first_line,
                result.last_line,
            )
    except Failure as failure:
        context.notice("not_remembered", f"this read is not remembered: {failure.message}")


def _empty(path: Path) -> str:
    return f"{path} is empty."
