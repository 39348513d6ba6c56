"""Lists the rules in force, and the calls that wait for a person's word."""

import os
from datetime import UTC, datetime

from codetools.cli.handmade import WHERE, handmade
from codetools.core.outcome import Result, Span
from codetools.core.record import Record
from codetools.engine.engine import STORE_NAME, Engine, start
from codetools.engine.options import Options
from codetools.render.escape import escape_line

ROLES = {"allow": "good", "deny": "bad"}


class Params(Record):
    """Nothing to say."""


class Row(Record):
    """One rule."""

    rule: str
    effect: str
    origin: str


class Waiting(Record):
    """One call that was asked about; `expires` is ISO 8601."""

    id: str
    tool: str
    operation: str
    root: str
    expires: str


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
        return "\n".join([*lines, *(f"waits {row.id} {escape_line(row.operation)}" for row in self.waiting)])

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the same in columns."""
        column = Span("", "column")
        lines = [
            (Span(row.effect, ROLES[row.effect]), column, Span(row.rule), column, Span(row.origin, "dim"))
            for row in self.rules
        ]
        if self.yolo:
            lines.append((Span("yolo", "warning"), column, Span("nothing is asked"), column, Span(self.yolo, "dim")))
        lines += [(Span("waits", "warning"), column, Span(row.id), column, Span(row.operation)) for row in self.waiting]
        return tuple(lines) or ((Span("no rules: the defaults hold", "dim"),),)


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
        Waiting(row.id, row.tool, row.operation, row.root.printable(), _moment(row.expires))
        for row in ApprovalStore(engine.store()).waiting()
    )


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
