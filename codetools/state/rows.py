"""Change groups as rows of the store, and back."""

import os
from typing import Any

from codetools.core.path import Path
from codetools.core.record import Record
from codetools.state import sqlite
from codetools.state.changes import Entry, Group, PreImage


class Header(Record):
    """A group about to be recorded. `owner` is the process that makes it, `size` the bytes of its pre-images.

    `undoes` are the groups that it undoes, newest first.
    """

    tool: str
    session: str | None
    root: str
    at: float
    undoes: tuple[str, ...]
    owner: str
    size: int


def insert_group(connection: sqlite.Connection, header: Header, entries: tuple[Entry, ...]) -> int:
    """Insert a group with the status intent; return its id."""
    undoes = [int(group_id) for group_id in header.undoes]
    row = None
    if undoes:
        row = connection.execute("SELECT depth + 1 FROM change_group WHERE id = ?", undoes[:1]).fetchone()
    cursor = connection.execute(
        "INSERT INTO change_group (tool, session, root, at, status, undoes, depth, owner, bytes)"
        " VALUES (?, ?, ?, ?, 'intent', ?, ?, ?, ?)",
        (
            header.tool,
            header.session,
            os.fsencode(header.root),
            header.at,
            undoes[0] if undoes else None,
            1 if len(undoes) > 1 else row[0] if row else 0,
            header.owner,
            header.size,
        ),
    )
    number = int(cursor.lastrowid or 0)
    values = [(number, position, *_entry_values(entry)) for position, entry in enumerate(entries)]
    connection.executemany(f"INSERT INTO entry VALUES ({', '.join('?' * 16)})", values)
    if undoes[1:]:
        connection.executemany("INSERT INTO undoing VALUES (?, ?)", [(number, other) for other in undoes[1:]])
    return number


def set_status(connection: sqlite.Connection, group_id: str, status: str) -> None:
    """Set a group's status."""
    connection.execute("UPDATE change_group SET status = ? WHERE id = ?", (status, int(group_id)))


def commit_group(connection: sqlite.Connection, group_id: str) -> None:
    """Mark a group as done, and what it undid as undone."""
    set_status(connection, group_id, "committed")
    undone = "SELECT undoes FROM change_group WHERE id = ? UNION SELECT undone_id FROM undoing WHERE group_id = ?"
    connection.execute(
        f"UPDATE change_group SET status = 'undone' WHERE id IN ({undone})", (int(group_id), int(group_id))
    )


def select_groups(
    connection: sqlite.Connection, where: str, values: tuple[object, ...], limit: int
) -> tuple[Group, ...]:
    """Return the groups that a WHERE clause selects, newest first."""
    found = connection.execute(
        f"SELECT id, tool, session, root, at, status, undoes FROM change_group {where} ORDER BY id DESC LIMIT ?",
        (*values, limit),
    ).fetchall()
    return tuple(
        Group(
            id=str(row[0]),
            tool=row[1],
            session=row[2],
            root=_path(row[3]),
            at=row[4],
            status=row[5],
            undoes=str(row[6]) if row[6] is not None else None,
            entries=_entries(connection, row[0]),
            also_undoes=_also_undoes(connection, row[0]),
        )
        for row in found
    )


def _also_undoes(connection: sqlite.Connection, number: int) -> tuple[str, ...]:
    found = connection.execute("SELECT undone_id FROM undoing WHERE group_id = ? ORDER BY undone_id DESC", (number,))
    return tuple(str(row[0]) for row in found)


def _entries(connection: sqlite.Connection, number: int) -> tuple[Entry, ...]:
    found = connection.execute("SELECT * FROM entry WHERE group_id = ? ORDER BY position", (number,))
    return tuple(_entry(row) for row in found)


def _entry_values(entry: Entry) -> tuple[object, ...]:
    before = entry.before
    return (
        os.fsencode(entry.path),
        entry.kind,
        _encoded(entry.source),
        before.sha256 if before else None,
        before.size if before else None,
        before.mode if before else None,
        _encoded(before.link) if before else None,
        _xattrs_text(before.xattrs) if before else None,
        entry.after_sha256,
        entry.after_mode,
        _encoded(entry.after_link),
        entry.additions,
        entry.removals,
        _encoded(entry.temporary),
    )


def _entry(row: tuple[Any, ...]) -> Entry:
    before = None
    if row[5] is not None:
        link = os.fsdecode(row[8]) if row[8] is not None else None
        before = PreImage(row[5], row[6], row[7], None, link, _xattrs(row[9]))
    return Entry(
        path=_path(row[2]),
        kind=row[3],
        source=_path(row[4]) if row[4] is not None else None,
        before=before,
        after_sha256=row[10],
        after_mode=row[11],
        after_link=os.fsdecode(row[12]) if row[12] is not None else None,
        additions=row[13],
        removals=row[14],
        temporary=_path(row[15]) if row[15] is not None else None,
    )


def _xattrs_text(xattrs: tuple[tuple[str, bytes], ...]) -> str:
    import json

    return json.dumps([[name, value.hex()] for name, value in xattrs]) if xattrs else ""


def _xattrs(text: str) -> tuple[tuple[str, bytes], ...]:
    import json

    return tuple((name, bytes.fromhex(value)) for name, value in json.loads(text)) if text else ()


def _encoded(text: str | None) -> bytes | None:
    return os.fsencode(text) if text is not None else None


def _path(raw: bytes) -> Path:
    return Path(os.fsdecode(raw))
