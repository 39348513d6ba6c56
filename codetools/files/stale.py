"""Whether a file is still what the caller has seen of it, and what has changed where it is not."""

from typing import TYPE_CHECKING

from codetools.core.errors import Failure
from codetools.files.document import Document, OpenFile

if TYPE_CHECKING:
    from codetools.core.path import Path
    from codetools.files.files import Files
    from codetools.state.marks import Mark, Marks

MOST_SHOWN_CHARS = 4000
MOST_COMPARED_BYTES = 1 << 20
AGAIN = "Read it again, then edit."


class Seen:
    """What one session has seen of the files. `must_be_read` is the setting `edit.require_read`."""

    def __init__(self, files: "Files", session: str | None, marks: "Marks | None", *, must_be_read: bool) -> None:
        self._files = files
        self._session = session
        self._marks = marks
        self._must_be_read = must_be_read

    def refuse_stale(self, document: Document, expected_sha256: str | None = None) -> None:
        """Raise `stale` where a file's content is not the expected one, or not the one that the session has read.

        A file too large to be hashed when it was read is compared by size and time.
        """
        shown = self._files.workspace.show(document.location.written)
        if expected_sha256 is not None and expected_sha256.lower() != document.sha256:
            details = {"expected": expected_sha256, "found": document.sha256}
            raise Failure(
                "stale", f"{shown.printable()} does not have the expected SHA-256.", "Read it again.", details
            )
        if document.is_staged:
            return
        mark = None
        if self._marks is not None and self._session is not None:
            mark = self._marks.mark(self._session, document.location.reached)
        if mark is None:
            if self._must_be_read and expected_sha256 is None:
                raise self._not_read(shown)
            return
        if mark.sha256:
            is_same = mark.sha256 == document.sha256
        else:
            is_same = (mark.mtime_ns, mark.size) == (document.mtime_ns, document.size)
        if not is_same:
            raise self._changed(document, shown, mark)

    def remember(
        self, file: OpenFile, held: bytes | None, sha256: str | None, size: int, first_line: int, last_line: int
    ) -> None:
        """Note what the session was shown of a file; of a small one that needs no leave to be shown, all it holds.

        `held` is all of it, where it was read whole.
        """
        from codetools.state.marks import KEPT_BYTES, Mark

        if self._marks is None or self._session is None:
            return
        mark = Mark(sha256 or "", file.mtime_ns, size, first_line, last_line)
        is_kept = held is not None and len(held) <= KEPT_BYTES and self._files.shows(file.location)
        content = held if is_kept else None
        self._marks.record(self._session, file.location.reached, mark, content)

    def _not_read(self, shown: "Path") -> Failure:
        if self._session is None:
            message = f"{shown.printable()}: edit.require_read is set, and without a session nothing counts as read."
            return Failure("stale", message, "Name one: --session ID, or CODETOOLS_SESSION.")
        import json

        call = f"read {json.dumps({'file_path': shown.printable()})}"
        return Failure("stale", f"{shown.printable()} has not been read in this session.", f"Read it first: {call}")

    def _changed(self, document: Document, shown: "Path", mark: "Mark") -> Failure:
        """Return the failure, with a diff where the content then was kept and may be shown."""
        message = f"{shown.printable()} has changed since this session read it."
        details = {"seen": mark.sha256 or None, "found": document.sha256}
        if not self._files.shows(document.location):
            return Failure("stale", message, AGAIN, details)
        change = self._change(document, shown, mark)
        if change is None:
            was = f"Of what it was, lines {mark.first_line} to {mark.last_line} had been read" if mark.last_line else ""
            text = f"{was or 'What it was'}{'; it' if was else ''} is not kept, so what changed is not shown."
            return Failure("stale", message, AGAIN, details, text=f"{message} {text} {AGAIN}")
        return Failure("stale", message, AGAIN, {**details, "diff": change}, text=f"{message} {AGAIN}\n{change}")

    def _change(self, document: Document, shown: "Path", mark: "Mark") -> str | None:
        from codetools.files.diff import diff
        from codetools.files.kind import kind_of
        from codetools.files.text import detect

        assert self._marks is not None
        assert self._session is not None
        old, new = self._marks.content(self._session, document.location.reached), document.content
        if old is None or len(new) > MOST_COMPARED_BYTES or any(kind_of(one).name != "text" for one in (old, new)):
            return None
        found = diff(detect(old).decode(old), detect(new).decode(new), str(shown), MOST_SHOWN_CHARS)
        return found.text.rstrip("\n") or None
