"""Makes what would steer a terminal, or hide from its reader, visible: contents and names are data, never commands."""

import re

# Bidirectional controls, zero-width and invisible characters, separators that break lines, tags, selectors beyond the
# sixteen that emoji use, and halves of surrogate pairs; below them C0, DEL and C1.
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff"
)
_IN_TEXT = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_UNSEEN}]")
_IN_LINE = re.compile(f"[\x00-\x1f\x7f-\x9f{_UNSEEN}]")
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def escape_text(text: str) -> str:
    """Return text that a terminal shows and does not obey; line feeds and tabs stay, and so do CRLF line ends."""
    return _IN_TEXT.sub(_shown, text.replace("\r\n", "\n"))


def escape_line(text: str) -> str:
    """Return text as one line, for a name or a message: line feeds and tabs are escaped too."""
    return _IN_LINE.sub(_shown, text)


def escape_span(text: str) -> str:
    """Return a piece of one line, with its tabs."""
    return "\t".join(map(escape_line, text.split("\t"))) if "\t" in text else escape_line(text)


def _shown(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    if character in _SHORT:
        return _SHORT[character]
    if code < 0x80:
        return f"\\x{code:02x}"
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
