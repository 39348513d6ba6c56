"""From a file to a page of it in characters, with what is known of the whole."""

from collections.abc import Callable, Iterator

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.record import Record
from codetools.files.document import OpenFile, hash_of
from codetools.files.kind import SNIFF_BYTES, Kind, kind_of
from codetools.files.page import BYTES_PER_CHARACTER, Page, take_page
from codetools.files.text import UTF_8, Encoding, as_utf_8, detect, line_ending


class Reading(Record):
    """A page of a text file.

    `lines` keep their line breaks; `cut_lines` are the numbers of those that were cut. `total_lines` and `sha256` are
    None for a file larger than `limits.exact_read_bytes`.
    """

    lines: tuple[str, ...]
    cut_lines: tuple[int, ...]
    has_more: bool
    total_lines: int | None
    seen_lines: int
    size: int
    sha256: str | None
    encoding: Encoding
    eol: str


def read_page(
    file: OpenFile, shown: str, offset: int, limit: int, limits: Limits, check: Callable[[], None], *, whole_lines: bool
) -> Reading:
    """Return up to `limit` lines after `offset`; raise `binary` for what is not text. `whole_lines` cuts no line."""
    line_chars = limits.read_chars if whole_lines else limits.line_chars
    content = file.content(limits.exact_read_bytes)
    if content is None:
        head = next(file.chunks(), b"")
        encoding = detect(head, is_whole=False)
        chunks = file.chunks()
    else:
        head = content
        encoding = detect(content)
        chunks = _pieces(content)
    kind = kind_of(head[:SNIFF_BYTES])
    if kind.name != "text":
        raise _binary(kind, shown, file.size)
    line_bytes, page_bytes = line_chars * BYTES_PER_CHARACTER, limits.read_chars * BYTES_PER_CHARACTER
    page = take_page(as_utf_8(chunks, encoding), offset, limit, line_bytes, page_bytes, check)
    if content is None and not encoding.bom:
        encoding = detect(b"".join(page.lines), is_whole=False)
    lines, cut = _decoded(page, offset, line_chars, encoding)
    kept = _fitting(lines, limits.read_chars)
    return Reading(
        lines=lines[:kept],
        cut_lines=tuple(number for number in cut if number <= offset + kept),
        has_more=page.has_more or kept < len(lines),
        total_lines=_total(page, content, encoding),
        seen_lines=page.seen_lines,
        size=file.size if content is None else len(content),
        sha256=None if content is None else hash_of(content),
        encoding=encoding,
        eol=_eol(page, content, encoding),
    )


def _pieces(content: bytes) -> Iterator[bytes]:
    yield content


def _decoded(page: Page, offset: int, line_chars: int, encoding: Encoding) -> tuple[tuple[str, ...], tuple[int, ...]]:
    codec = UTF_8 if encoding.is_wide else encoding.codec
    cut = set(page.cut)
    lines = []
    for number, raw in enumerate(page.lines, offset + 1):
        line = raw.decode(codec, "ignore" if number in cut else "replace")
        text = line.rstrip("\r\n")
        if number in cut or len(text) > line_chars:
            cut.add(number)
            line = text[:line_chars] + "\n"
        lines.append(line)
    return tuple(lines), tuple(sorted(cut))


def _fitting(lines: tuple[str, ...], most_chars: int) -> int:
    """Return how many lines fit; the first always does."""
    size = 0
    for number, line in enumerate(lines):
        size += len(line)
        if size > most_chars and number:
            return number
    return len(lines)


def _total(page: Page, content: bytes | None, encoding: Encoding) -> int | None:
    if not page.has_more:
        return page.seen_lines
    if content is None:
        return None
    text = b"".join(as_utf_8(_pieces(content), encoding)) if encoding.is_wide else content
    return text.count(b"\n") + (not text.endswith(b"\n"))


def _eol(page: Page, content: bytes | None, encoding: Encoding) -> str:
    return line_ending(b"".join(page.lines) if content is None or encoding.is_wide else content)


def _binary(kind: Kind, shown: str, size: int) -> Failure:
    what = (
        f"{kind.format} {kind.name}" if kind.format and kind.name not in ("binary", "pdf") else kind.format or "binary"
    )
    message = f"{shown} is not text but {what}, {size:,} bytes."
    details = {"kind": kind.name, "format": kind.format, "size": size}
    return Failure("binary", message, "Use bash with a program for that format.", details)
