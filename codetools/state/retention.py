"""Undo reaches back so many days and bytes: the oldest groups go first, and their contents with them."""

import time
from typing import Any

from codetools.core.limits import Limits
from codetools.core.outcome import Notice
from codetools.core.record import Record
from codetools.state import sqlite
from codetools.state.blobs import Blobs
from codetools.state.store import Store

UPKEEP_SECONDS = 3600
DAY_SECONDS = 86400
APPROVALS_KEPT_SECONDS = 7 * DAY_SECONDS


class Measured(Record):
    """What a process last found, before `Store.added_bytes`: it holds until `version` tells that another one wrote.

    `version` is that of one connection.
    """

    connection: Any
    version: int
    total: int
    pruned_at: float | None

    def is_due(self, now: float) -> bool:
        """Whether the last pruning is an hour ago."""
        return self.pruned_at is None or not 0 <= now - self.pruned_at < UPKEEP_SECONDS


def prune_if_due(store: Store, blobs: Blobs, limits: Limits) -> None:
    """Drop what is beyond `journal_days` and `journal_bytes`, once an hour and whenever the bytes are too many."""
    now = time.time()
    found = store.read(lambda connection: _known(connection, store) or _measured(connection, store))
    if found.total + store.added_bytes > limits.journal_bytes:  # a content that was there before counted again
        found = store.read(lambda connection: _measured(connection, store))
    total, is_due = found.total, found.is_due(now)
    if total <= limits.journal_bytes and not is_due:
        return
    store.measured = None
    removed = store.write(lambda connection: _prune(connection, limits, now))
    if is_due:
        removed += blobs.saved()
        blobs.remove_litter(now - DAY_SECONDS)
    store.write(lambda connection: blobs.remove_unrecorded(connection, removed))
    if total > limits.journal_bytes:
        message = f"Undo copies exceeded limits.journal_bytes ({limits.journal_bytes}); the oldest were dropped."
        store.notices.append(Notice("undo", message))


def _known(connection: sqlite.Connection, store: Store) -> Measured | None:
    """Return what was measured before, unless somebody else has written since."""
    known: Measured | None = store.measured
    is_same = known is not None and known.connection is connection and known.version == _version(connection)
    return known if is_same else None


def _measured(connection: sqlite.Connection, store: Store) -> Measured:
    """Count what is kept; that takes time where there are many contents."""
    version = _version(connection)
    total = connection.execute("SELECT coalesce(sum(size), 0) FROM blob").fetchone()[0]
    last = connection.execute("SELECT at FROM upkeep WHERE name = 'prune'").fetchone()
    store.measured = Measured(connection, version, int(total), None if last is None else last[0])
    store.added_bytes = 0
    return store.measured  # type: ignore[no-any-return]


def _version(connection: sqlite.Connection) -> int:
    """Return a number that changes when another connection has written."""
    return int(connection.execute("PRAGMA data_version").fetchone()[0])


def _prune(connection: sqlite.Connection, limits: Limits, now: float) -> list[str]:
    oldest = now - limits.journal_days * DAY_SECONDS
    connection.execute("DELETE FROM change_group WHERE at < ? AND status <> 'intent'", (oldest,))
    _drop_over_bytes(connection, limits.journal_bytes)
    dropped = "FROM entry WHERE group_id NOT IN (SELECT id FROM change_group)"
    no_longer_used = _column(connection, f"SELECT DISTINCT before_sha256 {dropped} AND before_sha256 NOT NULL")
    connection.execute(f"DELETE {dropped}")
    # a content kept ahead of `begin` is in no entry yet
    no_longer_used += _column(connection, f"SELECT sha256 FROM blob WHERE at < {now - DAY_SECONDS}")
    removed = [sha256 for sha256 in no_longer_used if not _is_used(connection, sha256)]
    connection.executemany("DELETE FROM blob WHERE sha256 = ?", [(sha256,) for sha256 in removed])
    connection.execute("DELETE FROM mark WHERE at < ?", (oldest,))
    connection.execute("DELETE FROM session_rule WHERE at < ?", (oldest,))
    connection.execute("DELETE FROM approval WHERE expires < ?", (now - APPROVALS_KEPT_SECONDS,))
    connection.execute("INSERT OR REPLACE INTO upkeep VALUES ('prune', ?)", (now,))
    return removed


def _drop_over_bytes(connection: sqlite.Connection, most: int) -> None:
    kept = 0
    found = connection.execute("SELECT id, bytes, status FROM change_group ORDER BY id DESC").fetchall()
    for number, size, status in found:
        kept += size
        if kept > most and status != "intent":
            connection.execute("DELETE FROM change_group WHERE id = ?", (number,))


def _is_used(connection: sqlite.Connection, sha256: str) -> bool:
    return connection.execute("SELECT 1 FROM entry WHERE before_sha256 = ?", (sha256,)).fetchone() is not None


def _column(connection: sqlite.Connection, query: str) -> list[str]:
    return [row[0] for row in connection.execute(query)]
