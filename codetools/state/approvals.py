"""Calls that wait for a person's word, and the word: good for one run of exactly that call."""

import os
import time
from typing import Any, Literal

from codetools.core.path import Path
from codetools.core.record import Record
from codetools.state import sqlite
from codetools.state.store import Store

VALID_SECONDS = 3600.0
_POLL_SECONDS = 0.1
_COLUMNS = (
    "id, digest, tool, arguments_json, root, session, operation, preview, suggested_rule, files_json,"
    " created, expires, state, decided_by"
)


class Approval(Record):
    """One call that was asked about. `digest` names the call; `files_json` holds the files' hashes it was shown with.

    `suggested_rule` is the narrowest rule that would allow it. `created` and `expires` are seconds since the epoch.
    """

    id: str
    digest: str
    tool: str
    arguments_json: str
    root: Path
    session: str | None
    operation: str
    preview: str
    suggested_rule: str | None
    files_json: str
    created: float
    expires: float
    state: Literal["waiting", "approved", "spent", "denied"]
    decided_by: str | None = None

    @property
    def is_expired(self) -> bool:
        """Whether its hour is over."""
        return time.time() >= self.expires


class ApprovalStore:
    """The approvals of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def ask(
        self,
        digest: str,
        tool: str,
        arguments_json: str,
        root: str,
        session: str | None,
        operation: str,
        preview: str,
        suggested_rule: str | None,
        files_json: str,
    ) -> Approval:
        """Record a call that needs a word, and return it with its id.

        The same call, shown with the same files, that is already waiting keeps its id and gets its hour anew.
        """
        now = time.time()
        fresh = (
            digest,
            tool,
            arguments_json,
            os.fsencode(root),
            session,
            operation,
            preview,
            suggested_rule,
            files_json,
        )

        def record(connection: sqlite.Connection) -> Approval:
            where = (
                "digest = ? AND files_json = ? AND preview = ? AND session IS ? AND state = 'waiting' AND expires > ?"
            )
            values = (digest, files_json, preview, session, now)
            row = connection.execute(f"SELECT id FROM approval WHERE {where}", values).fetchone()
            if row is not None:
                connection.execute("UPDATE approval SET expires = ? WHERE id = ?", (now + VALID_SECONDS, row[0]))
                found = _find(connection, row[0])
                assert found is not None
                return found
            number = os.urandom(10).hex()
            row = (number, *fresh, now, now + VALID_SECONDS, "waiting", None)
            connection.execute(f"INSERT INTO approval ({_COLUMNS}) VALUES ({', '.join('?' * 14)})", row)
            return _approval(row)

        return self._store.write(record)

    def find(self, approval_id: str) -> Approval | None:
        """Return an approval by its id, in whatever state."""
        return self._store.read(lambda connection: _find(connection, approval_id))

    def approved(self, digest: str) -> tuple[Approval, ...]:
        """Return what a person approved of this call and was not used yet, newest first."""
        return self._select("digest = ? AND state = 'approved' AND expires > ?", (digest, time.time()))

    def waiting(self) -> tuple[Approval, ...]:
        """Return what waits for a word, newest first."""
        return self._select("state = 'waiting' AND expires > ?", (time.time(),))

    def mark_approved(self, approval_id: str, by: str) -> bool:
        """Let the same call, repeated, run once; False where it does not wait, or no longer."""
        return self._decide(approval_id, "approved", by)

    def mark_denied(self, approval_id: str, by: str) -> bool:
        """Refuse a waiting call; False where it does not wait, or no longer."""
        return self._decide(approval_id, "denied", by)

    def spend(self, approval_id: str) -> bool:
        """Use an approval up, durably, so that it cannot be replayed: True for exactly one caller, within its hour."""
        query = "UPDATE approval SET state = 'spent' WHERE id = ? AND state IN ('waiting', 'approved') AND expires > ?"
        values = (approval_id, time.time())
        return self._store.write(lambda connection: connection.execute(query, values).rowcount == 1, durable=True)

    def wait(self, approval_id: str, deadline: float) -> Approval | None:
        """Return the approval once a person has decided, its hour is over, or `deadline` (monotonic) has passed."""
        while True:
            found = self.find(approval_id)
            left = deadline - time.monotonic()
            if found is None or found.state != "waiting" or found.is_expired or left <= 0:
                return found
            time.sleep(min(_POLL_SECONDS, left))

    def _decide(self, approval_id: str, state: str, by: str) -> bool:
        query = "UPDATE approval SET state = ?, decided_by = ? WHERE id = ? AND state = 'waiting' AND expires > ?"
        values = (state, by, approval_id, time.time())
        return self._store.write(lambda connection: connection.execute(query, values).rowcount == 1)

    def _select(self, where: str, values: tuple[object, ...]) -> tuple[Approval, ...]:
        query = f"SELECT {_COLUMNS} FROM approval WHERE {where} ORDER BY created DESC, id"
        return self._store.read(lambda connection: tuple(map(_approval, connection.execute(query, values))))


def _find(connection: sqlite.Connection, approval_id: str) -> Approval | None:
    row = connection.execute(f"SELECT {_COLUMNS} FROM approval WHERE id = ?", (approval_id,)).fetchone()
    return _approval(row) if row else None


def _approval(row: tuple[Any, ...]) -> Approval:
    values: dict[str, Any] = dict(zip(Approval.record_fields, row, strict=True))
    values["root"] = Path(os.fsdecode(values["root"]))
    return Approval(**values)
