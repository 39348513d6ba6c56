"""Lists the rules in force, and the calls that wait for a person's word."""

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby

from codetools.cli.handmade import WHERE, handmade
from codetools.core.outcome import Result, Span
from codetools.core.record import Record
from codetools.engine.engine import STORE_NAME, Engine, start
from codetools.engine.options import Options
from codetools.render.escape import escape_line

Lines = list[tuple[Span, ...]]
ROLES = {"allow": "good", "deny": "bad"}


class Params(Record):
    """Nothing to say."""


class Row(Record):
    """One rule."""

    rule: str
    effect: str
    origin: str


class Waiting(Record):
    """One call that was asked about; `asked` and `expires` are ISO 8601."""

    id: str
    tool: str
    operation: str
    root: str
    asked: str
    expires: str
    age_seconds: int


class Permissions(Result):
    """What is allowed and denied beyond the defaults, and what waits."""

    rules: tuple[Row, ...]
    waiting: tuple[Waiting, ...]
    yolo: str | None

    def text(self) -> str:
        """Return one line per rule and per waiting call."""
        lines = [f"{row.effect:5} {row.rule}  # {row.origin}" for row in self.rules] or ["no rules: the defaults hold"]
        if self.yolo:
            lines.append(f"yolo  nothing is asked  # {self.yolo}")
        for root, rows in self._waiting_by_workspace():
            lines.append(f"waiting in {escape_line(root)}")
            lines += [f"  {row.id} {_age(row.age_seconds)} {escape_line(row.operation)}" for row in rows]
        return "\n".join(lines)

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the same in columns."""
        column = Span("", "column")
        lines: Lines = [
            (Span(row.effect, ROLES[row.effect]), column, Span(row.rule), column, Span(row.origin, "dim"))
            for row in self.rules
        ]
        if self.yolo:
            lines.append((Span("yolo", "warning"), column, Span("nothing is asked"), column, Span(self.yolo, "dim")))
        lines = lines or [(Span("no rules: the defaults hold", "dim"),)]
        for root, rows in self._waiting_by_workspace():
            lines.append((Span("waiting in ", "warning"), Span(root, "path")))
            lines += [
                (Span(f"  {row.id}"), column, Span(_age(row.age_seconds), "dim"), column, Span(row.operation))
                for row in rows
            ]
        return tuple(lines)

    def _waiting_by_workspace(self) -> Iterator[tuple[str, Iterator[Waiting]]]:
        return groupby(sorted(self.waiting, key=lambda row: row.root), key=lambda row: row.root)


@handmade(
    examples=("codetools permissions list", "codetools permissions list --json"), options=(*WHERE, "session", "yolo")
)
def list(params: Params, options: Options) -> Permissions:
    """List the rules in force with where each comes from, and the calls that wait for approval."""
    engine = start(options)
    rules = tuple(Row(rule.text, rule.effect, rule.origin) for rule in engine.policy.rules)
    return Permissions(rules, _waiting(engine), engine.policy.yolo)


def _waiting(engine: Engine) -> tuple[Waiting, ...]:
    if not os.path.exists(os.path.join(engine.home, STORE_NAME)):
        return ()
    from codetools.state.approvals import ApprovalStore

    return tuple(
        Waiting(
            row.id,
            row.tool,
            row.operation,
            row.root.printable(),
            _moment(row.created),
            _moment(row.expires),
            max(0, int(time.time() - row.created)),
        )
        for row in ApprovalStore(engine.store()).waiting()
    )


def _age(seconds: int) -> str:
    return f"{seconds} s ago" if seconds < 60 else f"{seconds // 60} min ago"


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
