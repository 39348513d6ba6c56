"""From a file to a page of it in characters, with what is known of the whole."""

from collections.abc import Callable, Iterator

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.record import Record
from codetools.files.document import OpenFile, hash_of
from codetools.files.kind import NOTEBOOK, SNIFF_BYTES, TEXT, Kind, is_notebook, kind_of
from codetools.files.page import BYTES_PER_CHARACTER, Page, take_page
from codetools.files.text import LATIN_1, UTF_8, Encoding, as_utf_8, detect, line_ending

HINTS = {
    "archive": "List or unpack it with bash.",
    "executable": "It can be run or inspected with bash.",
    "database": "Query it with bash.",
}
HINT = "Use bash with a program for that format; `raw` and `base64` give the bytes."

NUMBER_CHARS = 8  # of a shown line's number and tab
_OVER_ASCII = frozenset((UTF_8, "cp1252", LATIN_1))  # codecs that read ASCII as what it is


class Source(Record):
    """An open file and what its bytes say of it. `content` is all of it, or None for one that has to be streamed."""

    file: OpenFile
    shown: str
    kind: Kind
    head: bytes
    content: bytes | None
    encoding: Encoding
    is_named: bool = False  # the caller said which encoding it is

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes from the start."""
        return self.file.chunks() if self.content is None else iter((self.content,))

    @property
    def size(self) -> int:
        """Bytes of the whole."""
        return self.file.size if self.content is None else len(self.content)

    @property
    def sha256(self) -> str | None:
        """The hash of the whole, where it was read whole."""
        return None if self.content is None else hash_of(self.content)


class Reading(Record):
    """A page of a text.

    `lines` keep their line breaks; `cut_lines` are the numbers of those that were cut, `lossy_lines` of those with
    bytes that are no character, shown as U+FFFD. `total_lines` is None where the end was not seen.
    """

    lines: tuple[str, ...]
    cut_lines: tuple[int, ...]
    lossy_lines: tuple[int, ...]
    has_more: bool
    total_lines: int | None
    seen_lines: int
    encoding: Encoding
    eol: str


def look_at(file: OpenFile, shown: str, limits: Limits, encoding: str | None, fallback: str = "") -> Source:
    """Tell what an open file holds.

    `encoding` is the name that the caller gave, which makes anything text; `fallback` that of files whose bytes do not
    show it. Raise `usage` for a name that is none.
    """
    content = file.content(limits.exact_read_bytes)
    head = next(file.chunks(), b"") if content is None else content
    if encoding:
        return Source(file, shown, TEXT, head, content, _named(encoding, head), is_named=True)
    kind = kind_of(head[:SNIFF_BYTES])
    if kind.name != "text":
        return Source(file, shown, kind, head, content, Encoding(LATIN_1))
    found = detect(head, is_whole=content is not None)
    if fallback and found.is_guessed and not found.is_wide:
        return Source(file, shown, kind, head, content, _named(fallback, head), is_named=True)
    return Source(file, shown, NOTEBOOK if is_notebook(head) else kind, head, content, found)


def read_page(source: Source, offset: int, limit: int, limits: Limits, check: Callable[[], None]) -> Reading:
    """Return up to `limit` lines of a text after `offset`."""
    content, encoding = source.content, source.encoding
    line_bytes, page_bytes = limits.line_chars * BYTES_PER_CHARACTER, limits.read_chars * BYTES_PER_CHARACTER
    page = take_page(as_utf_8(source.chunks(), encoding), offset, limit, line_bytes, page_bytes, check)
    if content is None and not encoding.bom and not encoding.is_wide and not source.is_named:
        encoding = _of_page(page, encoding)
    lines, cut, lossy = _decoded(page, offset, limits.line_chars, encoding)
    kept = _fitting(lines, limits.read_chars)
    last = offset + kept
    return Reading(
        lines=lines[:kept],
        cut_lines=tuple(number for number in cut if number <= last),
        lossy_lines=tuple(number for number in lossy if number <= last),
        has_more=page.has_more or kept < len(lines),
        total_lines=_total(page, source),
        seen_lines=page.seen_lines,
        encoding=encoding,
        eol=_eol(page, source),
    )


def not_text(source: Source) -> Failure:
    """Return the failure of a file that cannot be shown: what it is, how large, and what to do."""
    kind, size = source.kind, source.size
    message = f"{source.shown} is not text but {kind.words}, {size:,} bytes."
    details = {"kind": kind.name, "format": kind.format, "size": size}
    return Failure("binary", message, HINTS.get(kind.name, HINT), details)


def _named(name: str, head: bytes) -> Encoding:
    from codetools.files.encoding_names import encoding_named

    return encoding_named(name, head)


def _of_page(page: Page, encoding: Encoding) -> Encoding:
    """Return the encoding that a page of a large file shows; a page in ASCII shows none."""
    shown = b"".join(page.lines)
    found = detect(shown, is_whole=False)
    return encoding if shown.isascii() or found.is_wide else found


def _decoded(
    page: Page, offset: int, line_chars: int, encoding: Encoding
) -> tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]:
    codec = UTF_8 if encoding.is_wide else encoding.codec
    if not page.cut and codec in _OVER_ASCII and _is_plain(page.lines, line_chars):
        return tuple(map(bytes.decode, page.lines)), (), ()
    cut = set(page.cut)
    lines, lossy = [], []
    for number, raw in enumerate(page.lines, offset + 1):
        line = raw.decode(codec, "replace")
        text = line.rstrip("\r\n")
        if number in cut or len(text) > line_chars:
            cut.add(number)
            line = text[:line_chars] + "\n"
        if "\ufffd" in line and (encoding.is_wide or not encoding.can_decode(raw)):
            lossy.append(number)
        lines.append(line)
    return tuple(lines), tuple(sorted(cut)), tuple(lossy)


def _is_plain(lines: tuple[bytes, ...], line_chars: int) -> bool:
    """Whether all lines are ASCII, and none is longer than is shown."""
    return max(map(len, lines), default=0) <= line_chars and all(map(bytes.isascii, lines))


def _fitting(lines: tuple[str, ...], most_chars: int) -> int:
    """Return how many lines fit with their numbers; the first always does."""
    if sum(map(len, lines)) + NUMBER_CHARS * len(lines) <= most_chars:
        return len(lines)
    size = 0
    for number, line in enumerate(lines):
        size += len(line) + NUMBER_CHARS
        if size > most_chars and number:
            return number
    return len(lines)


def _total(page: Page, source: Source) -> int | None:
    if not page.has_more:
        return page.seen_lines
    if source.content is None:
        return None
    text = source.content
    if source.encoding.is_wide:
        text = b"".join(as_utf_8(source.chunks(), source.encoding))
    return text.count(b"\n") + (not text.endswith(b"\n"))


def _eol(page: Page, source: Source) -> str:
    is_part = source.content is None or source.encoding.is_wide
    return line_ending(b"".join(page.lines) if is_part or source.content is None else source.content)
