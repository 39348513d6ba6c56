"""Whether a file is still what the caller has seen of it."""

from typing import TYPE_CHECKING

from codetools.core.errors import Failure
from codetools.files.document import Document

if TYPE_CHECKING:
    from codetools.state.marks import Marks


def refuse_stale(
    document: Document, shown: str, expected_sha256: str | None, marks: "Marks | None", session: str | None
) -> None:
    """Raise `stale` where a file's content is not the expected one, or not the one that this session has read.

    A file too large to be hashed when it was read is compared by size and time.
    """
    if expected_sha256 is not None and expected_sha256.lower() != document.sha256:
        details = {"expected": expected_sha256, "found": document.sha256}
        raise Failure("stale", f"{shown} does not have the expected SHA-256.", "Read it again.", details)
    if marks is None or session is None or document.is_staged:
        return
    seen = marks.mark(session, document.location.reached)
    if seen is None:
        return
    if seen.sha256:
        is_same = seen.sha256 == document.sha256
    else:
        is_same = (seen.mtime_ns, seen.size) == (document.mtime_ns, document.size)
    if not is_same:
        raise Failure("stale", f"{shown} has changed since this session read it.", "Read it again, then edit.")
