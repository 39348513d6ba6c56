"""What a path has become since a first state: one file's part of the diff of a whole session."""

from collections.abc import Iterator

from codetools.core.errors import Failure
from codetools.core.path import Path, quoted
from codetools.core.record import Record
from codetools.files.diff import diff, size_diff
from codetools.files.document import hash_of
from codetools.files.files import Files
from codetools.files.kind import kind_of
from codetools.files.net import After, Spot, after_of
from codetools.files.prepare import MOST_DIFFED_BYTES
from codetools.files.text import detect
from codetools.state.journal import Journal


class Since(Record):
    """One path's net change. `kind` is hidden where its content may not be shown unasked.

    `source` is the former name of a file that was moved. `is_foreign` is whether the present state is not the one that
    the recorded changes left: a command, a person or another session was there.
    """

    path: Path
    kind: str
    diff: str = ""
    additions: int = 0
    removals: int = 0
    source: Path | None = None
    is_foreign: bool = False


class Present(Record):
    """What stands at a path now. `content` is None for all but files small enough to compare."""

    after: After | None
    content: bytes | None = None
    size: int = 0


def changes_since(files: Files, spots: tuple[Spot, ...], journal: Journal, most_chars: int) -> list[Since]:
    """Return the net change of every path that has one, by name; a file moved unchanged is one change, not two."""
    may_show = {spot.path: files.may_show(spot.path) for spot in spots}
    shown = [spot for spot in spots if may_show[spot.path]]
    hidden = [spot for spot in spots if not may_show[spot.path]]
    present = {spot.path: present_of(files, spot.path) for spot in shown}
    moved = _moved(shown, present)
    found = [Since(files.workspace.show(spot.path), "hidden") for spot in hidden]
    for spot in shown:
        if spot.path in moved.values():
            continue
        now = present[spot.path]
        is_foreign = not _is_same(spot.last, now.after)
        if spot.path in moved:
            old, new = files.workspace.show(moved[spot.path]), files.workspace.show(spot.path)
            text = f"rename from {quoted(old)}\nrename to {quoted(new)}\n"
            found.append(Since(new, "move", text, source=old, is_foreign=is_foreign))
        elif (one := _change(files, spot, now, journal, most_chars)) is not None:
            found.append(one.but(is_foreign=is_foreign))
    return sorted(found, key=lambda one: one.path)


def present_of(files: Files, path: Path) -> Present:
    """Return what stands at an absolute path free of links now; what cannot be read counts as unknown content."""
    try:
        entry = files.look(path)
    except Failure as failure:
        if failure.kind == "not_found":
            return Present(None)
        raise
    if entry.kind == "link":
        return Present(After("link", link=entry.target))
    if entry.kind != "file":
        return Present(After("directory" if entry.kind == "directory" else entry.kind))
    if entry.size > MOST_DIFFED_BYTES:
        with files.open(path) as file:
            return Present(After("file", _hash_of(file.chunks())), None, entry.size)
    content = files.read(path, MOST_DIFFED_BYTES).content
    return Present(After("file", hash_of(content)), content, len(content))


def _moved(spots: list[Spot], present: dict[Path, Present]) -> dict[Path, Path]:
    """Return the files that stand under another name now, unchanged: new name to old."""
    gone: dict[str, list[Path]] = {}
    for spot in spots:
        if spot.first is not None and spot.first.sha256 and present[spot.path].after is None:
            gone.setdefault(spot.first.sha256, []).append(spot.path)
    found: dict[Path, Path] = {}
    for spot in spots:
        now = present[spot.path].after
        if spot.first is None and now is not None and now.kind == "file" and gone.get(now.sha256):
            found[spot.path] = gone[now.sha256].pop()
    return found


def _change(files: Files, spot: Spot, now: Present, journal: Journal, most_chars: int) -> Since | None:
    was = after_of(spot.first)
    if _is_same(was, now.after):
        return None
    path = files.workspace.show(spot.path)
    name = str(path)
    old_kind, new_kind = was.kind if was else None, now.after.kind if now.after else None
    kind = "create" if was is None else "delete" if now.after is None else "modify"
    if "file" not in (old_kind, new_kind):
        return Since(
            path, "mkdir" if (kind, new_kind) == ("create", "directory") else kind, _plain(name, was, now.after)
        )
    old = _old_content(spot, journal) if old_kind == "file" else None
    old_size = spot.first.size if spot.first is not None and old_kind == "file" else None
    new_size = now.size if new_kind == "file" else None
    is_known = (old_size is None or old is not None) and (new_size is None or now.content is not None)
    parts = [content for content in (old, now.content) if content is not None]
    if not is_known or sum(map(len, parts)) > MOST_DIFFED_BYTES:
        return Since(path, kind, size_diff("File", name, old_size, new_size))
    if any(kind_of(part).name != "text" for part in parts):
        return Since(path, kind, size_diff("Binary file", name, old_size, new_size))
    found = diff(_text(old), _text(now.content), name, most_chars)
    return Since(path, kind, found.text or size_diff("File", name, old_size, new_size), found.additions, found.removals)


def _old_content(spot: Spot, journal: Journal) -> bytes | None:
    if spot.first is None or spot.first.size > MOST_DIFFED_BYTES or not journal.has(spot.first.sha256):
        return None
    try:
        return journal.content(spot.first.sha256)
    except Failure:
        return None  # dropped by the journal's limits: its size is still known


def _plain(name: str, was: After | None, now: After | None) -> str:
    """Return one line for a change that is no change of a file's content."""
    return f"{quoted(name)}: {_object(was)} becomes {_object(now)}.\n"


def _object(state: After | None) -> str:
    if state is None:
        return "nothing"
    return f"a link to {quoted(state.link)}" if state.link is not None else f"a {state.kind}"


def _is_same(one: After | None, other: After | None) -> bool:
    if one is None or other is None:
        return one is other
    return (one.kind, one.sha256, one.link) == (other.kind, other.sha256, other.link)


def _text(content: bytes | None) -> str | None:
    return None if content is None else detect(content).decode(content)


def _hash_of(chunks: Iterator[bytes]) -> str:
    import hashlib

    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()
