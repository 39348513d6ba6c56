"""The encoding that a caller names, for files whose bytes do not show it."""

from codetools.core.codec import MARKED, codec_named, plain
from codetools.files.text import LATIN_1, UTF_8, UTF_8_BOM, UTF_16_LE, UTF_32_LE, WINDOWS_1252, Encoding, detect

_OWN_NAMES = {"cp1252": WINDOWS_1252, "iso8859-1": LATIN_1, "utf-8": UTF_8}
_MARKS = {
    UTF_8_BOM: b"\xef\xbb\xbf",
    "utf-16": b"\xff\xfe",
    "utf-32": b"\xff\xfe\0\0",
}
_DEFAULT_ORDER = {"utf-16": UTF_16_LE, "utf-32": UTF_32_LE}


def encoding_named(name: str, content: bytes | None = None) -> Encoding:
    """Return the encoding called `name`, with the byte order mark that `content` begins with.

    Without content it is the encoding of a file to be made: with a mark where the name asks for one (`utf-8-bom`,
    `utf-16`, `utf-32`). Raise `usage` for a name that is no text encoding.
    """
    found = UTF_8_BOM if plain(name) in MARKED else codec_named(name)
    known = _OWN_NAMES.get(found, found)
    if content is None:
        return Encoding(_DEFAULT_ORDER.get(known, known), _MARKS.get(known, b""))
    marked = detect(content[:4])
    if marked.bom and _is_same(marked.name, known):
        return marked
    if known == UTF_8_BOM:
        known = UTF_8
    return Encoding(_DEFAULT_ORDER.get(known, known))


def _is_same(marked: str, named: str) -> bool:
    if marked == UTF_8_BOM:
        return named in (UTF_8, UTF_8_BOM)
    return named in (marked, marked[: len("utf-16")])
