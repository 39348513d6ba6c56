"""Which commands ran, by the audit: what they changed is in no journal."""

import json
import os
from collections.abc import Iterator
from typing import Any

from codetools.core.record import Record
from codetools.state.audit import NAME, ROTATED_FILES

COMMAND_TOOLS = ("bash", "exec")
OTHER_PREFIX = "mcp__"
MAX_BYTES = 64 << 20  # of the newest lines that are looked through
_DID_NOT_RUN = ("approval_required", "denied", "banned", "protected", "outside_workspace", "usage", "config")


class Ran(Record):
    """One command or foreign tool that ran. `at` is in seconds since the epoch."""

    at: float
    tool: str
    command: str


def commands_that_ran(home: str, root: str, session: str | None = None, since: float = 0.0) -> list[Ran]:
    """Return what ran in a workspace and may have changed files there, oldest first.

    Left out is what the kernel held to reading. Lines that cannot be read are passed over.
    """
    found = []
    for line in _lines(home):
        if session is not None and json.dumps(session).encode() not in line:
            continue
        if not any(name in line for name in (b'"bash"', b'"exec"', b'"mcp__')):
            continue
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and row.get("root") == root and (ran := _ran(row, session, since)):
            found.append(ran)
    return found


def _ran(row: dict[str, Any], session: str | None, since: float) -> Ran | None:
    tool, what, at = str(row.get("tool")), str(row.get("what", "")), row.get("at")
    if not isinstance(at, float) or at < since or (session is not None and row.get("session") != session):
        return None
    if row.get("error") in _DID_NOT_RUN or row.get("decision") == "deny":
        return None
    if tool.startswith(OTHER_PREFIX):
        return Ran(at, tool, tool) if what == "call" else None
    was_enforced = row.get("decision") == "allow" and row.get("rule") is None
    if tool not in COMMAND_TOOLS or not what.startswith("run ") or was_enforced:
        return None
    return Ran(at, tool, what.removeprefix("run "))


def _lines(home: str) -> Iterator[bytes]:
    """Yield the audit's lines, oldest first, of its newest MAX_BYTES."""
    names = [NAME, *(f"{NAME}.{number}" for number in range(1, ROTATED_FILES + 1))]
    left = MAX_BYTES
    parts = []
    for name in names:
        if left <= 0:
            break
        try:
            with open(os.path.join(home, name), "rb") as file:
                size = os.fstat(file.fileno()).st_size
                file.seek(max(0, size - left))
                content = file.read(left)
        except OSError:
            break
        parts.append(content if size <= left else content.partition(b"\n")[2])
        left -= len(content)
    for content in reversed(parts):
        yield from content.split(b"\n")
