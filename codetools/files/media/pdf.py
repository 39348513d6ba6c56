"""Pages of a PDF as text."""

import re
from collections.abc import Callable

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.outcome import Notice
from codetools.core.record import Record
from codetools.files.media.child import decode, is_installed, missing

PAGE_RANGE = r"\s*(\d{1,6})\s*(-)?\s*(\d{1,6})?\s*"


class Pages(Record):
    """The text of some pages, the last of which is `last`; `total` is how many there are."""

    text: str
    first: int
    last: int
    total: int
    notices: tuple[Notice, ...]


def pages_of(content: bytes, shown: str, wanted: str | None, limits: Limits, check: Callable[[], None]) -> Pages:
    """Return the pages that were asked for, as many as fit; raise `usage`, `binary`, `timeout` or `unavailable`."""
    first, most = asked(wanted)
    if not is_installed("pypdf"):
        raise missing(f"{shown}, a PDF,")
    last = min(most, first + limits.pdf_pages - 1)
    job = {"do": "pdf", "first": first, "last": last, "chars": limits.read_chars}
    facts = decode(job, content, shown, limits, check).facts
    texts, total = facts["texts"], facts["total"]
    notices = []
    if not texts:
        notices.append(Notice("past_end", f"{shown} has {total:,} pages; there is none at {first}."))
    empty = [number for number, text in enumerate(texts, first) if text is not None and not text.strip()]
    if empty:
        notices.append(Notice("no_text", f"no text on page {_listed(empty)} of {shown}: perhaps scanned or drawn"))
    unread = [number for number, text in enumerate(texts, first) if text is None]
    if unread:
        notices.append(Notice("unreadable", f"page {_listed(unread)} of {shown} is damaged or too large to be decoded"))
    blocks = [f"--- page {number} of {total} ---\n{(text or '').strip()}\n" for number, text in enumerate(texts, first)]
    return Pages("".join(blocks), first, first + len(texts) - 1, total, tuple(notices))


def asked(wanted: str | None) -> tuple[int, int]:
    """Return the first and the last page of a range such as `3`, `1-5` or `7-`; raise `usage`."""
    if not wanted:
        return 1, 10**6
    match = re.fullmatch(PAGE_RANGE, wanted)
    if match is not None:
        first = int(match[1])
        last = int(match[3]) if match[3] else 10**6 if match[2] else first
        if 1 <= first <= last and (match[2] or not match[3]):
            return first, last
    raise Failure("usage", f"{wanted!r} is not a range of pages.", "For example: 3, 1-5 or 7-.")


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))
