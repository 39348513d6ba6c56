"""One edit of one document: from the texts that a caller gives to new bytes, in the file's own encoding."""

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.files.document import Document
from codetools.files.explain import no_match, not_unique
from codetools.files.match import Found, Tier, find, find_all, line_numbers, replaced
from codetools.files.text import Encoding
from codetools.files.working import Working, working

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
    text = working(document.content, shown)
    old_bytes, new_bytes = text.encode(old), text.encode(new)
    found = find_all(text.content, old_bytes, new_bytes) if replace_all else find(text.content, old_bytes, new_bytes)
    if not found.spans:
        raise _not_found(text, old, old_bytes, new_bytes, replace_all=replace_all)
    if len(found.spans) > 1 and not replace_all:
        raise not_unique(shown, text.content, found)
    changed = text.original(replaced(text.content, found.spans))
    if changed == document.content:
        raise Failure("no_change", f"{shown}: the file already holds the new text there; nothing would change.")
    lines = line_numbers(text.content, [span.start for span in found.spans])
    return Edited(changed, found.tier, tuple(lines), text.encoding)


def _not_found(text: Working, old: str, old_bytes: bytes, new_bytes: bytes, *, replace_all: bool) -> Failure:
    if replace_all:
        looser: Found = find(text.content, old_bytes, new_bytes)
        if looser.spans:
            numbers = line_numbers(text.content, [span.start for span in looser.spans])
            message = f"{text.shown}: replace_all takes exact text only; a form with other blanks or endings is there."
            details = {"lines": numbers, "tier": looser.tier}
            return Failure("no_match", message, "Copy the text exactly, or edit one place at a time.", details)
    return no_match(text.shown, text.decode(EXPLAINED_BYTES), old.replace("\r\n", "\n"))
