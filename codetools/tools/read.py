"""Lines of a file, numbered; images, PDF and notebooks as a model takes them."""

import re

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.dump import path_argument
from codetools.core.errors import Failure
from codetools.core.outcome import Next, Truncated
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, tool
from codetools.files.document import OpenFile
from codetools.files.kind import TEXT
from codetools.files.reading import Reading, Source, look_at, not_text, read_page
from codetools.files.shown import ReadResult

LINE_RANGE = r"(.+):(\d{1,15})(?:(-)(\d{1,15})?)?"
NAMED_LINES = 10


class Params(Record):
    """What to read."""

    file_path: Annotated[
        Path,
        Arg("File to read.", positional=True, metavar="FILE", aliases=("path", "file", "absolute_path", "target_file")),
    ]
    offset: Annotated[int, Arg("Lines to skip.", minimum=0, short="o")] = 0
    limit: Annotated[int | None, Arg("Most lines to show.", minimum=1, short="l")] = None
    pages: Annotated[str | None, Arg("PDF pages, as 1-5.", short="p")] = None
    no_number: Annotated[bool, Arg("Show the lines without their numbers.", short="N", model=False)] = False
    raw: Annotated[bool, Arg("Give the bytes as they are: the whole file, or whole lines.", model=False)] = False
    base64: Annotated[bool, Arg("Give the bytes in base64.", model=False)] = False
    totals: Annotated[bool, Arg("Count and hash a large file too.", model=False)] = False
    encoding: Annotated[
        str | None, Arg("Encoding of the text, where its bytes do not show it.", metavar="NAME", model=False)
    ] = None


@tool(
    READ_ONLY,
    aliases=("view", "read_file", "cat"),
    search_hint="show open view file content lines image picture pdf notebook",
    examples=("codetools read README.md", "codetools read src/app.py:100-150"),
)
def read(params: Params, context: Context) -> ReadResult:
    """Show lines of a file, numbered; an image, a PDF or a notebook."""
    params, file = _open(params, context)
    with file:
        shown = context.files.workspace.show(file.location.written)
        source = look_at(file, shown, context.limits, params.encoding, context.settings.encoding)
        result = _bytes(params, source, context) if params.raw or params.base64 else _shown(params, source, context)
        if params.totals and result.sha256 is None:
            result = _measured(result, source, context)
        _remember(file, source, result, context)
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
    first = int(match[2])
    last = int(match[4]) if match[4] else None if match[3] else first
    if first < 1 or (last is not None and last < first):
        return None
    limit = params.limit if last is None else last - first + 1
    return params.but(file_path=Path(match[1]), offset=first - 1, limit=limit)


def _shown(params: Params, source: Source, context: Context) -> ReadResult:
    result = None
    if source.kind.name in ("image", "pdf", "notebook"):
        result = _viewed(params, source, context)
    elif source.kind.name != "text":
        raise not_text(source)
    if result is None:
        text = source.but(kind=TEXT)
        result = _lines(params, text, text, context)
    if params.pages and source.kind.name != "pdf":
        context.notice("ignored", f"{source.shown} is no PDF; `pages` was ignored.")
    return result


def _viewed(params: Params, source: Source, context: Context) -> ReadResult | None:
    """Return what an image, a PDF or a notebook shows; None for what only looked like a notebook."""
    from codetools.files.media.view import view

    seen = view(source, params.pages, context.limits, context.check_cancelled, with_images=context.settings.images)
    if seen is None:
        return None
    for image in seen.images:
        context.image(image)
    for notice in seen.notices:
        context.notice(notice.kind, notice.message)
    if seen.lines is None:
        return _result(params, source, None, None).but(summary=seen.summary, width=seen.width, height=seen.height)
    result = _lines(params, source, seen.lines, context)
    if seen.next_pages is not None and result.truncated is None:
        call = _call(params, source, pages=seen.next_pages)
        result = result.but(truncated=seen.truncated(call), total_lines=None)
        _tell_rest(result, context)
    return result.but(kind=source.kind.name, layout="bare", total_pages=seen.total_pages, encoding=None, eol=None)


def _lines(params: Params, source: Source, text: Source, context: Context) -> ReadResult:
    """Return a page of a text: the file's own, or what was made of it."""
    limits = context.limits
    limit = min(params.limit or limits.read_lines, limits.read_lines)
    page = read_page(text, params.offset, limit, limits, context.check_cancelled)
    count = len(page.lines)
    truncated = None
    if page.has_more:
        call = _call(params, source, offset=params.offset + count)
        truncated = Truncated("lines", count, page.total_lines, limit, next=call)
    result = _result(params, source, page, truncated)
    _tell(params, result, page, context)
    return result


def _bytes(params: Params, source: Source, context: Context) -> ReadResult:
    """Return the bytes as they are: as text where they are UTF-8 and wanted so, else in base64."""
    from codetools.files.exact import read_exact, text_of

    exact = read_exact(source, params.offset, params.limit, context.limits, context.check_cancelled)
    text = None if params.base64 else text_of(exact.content)
    truncated = None
    if exact.has_more:
        count = exact.last_line - params.offset
        call = _call(params, source, offset=exact.last_line)
        truncated = Truncated("lines", count, exact.total_lines, params.limit or count, next=call)
    result = _result(params, source, None, truncated).but(
        content=text or "",
        base64=exact.base64() if text is None else None,
        layout="base64" if params.base64 else "raw",
        first_line=exact.first_line,
        last_line=exact.last_line,
        total_lines=exact.total_lines,
    )
    if exact.is_cut:
        context.notice("cut_lines", f"line {exact.last_line} cut at {context.limits.raw_bytes:,} bytes")
    if exact.has_more:
        _tell_rest(result, context)
    return result


def _measured(result: ReadResult, source: Source, context: Context) -> ReadResult:
    from codetools.files.exact import measure

    found = measure(source, context.check_cancelled)
    if found.sha256 is None:
        context.notice("no_hash", f"{result.path} has holes; its hash would take too long.")
    if result.encoding is None:
        return result.but(sha256=found.sha256)
    truncated = result.truncated and result.truncated.but(total=found.total_lines)
    return result.but(sha256=found.sha256, total_lines=found.total_lines, truncated=truncated)


def _result(params: Params, source: Source, page: Reading | None, truncated: Truncated | None) -> ReadResult:
    count = len(page.lines) if page else 0
    is_text = source.kind.name == "text"
    return ReadResult(
        path=Path(source.shown),
        kind=source.kind.name,
        content="".join(page.lines) if page else "",
        first_line=params.offset + 1 if count else 0,
        last_line=params.offset + count if count else 0,
        total_lines=page.total_lines if page else None,
        size=source.size,
        sha256=source.sha256,
        encoding=(page.encoding if page else source.encoding).name if is_text else None,
        eol=page.eol if page else None,
        truncated=truncated,
        layout="bare" if params.no_number else None,
    )


def _call(params: Params, source: Source, **where: int | str) -> Next:
    """Return the call that goes on, with all that this one was given."""
    arguments = {**path_argument("file_path", Path(source.shown)), **where}
    for name in ("limit", "pages", "no_number", "raw", "base64", "encoding"):
        if (value := getattr(params, name)) and name not in where:
            arguments[name] = value
    return Next("read", arguments)


def _tell(params: Params, result: ReadResult, page: Reading, context: Context) -> None:
    if not result.size:
        context.notice("empty", f"{result.path} is empty.")
    elif not page.lines and params.offset:
        context.notice("past_end", f"{result.path} has {page.seen_lines:,} lines; nothing lies after the offset.")
    if page.cut_lines:
        context.notice("cut_lines", f"{_named(page.cut_lines)} cut at {context.limits.line_chars:,} characters")
    if page.encoding.is_guessed and not page.lossy_lines:
        why = "has no byte order mark" if page.encoding.name.startswith("utf-16") else "is not valid UTF-8"
        context.notice("encoding", f"{result.path} {why}; shown as {page.encoding.name}")
    if page.lossy_lines:
        name = page.encoding.name.removesuffix("-invalid")
        where = f"{_named(page.lossy_lines)} of {result.path}"
        context.notice("encoding", f"{where}: bytes that are not valid {name} are shown as U+FFFD")
    if page.has_more:
        _tell_rest(result, context)


def _tell_rest(result: ReadResult, context: Context) -> None:
    import json

    cut = result.truncated
    if cut is None or cut.next is None:
        return
    total = f" of {cut.total:,}" if cut.total is not None else ""
    which = f"lines {result.first_line}-{result.last_line}" if cut.unit == "lines" else f"{cut.shown} {cut.unit}"
    context.notice("truncated", f"{which}{total} shown; the rest: read {json.dumps(cut.next.arguments)}")


def _named(numbers: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, numbers[:NAMED_LINES])) + (", ..." if len(numbers) > NAMED_LINES else "")
    return f"line{'' if len(numbers) == 1 else 's'} {shown}"


def _remember(file: OpenFile, source: Source, result: ReadResult, context: Context) -> None:
    """Note what this session has seen of the file, so that a later edit of other content is found stale."""
    if context.session is None:
        return
    try:
        lines = result.first_line, result.last_line
        context.seen().remember(file, source.content, result.sha256, result.size, *lines)
    except Failure as failure:
        context.notice("not_remembered", f"this read is not remembered: {failure.message}")
