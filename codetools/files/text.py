"""Which encoding and line endings a text has, and the way from its bytes to characters and back."""

from collections.abc import Iterator

from codetools.core.errors import Failure
from codetools.core.record import Record

UTF_8 = "utf-8"
UTF_8_BOM = "utf-8-bom"
UTF_16_LE = "utf-16-le"
UTF_16_BE = "utf-16-be"
UTF_32_LE = "utf-32-le"
UTF_32_BE = "utf-32-be"
WINDOWS_1252 = "windows-1252"
LATIN_1 = "latin-1"
MIXED_UTF_8 = "utf-8-invalid"

SNIFFED_UNITS = 2048  # of UTF-16, that show whether a file without a mark is text
LEAST_UNITS = 4
PIECE_BYTES = 1 << 20

_BOMS = (
    (b"\xef\xbb\xbf", UTF_8_BOM),
    (b"\xff\xfe\0\0", UTF_32_LE),
    (b"\0\0\xfe\xff", UTF_32_BE),
    (b"\xff\xfe", UTF_16_LE),
    (b"\xfe\xff", UTF_16_BE),
)
_CODECS = {UTF_8_BOM: "utf-8", WINDOWS_1252: "cp1252", MIXED_UTF_8: "utf-8"}
_NARROW = frozenset((UTF_8, UTF_8_BOM, MIXED_UTF_8, WINDOWS_1252, LATIN_1))
_STATEFUL = ("iso2022", "hz", "utf-7")  # ASCII bytes stand for other characters too
_BLANKS = frozenset("\t\n\r\f")


class Encoding(Record):
    """How a text's bytes become characters. `is_guessed`: the bytes do not prove it, or are not all valid in it."""

    name: str
    bom: bytes = b""
    is_guessed: bool = False

    @property
    def codec(self) -> str:
        """Python's name of it; the byte order mark is not part of it."""
        return _CODECS.get(self.name, self.name)

    def decode(self, content: bytes) -> str:
        """Return the characters of content without its mark; U+FFFD stands for what is not valid."""
        return content.decode(self.codec, "replace")

    @property
    def is_wide(self) -> bool:
        """Whether bytes do not show where its characters begin: an LF byte, or an ASCII one, may be part of another."""
        return self.name not in _NARROW and not _is_single_byte(self.codec)

    def encode(self, text: str, shown: str) -> bytes:
        """Return the bytes of characters; raise `encoding` for one that the encoding does not have."""
        try:
            return text.encode(self.codec)
        except UnicodeEncodeError as error:
            character = text[error.start]
            message = f"{shown} is {self.name}, which has no {character!r} (U+{ord(character):04X})."
            raise Failure("encoding", message, "Use other characters, or convert the file first.") from None

    def can_decode(self, content: bytes) -> bool:
        """Whether every byte of content without its mark is part of a character."""
        try:
            content.decode(self.codec)
        except UnicodeDecodeError:
            return False
        return True

    def to_utf_8(self, content: bytes, shown: str) -> bytes:
        """Return a wide text in UTF-8, its mark included; raise `encoding` where the way back would not be the same."""
        try:
            text = content.decode(self.codec, self._errors)
            if text.encode(self.codec, self._errors) == content:
                return text.encode("utf-8", "surrogatepass")
        except UnicodeError:
            pass
        message = f"{shown} has bytes that are not valid {self.name}, or could be written in two ways."
        raise Failure("encoding", message, "Name its encoding, convert it first, or change it with bash.")

    def from_utf_8(self, content: bytes, shown: str) -> bytes:
        """Return what `to_utf_8` made in this encoding again; raise `encoding` for a character that it lacks."""
        text = content.decode("utf-8", "surrogatepass")
        return text.encode(self.codec, self._errors) if self._errors != "strict" else self.encode(text, shown)

    @property
    def _errors(self) -> str:
        """UTF-16 and UTF-32 files may hold lone surrogates, which are kept."""
        return "surrogatepass" if self.name.startswith(("utf-16", "utf-32")) else "strict"


def detect(content: bytes, *, is_whole: bool = True) -> Encoding:
    """Return the encoding of a text: its mark's, else UTF-8, else the likeliest legacy encoding, as a guess.

    `is_whole=False` forgives a character that is cut off at the end.
    """
    for bom, name in _BOMS:
        if content.startswith(bom):
            return Encoding(name, bom)
    if content.isascii():
        wide = unmarked_utf_16(content) if b"\0" in content else None
        return Encoding(UTF_8) if wide is None else Encoding(wide, is_guessed=True)
    if _is_utf_8(content, is_whole=is_whole):
        return Encoding(UTF_8)
    if b"\0" in content and (wide := unmarked_utf_16(content)):
        return Encoding(wide, is_guessed=True)
    if _has_more_utf_8(content):
        return Encoding(MIXED_UTF_8, is_guessed=True)
    from codetools.files.legacy import likeliest

    return Encoding(likeliest(content), is_guessed=True)


def unmarked_utf_16(content: bytes) -> str | None:
    """Return the byte order of UTF-16 text that has no mark, or None for anything that might be something else.

    Every character must be printable, and most of them Latin: their other bytes are NUL, all at even or all at odd
    places.
    """
    head = content[: 2 * SNIFFED_UNITS]
    if len(head) < 2 * LEAST_UNITS or (len(content) % 2 and len(content) <= len(head)):
        return None
    even, odd = head[::2].count(0), head[1::2].count(0)
    if min(even, odd) or max(even, odd) < len(head) // 4:
        return None
    name = UTF_16_LE if odd else UTF_16_BE
    try:
        text = head.decode(name)
    except UnicodeDecodeError as error:
        if error.reason != "unexpected end of data":
            return None
        text = head[: error.start].decode(name)
    return name if all(character in _BLANKS or character.isprintable() for character in text) else None


def as_utf_8(chunks: Iterator[bytes], encoding: Encoding) -> Iterator[bytes]:
    """Return a text's bytes without its mark, re-coded where its line breaks are not single bytes."""
    if not encoding.is_wide:
        first = next(chunks, b"").removeprefix(encoding.bom)
        yield first
        yield from chunks
        return
    import codecs

    decoder = codecs.getincrementaldecoder(encoding.codec)("replace")
    start = len(encoding.bom)
    for chunk in chunks:
        yield decoder.decode(chunk[start:]).encode("utf-8", "replace")
        start = 0
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def line_ending(content: bytes) -> str:
    """Return `lf`, `crlf`, `cr`, `mixed` or `none` for text whose line breaks are single bytes."""
    newlines = content.count(b"\n")
    pairs = content.count(b"\r\n")
    returns = content.count(b"\r") - pairs
    styles = {"crlf": pairs, "lf": newlines - pairs, "cr": returns}
    found = [name for name, count in styles.items() if count]
    if "cr" in found and len(found) > 1 and returns <= newlines:
        found.remove("cr")  # a lone CR among other endings ends no line here
    return found[0] if len(found) == 1 else "mixed" if found else "none"


def _is_utf_8(content: bytes, *, is_whole: bool) -> bool:
    for piece in _pieces(content):
        try:
            piece.decode(UTF_8)
        except UnicodeDecodeError as error:
            is_cut = error.end == len(piece) and error.reason == "unexpected end of data"
            return is_cut and not is_whole and content.endswith(piece)
    return True


def _has_more_utf_8(content: bytes) -> bool:
    """Whether the bytes above ASCII are mostly whole UTF-8 characters, with a few broken ones among them."""
    broken = beyond = 0
    for piece in _pieces(content):
        text = piece.decode(UTF_8, "replace")
        broken += text.count("\ufffd")
        beyond += len(text) - len(text.encode("ascii", "ignore"))
    return beyond > 2 * broken


def _pieces(content: bytes) -> Iterator[bytes]:
    """Yield a content in pieces that end where a UTF-8 character does; decoded whole it could take 4 times as much."""
    start = 0
    while len(content) - start > PIECE_BYTES:
        end = start + PIECE_BYTES
        while content[end] & 0xC0 == 0x80 and end > start + PIECE_BYTES - 4:
            end -= 1
        yield content[start:end]
        start = end
    yield content[start:] if start else content


def _is_single_byte(codec: str) -> bool:
    """Whether each byte is one character, and those of ASCII are what they are in ASCII."""
    if codec.startswith(_STATEFUL):
        return False
    text = bytes(range(256)).decode(codec, "replace")
    return len(text) == 256 and text[:128].isascii() and text[:128].encode() == bytes(range(128))
