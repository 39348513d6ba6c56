"""A file's bytes exactly as they are: all of them, or those of a range of lines."""

from collections.abc import Callable

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.record import Record
from codetools.files.page import Page, take_page
from codetools.files.reading import Source
from codetools.files.text import UTF_8, as_utf_8

ALL_LINES = 1 << 60


class Exact(Record):
    """Bytes of a file, and which lines they are: 0 to 0 where the whole was taken without counting.

    `is_cut` says that the last line was too long to be given whole.
    """

    content: bytes
    first_line: int
    last_line: int
    total_lines: int | None
    has_more: bool
    is_cut: bool

    def base64(self) -> str:
        """Return the bytes in base64."""
        from base64 import b64encode

        return b64encode(self.content).decode("ascii")


class Measured(Record):
    """The totals of a whole file."""

    total_lines: int
    sha256: str | None


def read_exact(source: Source, offset: int, limit: int | None, limits: Limits, check: Callable[[], None]) -> Exact:
    """Return the whole file, or up to `limit` lines after `offset`; at most `limits.raw_bytes`, ended after a line."""
    if not offset and limit is None:
        whole = source.content if source.content is not None else source.file.content(limits.raw_bytes)
        if whole is not None and len(whole) <= limits.raw_bytes:
            lines = whole.count(b"\n") + (not whole.endswith(b"\n") and bool(whole))
            return Exact(whole, min(lines, 1), lines, lines, has_more=False, is_cut=False)
    chunks = as_utf_8(source.chunks(), source.encoding) if source.encoding.is_wide else source.chunks()
    page = take_page(chunks, offset, limit or ALL_LINES, limits.raw_bytes, limits.raw_bytes, check)
    count = len(page.lines)
    return Exact(
        content=_original(page, source, offset),
        first_line=offset + 1 if count else 0,
        last_line=offset + count if count else 0,
        total_lines=None if page.has_more else page.seen_lines,
        has_more=page.has_more,
        is_cut=bool(page.cut),
    )


def _original(page: Page, source: Source, offset: int) -> bytes:
    content = b"".join(page.lines)
    encoding = source.encoding
    if not encoding.is_wide:
        return content
    text = content.decode(UTF_8, "replace")
    if "\ufffd" in text:
        message = f"{source.shown} has bytes there that are not valid {encoding.name}, so no exact lines can be given."
        raise Failure("encoding", message, "Take the whole file, or a range of bytes with bash.")
    return (encoding.bom if not offset else b"") + text.encode(encoding.codec)


def measure(source: Source, check: Callable[[], None]) -> Measured:
    """Return the totals of a file that is too large to be held; the hash of one with holes would take too long."""
    import hashlib

    digest = hashlib.sha256()
    lines = 0
    last = b""
    for chunk in source.chunks():
        check()
        digest.update(chunk)
        lines += 0 if source.encoding.is_wide else chunk.count(b"\n")
        last = chunk
    if source.encoding.is_wide:
        for chunk in as_utf_8(source.chunks(), source.encoding):
            check()
            lines += chunk.count(b"\n")
            last = chunk or last
    total = lines + (bool(last) and not last.endswith(b"\n"))
    return Measured(total, None if source.file.is_sparse else digest.hexdigest())


def text_of(content: bytes) -> str | None:
    """Return bytes as characters, their mark included, or None where they are not UTF-8."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None
