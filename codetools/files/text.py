"""Which encoding and line endings a text has, and the way from its bytes to characters and back."""

from collections.abc import Iterator

from codetools.core.errors import Failure
from codetools.core.record import Record

UTF_8 = "utf-8"
UTF_8_BOM = "utf-8-bom"
UTF_16_LE = "utf-16-le"
UTF_16_BE = "utf-16-be"
WINDOWS_1252 = "windows-1252"
LATIN_1 = "latin-1"
MIXED_UTF_8 = "utf-8-invalid"

_BOMS = ((b"\xef\xbb\xbf", UTF_8_BOM), (b"\xff\xfe", UTF_16_LE), (b"\xfe\xff", UTF_16_BE))
_CODECS = {UTF_8_BOM: "utf-8", WINDOWS_1252: "cp1252", MIXED_UTF_8: "utf-8"}


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
        """Whether its line breaks take more than one byte."""
        return self.name in (UTF_16_LE, UTF_16_BE)

    def encode(self, text: str, shown: str) -> bytes:
        """Return the bytes of characters; raise `encoding` for one that the encoding does not have."""
        try:
            return text.encode(self.codec)
        except UnicodeEncodeError as error:
            character = text[error.start]
            message = f"{shown} is {self.name}, which has no {character!r} (U+{ord(character):04X})."
            raise Failure("encoding", message, "Use other characters, or convert the file first.") from None


def detect(content: bytes, *, is_whole: bool = True) -> Encoding:
    """Return the encoding of a text: its mark's, else UTF-8, else the likeliest one-byte encoding, as a guess.

    `is_whole=False` forgives a character that is cut off at the end.
    """
    for bom, name in _BOMS:
        if content.startswith(bom):
            return Encoding(name, bom)
    if content.isascii():
        return Encoding(UTF_8)
    try:
        content.decode(UTF_8)
    except UnicodeDecodeError as error:
        if not is_whole and error.end >= len(content) and error.reason == "unexpected end of data":
            return Encoding(UTF_8)
    else:
        return Encoding(UTF_8)
    if _has_more_utf_8(content):
        return Encoding(MIXED_UTF_8, is_guessed=True)
    try:
        content.decode("cp1252")
    except UnicodeDecodeError:
        return Encoding(LATIN_1, is_guessed=True)
    return Encoding(WINDOWS_1252, is_guessed=True)


def as_utf_8(chunks: Iterator[bytes], encoding: Encoding) -> Iterator[bytes]:
    """Return a text's bytes without its mark, re-coded where its line breaks are wider than a byte."""
    if not encoding.is_wide:
        first = next(chunks, b"").removeprefix(encoding.bom)
        yield first
        yield from chunks
        return
    import codecs

    decoder = codecs.getincrementaldecoder(encoding.codec)("replace")
    start = len(encoding.bom)
    for chunk in chunks:
        yield decoder.decode(chunk[start:]).encode()
        start = 0
    yield decoder.decode(b"", final=True).encode()


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


def _has_more_utf_8(content: bytes) -> bool:
    """Whether the bytes above ASCII are mostly whole UTF-8 characters, with a few broken ones among them."""
    text = content.decode(UTF_8, "replace")
    broken = text.count("\ufffd")
    whole = sum(1 for character in text if character > "\x7f") - broken
    return whole > broken
