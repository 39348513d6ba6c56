"""After a crash: which changes of an open group were made is read from the files; only temporary ones are removed."""

import os
import stat
from typing import Literal

from codetools.core.outcome import Notice
from codetools.core.path import Path
from codetools.state import rows, sqlite
from codetools.state.alive import is_alive
from codetools.state.changes import Entry, Group, rebased
from codetools.state.store import Store
from codetools.system.replace import is_temporary

_CHUNK_BYTES = 1 << 20


def recover(store: Store) -> None:
    """Settle every open group whose process is dead: committed with the entries that were made, or aborted."""
    owners = store.read(
        lambda connection: connection.execute("SELECT id, owner FROM change_group WHERE status = 'intent'").fetchall()
    )
    for number, owner in owners:
        if is_alive(owner):
            continue
        found = store.read(lambda connection: rows.select_groups(connection, "WHERE id = ?", (number,), 1))  # noqa: B023
        if found:
            _settle(store, found[0])


def _settle(store: Store, group: Group) -> None:
    carried = _carried(group.entries)
    states = [_made(entry) for entry in carried]
    not_made = [position for position, state in enumerate(states) if state == "no"]
    total = len(group.entries)

    def settle(connection: sqlite.Connection) -> None:
        if len(not_made) == total:
            rows.set_status(connection, group.id, "aborted")
            return
        for position in not_made:
            connection.execute("DELETE FROM entry WHERE group_id = ? AND position = ?", (int(group.id), position))
        rows.commit_group(connection, group.id)

    for entry, state in zip(carried, states, strict=True):
        if entry.temporary is not None and not _sweep(entry, state != "no"):
            message = f"{entry.path}: another program wrote to it at that moment; that is kept as {entry.temporary}"
            store.notices.append(Notice("left_over", message))
    store.write(settle)
    if 0 < len(not_made) < total:
        made = total - len(not_made)
        message = f"{group.tool} (undo id {group.id}) was cut off: {made} of {total} changes had been made."
        store.notices.append(Notice("recovered", message))


def _carried(entries: tuple[Entry, ...]) -> list[Entry]:
    """Return entries by the paths at which they are to be found: directories that were moved after took them along."""
    found: list[Entry] = []
    later: list[Entry] = []
    for entry in reversed(entries):
        for move in later:
            entry = entry.but(
                path=_moved(entry.path, move),
                source=_moved(entry.source, move) if entry.source is not None else None,
                temporary=_moved(entry.temporary, move) if entry.temporary is not None else None,
            )
        found.append(entry)
        is_directory = entry.before is not None and stat.S_ISDIR(entry.before.mode)
        if entry.kind == "move" and is_directory and _made(entry) == "yes":
            later.insert(0, entry)
    return found[::-1]


def _moved(path: Path, move: Entry) -> Path:
    return path if move.source is None else rebased(path, move.source, move.path) or path


def _sweep(entry: Entry, may_be_made: bool) -> bool:
    """Remove what was laid beside a path; return False where it holds what only it holds."""
    path = entry.temporary or ""
    if not is_temporary(os.path.basename(path)):
        return True
    try:
        is_content = entry.before is not None and stat.S_ISREG(os.lstat(path).st_mode)
        if may_be_made and is_content and _hash(path) not in _hashes(entry):
            return False
        os.unlink(path)
    except IsADirectoryError:
        import shutil

        shutil.rmtree(path, ignore_errors=True)
    except OSError:
        pass  # gone, mostly
    return True


def _hashes(entry: Entry) -> tuple[str | None, ...]:
    return (entry.before.sha256 if entry.before is not None else None, entry.after_sha256)


def _made(entry: Entry) -> Literal["yes", "no", "unknown"]:
    if entry.kind == "move":
        return "no" if entry.source is not None and os.path.lexists(entry.source) else "yes"
    now = _state(entry.path)
    before = entry.before
    if before is None:
        was: object = None
    elif before.link is not None:
        was = ("link", before.link)
    elif stat.S_ISDIR(before.mode):
        was = "directory"
    else:
        was = ("file", before.sha256)
    # a file that has neither state was changed by someone since; its undo will say so
    if now == _after(entry):
        return "yes"
    return "no" if now == was else "unknown"


def _after(entry: Entry) -> object:
    if entry.kind == "delete":
        return None
    if entry.kind == "mkdir":
        return "directory"
    return ("link", entry.after_link) if entry.after_link is not None else ("file", entry.after_sha256)


def _state(path: str) -> object:
    try:
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode):
            return ("link", os.readlink(path))
        if stat.S_ISDIR(found.st_mode):
            return "directory"
        return ("file", _hash(path)) if stat.S_ISREG(found.st_mode) else "other"
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return "unreadable"


def _hash(path: str) -> str:
    import hashlib

    digest = hashlib.sha256()
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    with open(descriptor, "rb", buffering=0) as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()
