"""The encoding that a caller names, for files whose bytes do not show it."""

from codetools.core.errors import Failure
from codetools.files.text import LATIN_1, UTF_8, UTF_8_BOM, UTF_16_LE, UTF_32_LE, WINDOWS_1252, Encoding, detect

_MARKED = {"utf-8-sig": UTF_8_BOM, "utf-8-bom": UTF_8_BOM, "utf8-bom": UTF_8_BOM}
_OWN_NAMES = {"cp1252": WINDOWS_1252, "iso8859-1": LATIN_1, "utf-8": UTF_8}
_MARKS = {
    UTF_8_BOM: b"\xef\xbb\xbf",
    "utf-16": b"\xff\xfe",
    "utf-32": b"\xff\xfe\0\0",
}
_DEFAULT_ORDER = {"utf-16": UTF_16_LE, "utf-32": UTF_32_LE}
_NO_TEXT = ("idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem", "unicode-escape")


def encoding_named(name: str, content: bytes | None = None) -> Encoding:
    """Return the encoding called `name`, with the byte order mark that `content` begins with.

    Without content it is the encoding of a file to be made: with a mark where the name asks for one (`utf-8-bom`,
    `utf-16`, `utf-32`). Raise `usage` for a name that is no text encoding.
    """
    wanted = name.strip().lower().replace("_", "-")
    known = _MARKED.get(wanted) or _codec(name)
    if content is None:
        return Encoding(_DEFAULT_ORDER.get(known, known), _MARKS.get(known, b""))
    marked = detect(content[:4])
    if marked.bom and _is_same(marked.name, known):
        return marked
    if known == UTF_8_BOM:
        known = UTF_8
    return Encoding(_DEFAULT_ORDER.get(known, known))


def _codec(name: str) -> str:
    import codecs

    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError, UnicodeError):
        raise _unknown(name) from None
    if found.name in _NO_TEXT or not getattr(found, "_is_text_encoding", True):
        raise _unknown(name)
    return _OWN_NAMES.get(found.name, found.name)


def _is_same(marked: str, named: str) -> bool:
    if marked == UTF_8_BOM:
        return named in (UTF_8, UTF_8_BOM)
    return named in (marked, marked[: len("utf-16")])


def _unknown(name: str) -> Failure:
    from difflib import get_close_matches
    from encodings.aliases import aliases

    written = name.lower().replace("-", "_")
    near = [found for found in get_close_matches(written, [*aliases, *aliases.values()], 3) if found != written]
    hint = f"Did you mean {near[0]}?" if near else "For example: windows-1251, shift_jis, gb18030."
    return Failure("usage", f"{name!r} is not the name of a text encoding.", hint)
