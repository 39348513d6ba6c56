"""The policy as one call meets it: what it allows passes, what it denies raises, what it asks about is asked once."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from codetools.core.access import CommandAccess, PathAccess
from codetools.core.errors import Failure
from codetools.core.outcome import Change
from codetools.core.path import quoted
from codetools.core.tool import Tool
from codetools.engine.policy import Decision, Policy

if TYPE_CHECKING:
    from codetools.engine.approval import Approvals


class CallGate:
    """The decisions of one call. `decided` is what the audit records."""

    def __init__(self, policy: Policy, tool: Tool, approvals: "Approvals", operation: str = "") -> None:
        self._policy = policy
        self._tool = tool
        self._operation = operation or f"run {tool.name}"
        self._approvals = approvals
        self._gathered: list[PathAccess] = []
        self._has_hidden = False
        self.decided: list[tuple[str, Decision]] = []

    def call(self) -> None:
        """Decide whether the tool may run at all."""
        decision = self._policy.decide_call(self._tool)
        if decision.answer != "allow" or decision.rule is not None:
            self._settle("call", decision, self._operation, lambda: "" if self._tool.caution else self._tool.name)
        if decision.rule != "yolo":
            self._tool.accept()

    def path(self, access: PathAccess) -> None:
        """Let a path pass, gather an edit that has to be asked about, or raise."""
        decision = self._policy.decide_path(self._tool, access)
        what = f"{access.action} {quoted(access.reached)}"
        if decision.answer == "ask" and access.action == "edit":
            self.decided.append((what, decision))
            self._gathered.append(access)
            self._has_hidden |= not self.may_show(access.but(action="read"))
            return
        self._settle(what, decision, what, lambda: self._rule_for(access))

    def may_show(self, access: PathAccess) -> bool:
        """Return whether a file's content may be shown without asking."""
        return self._policy.decide_path(self._tool, access).answer == "allow"

    def hidden(self) -> tuple[str, ...]:
        """Return the names that a search of whole trees passes over besides secrets."""
        return self._policy.hidden(self._tool)

    def command(self, access: CommandAccess) -> None:
        """Let a command pass, or raise."""
        decision = self._policy.decide_command(self._tool, access)

        def rule() -> str:
            from codetools.config.narrowest import narrowest_rule_for_parts

            return narrowest_rule_for_parts(self._tool.name, self._policy.asking_parts(self._tool, access))

        def preview() -> str:
            from codetools.engine.parts_shown import part_lines

            return part_lines(access, self._policy.asking_parts(self._tool, access))

        self._settle(f"run {access.command}", decision, f"run {access.command}", rule, preview)

    def job(self, job_id: str, *, is_own: bool) -> None:
        """Let somebody at a background job, or raise."""
        what = f"{self._tool.name} {job_id}"
        self._settle(what, self._policy.decide_job(self._tool, is_own=is_own), what, lambda: self._tool.name)

    def reason_to_hide(self) -> bool:
        """Whether what the run found may not be shown yet: it touched a file that may not be read unasked."""
        return self._has_hidden and not self._approvals.is_granted

    def settle_edits(self, changes: tuple[Change, ...], images: dict[str, Any]) -> None:
        """Ask about everything gathered, with the whole diff in hand; `images` are the hashes before and after."""
        if not self._gathered:
            return
        first = self._gathered[0]
        rule = self._rule_for(first) if len(self._gathered) == 1 else ""
        what = [f"edit {quoted(access.reached)}" for access in self._gathered]
        self._approvals.ask(what, _summary(changes) or ", ".join(what), rule, "", changes, images)

    def _rule_for(self, access: PathAccess) -> str:
        from codetools.config.narrowest import narrowest_path_rule

        return narrowest_path_rule(self._tool.name if access.action == "list" else access.action, access)

    def _settle(
        self,
        what: str,
        decision: Decision,
        operation: str,
        rule: Callable[[], str],
        preview: Callable[[], str] = str,
    ) -> None:
        self.decided.append((what, decision))
        if decision.answer == "deny":
            raise Failure(decision.kind, f"{decision.reason}.", decision.hint, _details(decision))
        if decision.answer == "ask":
            self._approvals.ask([what], operation, rule(), decision.reason, preview=preview())


def _summary(changes: tuple[Change, ...]) -> str:
    shown = [_said(change) for change in changes]
    more = f" and {len(shown) - 10} more" if len(shown) > 10 else ""
    return ", ".join(shown[:10]) + more


def _said(change: Change) -> str:
    """Return what becomes of one path; lines are counted where there can be some."""
    from_where = f"{quoted(change.source)} to " if change.source is not None else ""
    has_lines = change.kind == "modify" or change.additions or change.removals
    lines = f" (+{change.additions} -{change.removals})" if has_lines else ""
    return f"{change.kind} {from_where}{quoted(change.path)}{lines}"


def _details(decision: Decision) -> dict[str, Any]:
    return {"rule": decision.rule, "origin": decision.origin}
