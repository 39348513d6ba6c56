"""Taking back a group of changes: its opposite, staged like any other change."""

import os
import stat
from collections.abc import Callable

from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.files.files import Files
from codetools.files.staging import MAX_HELD_BYTES, Form, Stored
from codetools.state.changes import Entry, Group, PreImage


def stage_inverse(files: Files, group: Group, content_of: Callable[[str], bytes]) -> tuple[Path, ...]:
    """Stage the opposite of every change of a group, last first; return directories that stay, for others use them.

    `content_of` returns a pre-image by its hash. Raise `stale` where a path is no longer as the group left it.
    """
    kept: list[Path] = []
    contents = _Contents(content_of)
    for entry in reversed(group.entries):
        try:
            _INVERSES[entry.kind](files, entry, contents, kept)
        except Failure as failure:
            if failure.kind in ("not_found", "exists", "not_a_file", "is_a_directory"):
                raise _stale(files, entry) from None
            raise
    return tuple(kept)


class _Contents:
    """The pre-images of one undo; of many large files not all are held at once."""

    def __init__(self, load: Callable[[str], bytes]) -> None:
        self.load = load
        self._held_bytes = 0

    def restored(self, before: PreImage) -> bytes | Stored:
        """Return a content to be made again, or where it is from then on."""
        self._held_bytes += before.size
        if self._held_bytes > MAX_HELD_BYTES:
            return Stored(before.sha256, before.size, self.load)
        return self.load(before.sha256)


def _remove_created(files: Files, entry: Entry, contents: _Contents, kept: list[Path]) -> None:
    if entry.after_link is not None:
        is_same = files.look(entry.path).target == entry.after_link
    else:
        is_same = files.read(entry.path).sha256 == entry.after_sha256
    if not is_same:
        raise _stale(files, entry)
    files.delete(entry.path)


def _restore_content(files: Files, entry: Entry, contents: _Contents, kept: list[Path]) -> None:
    document = files.read(entry.path)
    if document.sha256 != entry.after_sha256:
        raise _stale(files, entry)
    before = _before(entry)
    content, mode = contents.load(before.sha256), stat.S_IMODE(before.mode)
    if entry.after_mode == before.mode:
        files.modify(document, content, Form(xattrs=before.xattrs))
    elif content != document.content or mode != stat.S_IMODE(document.mode):
        files.modify(document, content, Form(mode, before.xattrs))


def _restore_deleted(files: Files, entry: Entry, contents: _Contents, kept: list[Path]) -> None:
    before = _before(entry)
    form = Form(stat.S_IMODE(before.mode), before.xattrs)
    if stat.S_ISDIR(before.mode):
        files.mkdir(entry.path, form)
    elif before.link is not None:
        files.create(entry.path, b"", Form(link=before.link))
    else:
        files.create(entry.path, contents.restored(before), form)


def _move_back(files: Files, entry: Entry, contents: _Contents, kept: list[Path]) -> None:
    before = _before(entry)
    found = files.look(entry.path)
    if before.link is not None:
        is_same = found.target == before.link
    elif stat.S_ISDIR(before.mode):
        is_same = found.kind == "directory"
    else:
        is_same = files.read(entry.path).sha256 == before.sha256
    if not is_same:
        raise _stale(files, entry)
    assert entry.source is not None
    files.move(entry.path, entry.source)


def _remove_directory(files: Files, entry: Entry, contents: _Contents, kept: list[Path]) -> None:
    """Remove a directory that the group made, unless it holds something else by now."""
    if any(not files.is_gone(os.path.join(entry.path, other.name)) for other in files.list(entry.path)):
        kept.append(files.workspace.show(entry.path))
    else:
        files.delete(entry.path)


_INVERSES: dict[str, Callable[[Files, Entry, _Contents, list[Path]], None]] = {
    "create": _remove_created,
    "modify": _restore_content,
    "delete": _restore_deleted,
    "move": _move_back,
    "mkdir": _remove_directory,
}


def _before(entry: Entry) -> PreImage:
    if entry.before is None:
        raise Failure("io", f"The journal holds no copy of what {entry.path} was.")
    return entry.before


def _stale(files: Files, entry: Entry) -> Failure:
    shown = files.workspace.show(entry.path)
    message = f"{shown} is no longer as the change left it; nothing was undone."
    return Failure("stale", message, "Undo the later change first, or edit the file.", {"path": shown.printable()})
