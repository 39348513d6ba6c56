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
    changes = tuple(_change(files, one) for one in staged)
    images = {
        quoted(one.location.reached): [_hash_before(one), change.sha256, one.kind]
        for one, change in zip(staged, changes, strict=True)
    }
    return Prepared(staged, changes, images, files.workspace.root, files.limits)


def _change(files: Files, staged: Staged) -> Change:
    path = files.workspace.show(staged.location.reached)
    source = files.workspace.show(staged.source.reached) if staged.source is not None else None
    after = staged.content_after()
    shown = _diff(staged, path, files.limits.diff_chars)
    return Change(
        path=path,
        kind=staged.kind,
        diff=shown.text,
        additions=shown.additions,
        removals=shown.removals,
        sha256=None if after is None else hash_of(after),
        source=source,
    )


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


def _text(content: bytes | None) -> str | None:
    return None if content is None else detect(content).decode(content)


def _size(content: bytes | None) -> int | None:
    return None if content is None else len(content)


def _hash_before(staged: Staged) -> str | None:
    before: Document | None = staged.before
    return None if before is None else before.sha256
