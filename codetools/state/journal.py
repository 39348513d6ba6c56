"""What every change replaced, on the disk before the change is made: the source of undo."""

import os
import stat
import time
from collections.abc import Callable

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.outcome import Notice
from codetools.state import rows, sqlite
from codetools.state.alive import this_process
from codetools.state.blobs import Blobs
from codetools.state.changes import Entry, Group, PreImage
from codetools.state.recovery import recover
from codetools.state.retention import prune_if_due
from codetools.state.store import Store

DEFAULT_LIMITS = Limits()

__all__ = ["Entry", "Group", "Journal", "PreImage"]


class Journal:
    """The change groups of one store. Recovery of what dead processes left open runs before anything is returned."""

    def __init__(self, store: Store, limits: Limits = DEFAULT_LIMITS) -> None:
        self.store = store
        self._limits = limits
        self._blobs = Blobs(store)

    def begin(
        self,
        tool: str,
        session: str | None,
        root: str,
        entries: tuple[Entry, ...],
        undoes: str | tuple[str, ...] | None = None,
    ) -> str:
        """Record what is about to change and return the group's id; on return every pre-image is on the disk.

        `undoes` is the group that these changes take back, or several, newest first. Raises `io`, with nothing
        recorded, where the pre-images do not fit `limits.journal_bytes` or cannot be written. The caller then changes
        nothing.
        """
        contents = _contents(entries)
        size = _size(entries)
        if size > self._limits.journal_bytes:
            message = f"Undo copies of {size} bytes do not fit limits.journal_bytes, {self._limits.journal_bytes}."
            raise Failure("io", message, "Raise that limit in your settings, or change fewer files at once.")
        for sha256, content in contents.items():
            self._blobs.save(sha256, content)

        def record(connection: sqlite.Connection) -> int:
            for sha256, content in contents.items():
                self._blobs.record(connection, sha256, content)
            for entry in entries:
                if entry.before is None or entry.before.sha256 not in contents:
                    self._require_pre_image(connection, entry)
            undone = () if undoes is None else (undoes,) if isinstance(undoes, str) else undoes
            group = rows.Header(tool, session, root, time.time(), undone, this_process(), size)
            return rows.insert_group(connection, group, entries)

        return str(self.store.write(record, durable=True))

    def keep(self, content: bytes) -> str:
        """Store one content ahead of `begin` and return its hash, so that not all of them need be in memory at once."""
        import hashlib

        sha256 = hashlib.sha256(content).hexdigest()
        self._blobs.save(sha256, content)
        self.store.write(lambda connection: self._blobs.record(connection, sha256, content))
        return sha256

    def commit(self, group_id: str, also: Callable[[sqlite.Connection], None] = lambda connection: None) -> None:
        """Mark a group as done. Lost in a power cut, it is found done again by comparing the files.

        `also` is what goes into the same transaction.
        """

        def record(connection: sqlite.Connection) -> None:
            rows.commit_group(connection, group_id)
            also(connection)

        self.store.write(record)
        try:
            prune_if_due(self.store, self._blobs, self._limits)
        except (Failure, OSError) as error:  # the change stands, whatever becomes of old undo copies
            self.store.notices.append(Notice("undo", f"old undo copies were not removed: {error}"))

    def abort(self, group_id: str) -> None:
        """Mark a group as not done: every file is as before."""
        self.store.write(lambda connection: rows.set_status(connection, group_id, "aborted"))

    def group(self, group_id: str) -> Group | None:
        """Return one group, or None where there is none of that id."""
        if not group_id.isdecimal() or len(group_id) > 18:
            return None
        found = self._select("WHERE id = ?", (int(group_id),), 1)
        return found[0] if found else None

    def latest(self, root: str, session: str | None = None) -> Group | None:
        """Return what the next undo takes back: the newest change, or redone change, that stands."""
        where = "WHERE root = ? AND status = 'committed' AND depth % 2 = 0 AND (? IS NULL OR session = ?)"
        found = self._select(where, (os.fsencode(root), session, session), 1)
        return found[0] if found else None

    def groups(
        self, root: str, path: str | None = None, session: str | None = None, limit: int | None = 50
    ) -> tuple[Group, ...]:
        """Return the groups of a workspace, newest first; of one absolute path and what is below it, or one session.

        Without a `limit`, all of them.
        """
        where, values = "WHERE root = ? AND (? IS NULL OR session = ?)", [os.fsencode(root), session, session]
        if path is not None:
            start = os.fsencode(path.rstrip("/"))
            touches = "({0} = ? OR ({0} >= ? AND {0} < ?))"
            where += (
                f" AND id IN (SELECT group_id FROM entry WHERE {touches.format('path')} OR {touches.format('source')})"
            )
            values += [start, start + b"/", start + b"0"] * 2  # '0' follows '/'
        return self._select(where, tuple(values), -1 if limit is None else limit)

    def has(self, sha256: str) -> bool:
        """Whether a content is recorded."""
        return self.store.read(lambda connection: self._blobs.has(connection, sha256))

    def content(self, sha256: str) -> bytes:
        """Return a pre-image's bytes; raise `io` where they are gone or damaged."""
        return self._blobs.content(sha256)

    def recover(self) -> None:
        """Settle the groups whose process died between `begin` and `commit`, by looking at their files."""
        recover(self.store)

    def _select(self, where: str, values: tuple[object, ...], limit: int) -> tuple[Group, ...]:
        self.recover()
        return self.store.read(lambda connection: rows.select_groups(connection, where, values, limit))

    def _require_pre_image(self, connection: sqlite.Connection, entry: Entry) -> None:
        before = entry.before
        if before is None or entry.kind not in ("modify", "delete"):
            return
        if before.link is not None or stat.S_ISDIR(before.mode):
            return
        if not self._blobs.has(connection, before.sha256):
            raise ValueError(f"{entry.kind} of {entry.path} without its content")


def _size(entries: tuple[Entry, ...]) -> int:
    """Return the bytes of all pre-images, those among them that were kept ahead."""
    recorded = (entry.before for entry in entries if entry.before is not None and entry.kind in ("modify", "delete"))
    return sum({before.sha256: before.size for before in recorded}.values())


def _contents(entries: tuple[Entry, ...]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for entry in entries:
        if entry.before is not None and entry.before.content is not None:
            found[entry.before.sha256] = entry.before.content
    return found
