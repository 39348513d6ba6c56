"""Staged changes as the reader sees them, before anything is done: paths, diffs, hashes."""

from typing import Any

from codetools.core.limits import Limits
from codetools.core.outcome import Change
from codetools.core.path import Path, quoted
from codetools.core.record import Record
from codetools.files.diff import Diff, diff, size_diff
from codetools.files.document import Document, hash_of
from codetools.files.files import Files
from codetools.files.kind import kind_of
from codetools.files.staging import Staged
from codetools.files.text import detect

MOST_DIFFED_BYTES = 4 << 20  # of both sides together; a larger change is shown by its sizes
MOST_SHOWN_CHARS = 1 << 20  # of all diffs of one call; what files hold that go or come back after that is left out


class Prepared(Record):
    """What `commit` will do. `images` are each path's hashes before and after, which an approval is bound to."""

    staged: tuple[Staged, ...]
    changes: tuple[Change, ...]
    images: dict[str, Any]
    root: Path
    limits: Limits


def prepare(files: Files) -> Prepared:
    """Describe what is staged; nothing is changed."""
    staged = files.staged
    found: list[Change] = []
    left = MOST_SHOWN_CHARS
    for one in staged:
        found.append(_change(files, one, left))
        left -= len(found[-1].diff)
    changes = tuple(found)
    images: dict[str, Any] = {}
    for one, change in zip(staged, changes, strict=True):
        # a path stands twice where one object makes room for another
        images.setdefault(quoted(one.location.reached), []).extend([_hash_before(one), change.sha256, one.kind])
    return Prepared(staged, changes, images, files.workspace.root, files.limits)


def _change(files: Files, staged: Staged, left: int) -> Change:
    path = files.workspace.show(staged.location.reached)
    source = files.workspace.show(staged.source.reached) if staged.source is not None else None
    stored = staged.stored
    after = staged.content_after() if stored is None else None
    shown = _whole(files, staged, path, left) or _diff(staged, path, files.limits.diff_chars)
    return Change(
        path=path,
        kind=staged.kind,
        diff=shown.text,
        additions=shown.additions,
        removals=shown.removals,
        sha256=stored.sha256 if stored is not None else None if after is None else hash_of(after),
        source=source,
    )


def _whole(files: Files, staged: Staged, path: Path, left: int) -> Diff | None:
    """Return the sizes of a file that goes or comes back whole, where what it holds is not to be shown."""
    if staged.was != "file" and (staged.kind != "create" or staged.form.mode is None):
        return None
    before = staged.before.size if staged.kind == "delete" and staged.before is not None else None
    after = staged.size_after() if staged.kind == "create" else None
    if before is None and after is None:
        return None
    if not files.shows(staged.location):
        return Diff(size_diff("Hidden file", str(path), before, after), 0, 0)
    if left <= 0 or staged.stored is not None or (staged.before is not None and not staged.before.is_held):
        additions, removals = _lines(staged.content_after()), _lines(staged.before.content if staged.before else None)
        return Diff(size_diff("File", str(path), before, after), additions, removals)
    return None


def _diff(staged: Staged, path: Path, most_chars: int) -> Diff:
    after = staged.content if staged.form.link is None else None
    before = staged.before if staged.kind in ("modify", "delete") else None
    if staged.kind not in ("create", "modify", "delete") or (before is None and after is None):
        return Diff("", 0, 0)
    old = None if before is None else before.content
    parts = [content for content in (old, after) if content is not None]
    name = str(path)
    if any(kind_of(part).name != "text" for part in parts):
        return Diff(size_diff("Binary file", name, _size(old), _size(after)), 0, 0)
    if sum(map(len, parts)) > MOST_DIFFED_BYTES:
        return Diff(size_diff("Large file", name, _size(old), _size(after)), 0, 0)
    return diff(_text(old), _text(after), name, most_chars)


def _lines(content: bytes | None) -> int:
    """Count the lines of a text; nothing else has any."""
    if not content or kind_of(content).name != "text":
        return 0
    return content.count(b"\n") + (not content.endswith(b"\n"))


def _text(content: bytes | None) -> str | None:
    return None if content is None else detect(content).decode(content)


def _size(content: bytes | None) -> int | None:
    return None if content is None else len(content)


def _hash_before(staged: Staged) -> str | None:
    before: Document | None = staged.before
    return None if before is None else before.sha256
