"""Which names are those of text encodings, and which one a misspelt name may mean."""

from codetools.core.errors import Failure

MARKED = ("utf-8-sig", "utf-8-bom", "utf8-bom")  # UTF-8 that begins with a byte order mark
_NO_TEXT = ("idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem", "unicode-escape")


def codec_named(name: str) -> str:
    """Return Python's own name of a text encoding; raise `usage` for anything else."""
    import codecs

    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError, UnicodeError):
        raise _unknown(name) from None
    if found.name in _NO_TEXT or not getattr(found, "_is_text_encoding", True):
        raise _unknown(name)
    return found.name


def plain(name: str) -> str:
    """Return a name as it is compared with those of `MARKED`."""
    return name.strip().lower().replace("_", "-")


def _unknown(name: str) -> Failure:
    from difflib import get_close_matches
    from encodings.aliases import aliases

    written = name.lower().replace("-", "_")
    near = [found for found in get_close_matches(written, [*aliases, *aliases.values()], 3) if found != written]
    hint = f"Did you mean {near[0]}?" if near else "For example: windows-1251, shift_jis, gb18030."
    return Failure("usage", f"{name!r} is not the name of a text encoding.", hint)
