"""Edits of one document: from the texts that a caller gives to new bytes, in the file's own encoding."""

from itertools import pairwise

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.files.document import Document
from codetools.files.match import Found, Span, Tier, find, find_all, line_numbers, replaced
from codetools.files.text import Encoding
from codetools.files.working import NO_CHOICE, Choice, Working, working

EXPLAINED_BYTES = 8 << 20  # of a file, that are searched for the nearest lines
MOST_COMPARED = 300  # edits, for one that looks for what another one writes


class Replacement(Record):
    """One text for another: in its only place, in all exact ones, in exactly `count`, or in the one at `near_line`."""

    old: str
    new: str
    replace_all: bool = False
    count: int | None = None
    near_line: int | None = None


class Placed(Record):
    """What became of one replacement. `lines` are where the replaced texts began; `failure` is why it has none."""

    tier: Tier = "exact"
    spans: tuple[Span, ...] = ()
    lines: tuple[int, ...] = ()
    failure: Failure | None = None


class Edited(Record):
    """A document's new bytes, and what became of each replacement."""

    content: bytes
    placed: tuple[Placed, ...]
    encoding: Encoding


def apply_edits(
    document: Document,
    shown: str,
    replacements: tuple[Replacement, ...],
    *,
    partial: bool = False,
    choice: Choice = NO_CHOICE,
) -> Edited:
    """Find every text in the document as it is, and replace all of them or none; every other byte stays.

    With `partial` those that fit are applied, as long as one does. Raise `no_match`, `not_unique`, `no_change`,
    `binary` or `encoding`; of several replacements all that fail are named by their numbers.
    """
    text = working(document.content, shown, choice)
    labels = [f"{shown}: edit {number + 1}" for number in range(len(replacements))]
    if len(replacements) == 1:
        labels = [shown]
    placed = [_placed(text, label, one) for label, one in zip(labels, replacements, strict=True)]
    placed = _disjoint(placed, labels, text)
    failed = [one for one in placed if one.failure is not None]
    if failed and (not partial or len(failed) == len(placed)):
        from codetools.files.together import failure_of

        raise failure_of([(one.failure, one.lines) for one in placed], _in_other_edits(replacements, placed))
    spans = sorted((span for one in placed for span in one.spans), key=lambda span: span.start)
    changed = text.original(replaced(text.content, tuple(spans)))
    if changed == document.content:
        raise Failure("no_change", f"{shown}: the file already holds the new text there; nothing would change.")
    return Edited(changed, tuple(placed), text.encoding)


def _placed(text: Working, label: str, one: Replacement) -> Placed:
    try:
        found = _found(text, label, one)
    except Failure as failure:
        return Placed(failure=failure)
    lines = line_numbers(text.content, [span.start for span in found.spans])
    return Placed(found.tier, found.spans, tuple(lines))


def _found(text: Working, label: str, one: Replacement) -> Found:
    """Return the places that are meant; raise where there are too many, too few or none."""
    if one.old == one.new:
        raise Failure("no_change", f"{label}: old and new text are the same; nothing would change.")
    old, new = _encoded(text, label, one.old), _encoded(text, label, one.new)
    found = find_all(text.content, old, new) if one.replace_all else find(text.content, old, new)
    if not found.spans:
        raise _not_found(text, label, one, old, new)
    if one.count is not None:
        is_counted = len(found.spans) == one.count and not found.is_capped
        chosen = found if is_counted and not _overlap(found) else None
    elif len(found.spans) == 1 or one.replace_all:
        chosen = found
    else:
        nearest = _nearest(text, found, one.near_line)
        chosen = None if nearest is None else found.but(spans=(nearest,))
    if chosen is None:
        raise _unclear(text, label, one, found)
    return chosen


def _overlap(found: Found) -> bool:
    return any(first.end > second.start for first, second in pairwise(found.spans))


def _nearest(text: Working, found: Found, line: int | None) -> Span | None:
    """Return the place that begins nearest to a line; None without one, or where two are as near."""
    if line is None:
        return None
    numbers = line_numbers(text.content, [span.start for span in found.spans])
    distances = [abs(number - line) for number in numbers]
    least = min(distances)
    return found.spans[distances.index(least)] if distances.count(least) == 1 else None


def _disjoint(placed: list[Placed], labels: list[str], text: Working) -> list[Placed]:
    """Return the replacements, the later of two that overlap as failed."""
    owned = sorted(
        ((span, number) for number, one in enumerate(placed) for span in one.spans),
        key=lambda pair: (pair[0].start, pair[0].end),
    )
    result = list(placed)
    last_end, last = 0, -1
    for span, number in owned:
        if result[number].failure is not None:
            continue
        if last >= 0 and span.start < last_end and number != last:
            first, second = sorted((last, number))
            line = line_numbers(text.content, [span.start])[0]
            message = f"{labels[second]} overlaps edit {first + 1} at line {line}."
            details = {"overlaps": first + 1, "lines": [line]}
            result[second] = Placed(failure=Failure("not_unique", message, "Make one edit of the two.", details))
            if second == last:
                last_end, last = span.end, number
            continue
        last_end, last = span.end, number
    return result


def _encoded(text: Working, label: str, characters: str) -> bytes:
    try:
        return text.encode(characters)
    except Failure as failure:
        if label == text.shown:
            raise
        message = failure.message.replace(text.shown, f"{label}: the file", 1)
        raise Failure(failure.kind, message, failure.hint, failure.details) from None


def _unclear(text: Working, label: str, one: Replacement, found: Found) -> Failure:
    from codetools.files.explain import not_unique, wrong_count

    if one.count is None:
        return not_unique(label, text.content, found)
    if len(found.spans) != one.count or found.is_capped:
        return wrong_count(label, text.content, found, one.count)
    return not_unique(label, text.content, found, "its places overlap")


def _not_found(text: Working, label: str, one: Replacement, old: bytes, new: bytes) -> Failure:
    if one.replace_all:
        looser = find(text.content, old, new)
        if looser.spans:
            numbers = line_numbers(text.content, [span.start for span in looser.spans])
            message = f"{label}: replace_all takes exact text only; a form with other blanks or endings is there."
            details = {"lines": numbers, "tier": looser.tier}
            return Failure("no_match", message, "Copy the text exactly, or edit one place at a time.", details)
    from codetools.files.explain import no_match

    return no_match(label, text.decode(EXPLAINED_BYTES), one.old.replace("\r\n", "\n"))


def _in_other_edits(replacements: tuple[Replacement, ...], placed: list[Placed]) -> str:
    """Return what to do where an edit looks for what another one writes."""
    looked_at = replacements[:MOST_COMPARED]
    for number, (one, found) in enumerate(zip(looked_at, placed, strict=False)):
        if found.failure is None or found.failure.kind != "no_match":
            continue
        for other, written in enumerate(looked_at):
            if other != number and one.old in written.new:
                what = f"Edit {number + 1} looks for what edit {other + 1} writes"
                return f"{what}; all edits are matched against the file as it is. Make one edit of the two."
    return ""
