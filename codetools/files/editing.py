"""One edit of one document: from the texts that a caller gives to new bytes, in the file's own encoding."""

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.files.document import Document
from codetools.files.explain import no_match, not_unique
from codetools.files.kind import kind_of
from codetools.files.match import Found, Tier, find, find_all, line_numbers, replaced
from codetools.files.text import Encoding, detect

EXPLAINED_BYTES = 8 << 20  # of a file, that are searched for the nearest lines


class Edited(Record):
    """A document's new bytes. `lines` are where the replaced texts began."""

    content: bytes
    tier: Tier
    lines: tuple[int, ...]
    encoding: Encoding


def apply_edit(document: Document, shown: str, old: str, new: str, *, replace_all: bool) -> Edited:
    """Replace the one place of `old`, or every exact one; every other byte stays.

    Raise `no_match`, `not_unique`, `no_change`, `binary` or `encoding`.
    """
    if old == new:
        raise Failure("no_change", f"{shown}: old and new text are the same; nothing would change.")
    kind = kind_of(document.content)
    if kind.name != "text":
        what = kind.format or "binary"
        raise Failure("binary", f"{shown} is not text but {what}.", "Only text can be edited; use write or bash.")
    encoding = detect(document.content)
    content = _working_bytes(document.content, encoding)
    old_bytes, new_bytes = _encoded(old, encoding, shown), _encoded(new, encoding, shown)
    found = find_all(content, old_bytes, new_bytes) if replace_all else find(content, old_bytes, new_bytes)
    if not found.spans:
        raise _not_found(shown, content, old, old_bytes, new_bytes, encoding, replace_all=replace_all)
    if len(found.spans) > 1 and not replace_all:
        raise not_unique(shown, content, found)
    changed = _original_bytes(replaced(content, found.spans), encoding)
    if changed == document.content:
        raise Failure("no_change", f"{shown}: the file already holds the new text there; nothing would change.")
    lines = line_numbers(content, [span.start for span in found.spans])
    return Edited(changed, found.tier, tuple(lines), encoding)


def _working_bytes(content: bytes, encoding: Encoding) -> bytes:
    """Return bytes in which a line break is a byte: the file's own, or UTF-16 as UTF-8, which must be reversible."""
    if not encoding.is_wide:
        return content
    working = content.decode(encoding.codec, "surrogatepass").encode("utf-8", "surrogatepass")
    if _original_bytes(working, encoding) != content:
        raise Failure("encoding", "The file is not valid UTF-16.", "Convert it first.")
    return working


def _original_bytes(working: bytes, encoding: Encoding) -> bytes:
    if not encoding.is_wide:
        return working
    return working.decode("utf-8", "surrogatepass").encode(encoding.codec, "surrogatepass")


def _encoded(text: str, encoding: Encoding, shown: str) -> bytes:
    return text.encode() if encoding.is_wide else encoding.encode(text, shown)


def _not_found(
    shown: str, content: bytes, old: str, old_bytes: bytes, new_bytes: bytes, encoding: Encoding, *, replace_all: bool
) -> Failure:
    if replace_all:
        looser: Found = find(content, old_bytes, new_bytes)
        if looser.spans:
            numbers = line_numbers(content, [span.start for span in looser.spans])
            message = f"{shown}: replace_all takes exact text only; a form with other blanks or endings is there."
            details = {"lines": numbers, "tier": looser.tier}
            return Failure("no_match", message, "Copy the text exactly, or edit one place at a time.", details)
    codec = "utf-8" if encoding.is_wide else encoding.codec
    return no_match(shown, content[:EXPLAINED_BYTES].decode(codec, "replace"), old.replace("\r\n", "\n"))
