"""After a crash: which changes of an open group were made is read from the files; no file is ever rewritten here."""

import os
import sqlite3
import stat
from typing import Literal

from codetools.core.outcome import Notice
from codetools.state import rows
from codetools.state.alive import is_alive
from codetools.state.changes import Entry, Group
from codetools.state.store import Store

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
    not_made = [position for position, entry in enumerate(group.entries) if _made(entry) == "no"]
    total = len(group.entries)

    def settle(connection: sqlite3.Connection) -> None:
        if len(not_made) == total:
            rows.set_status(connection, group.id, "aborted")
            return
        for position in not_made:
            connection.execute("DELETE FROM entry WHERE group_id = ? AND position = ?", (int(group.id), position))
        rows.commit_group(connection, group.id)

    store.write(settle)
    if 0 < len(not_made) < total:
        made = total - len(not_made)
        message = f"{group.tool} (undo id {group.id}) was cut off: {made} of {total} changes had been made."
        store.notices.append(Notice("recovered", message))


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
