"""From bytes written for a terminal to text: escapes, overwritten lines and control characters are gone."""

import re

from codetools.files.kind import kind_of

_ESCAPE = (
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # control sequences: colours, cursor
    r"|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?"  # titles, links
    r"|\x1b[PX^_][^\x1b\n]*(?:\x1b\\)?"
    r"|\x1b[ -/]*[0-~]?"
    r"|\x9b[0-?]*[ -/]*[@-~]"
)
_OVERSTRUCK = r"[^\n\x08]\x08"
_CONTROL = r"[\x00-\x08\x0b-\x1f\x7f-\x9f]"
_MOSTLY = 0.3
_OFTEN = 0.1


def to_text(content: bytes) -> str:
    """Return what a reader would have seen: of a line written over by carriage returns, its last state."""
    text = content.decode("utf-8", "replace")
    if "\x1b" not in text and all(line.isprintable() for line in text.replace("\t", "").split("\n")):
        return text
    text = re.sub(_ESCAPE, "", text).replace("\0", "\n").replace("\r\n", "\n")
    while "\x08" in text:
        shorter = re.sub(_OVERSTRUCK, "", text)
        text = shorter if shorter != text else text.replace("\x08", "")
    if "\r" in text:
        text = "\n".join(_last_state(line) for line in text.split("\n"))
    return re.sub(_CONTROL, "", text)


def binary_kind(sample: bytes) -> str:
    """Return what the beginning of some output holds where that is no text, else an empty string."""
    if not sample:
        return ""
    kind = kind_of(sample)
    if kind.format:
        return f"{kind.format} {kind.name}"
    if kind.name != "text" or not _is_utf8(sample):
        nuls = sample.count(b"\0")
        text = sample.replace(b"\0", b"").decode("utf-8", "replace")
        odd = sum(character == "�" or (character < " " and character not in "\t\n\r\f\x08\x1b") for character in text)
        if nuls > _MOSTLY * len(sample) or odd > _OFTEN * max(1, len(text)):
            return "binary data"
    return ""


def _last_state(line: str) -> str:
    return next((part for part in reversed(line.split("\r")) if part), "")


def _is_utf8(sample: bytes) -> bool:
    try:
        sample[:-4].decode()
    except UnicodeDecodeError:
        return False
    return True
