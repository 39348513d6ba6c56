"""Asking about one call: a word given before, a person at the terminal, or exit 75 with what to say yes to."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from codetools.core.errors import Failure
from codetools.core.outcome import Change
from codetools.core.path import quoted
from codetools.core.record import Record
from codetools.core.tool import Tool
from codetools.engine.asking import Asker, Question

if TYPE_CHECKING:
    from codetools.engine.engine import Engine
    from codetools.state.approvals import Approval, ApprovalStore

MAX_PREVIEW_CHARS = 100_000  # of all diffs together; each is capped by limits.diff_chars


class Call(Record):
    """What an approval is bound to: the tool, its canonical arguments, the workspace and the working directory."""

    tool: str
    arguments: dict[str, Any]
    root: str
    cwd: str

    def digest(self) -> str:
        """Return the SHA-256 of a text that is the same for the same call and for no other."""
        from hashlib import sha256

        values = {"tool": self.tool, "arguments": self.arguments, "root": self.root, "cwd": self.cwd}
        return sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


class Approvals:
    """The asks of one call. One approval covers all that the call had asked for when it was given, and nothing else."""

    def __init__(self, engine: "Engine", tool: Tool, describe: Callable[[], Call], asker: Asker | None) -> None:
        self._engine = engine
        self._tool = tool
        self._describe = describe  # most calls are never asked about
        self._asker = asker
        self._asked: list[str] = []
        self._given: Approval | None = None
        self.is_granted = False

    def ask(
        self,
        what: list[str],
        operation: str,
        rule: str,
        reason: str = "",
        changes: tuple[Change, ...] = (),
        images: dict[str, Any] | None = None,
        preview: str = "",
    ) -> None:
        """Return once somebody has said yes to `what`; raise `approval_required` or `denied` otherwise.

        `reason` says why it is asked about, `preview` what it consists of, where no diff does; whoever decides sees the
        reason where there is neither. `images` are the hashes of the changed files before and after: the yes holds for
        these only.
        """
        self._asked += [item for item in what if item not in self._asked]
        if not self._is_covered(what, images or {}):
            shown = preview or _preview(changes) or reason
            question = Question(self._tool.name, operation, shown, rule, changes, reason)
            if self._asker is None:
                raise self._required(question, images or {})
            self._ask_person(self._asker, question)
        self.is_granted = True

    def _is_covered(self, what: list[str], images: dict[str, Any]) -> bool:
        named = self._engine.options.approve
        if self._given is None:
            self._given = self._named(named) if named else self._given_before(what, images)
            if self._given is None:
                return False
            if not self._store().spend(self._given.id):
                raise _refused(self._given.id, "it has been used")
        covered = json.loads(self._given.files_json)
        if not set(what) <= set(covered["asked"]):
            return False
        if images != covered["images"] and images:
            raise _refused(self._given.id, "a file has changed since, so the call would do something else now")
        return True

    def _named(self, approval_id: str) -> "Approval":
        """Return the approval that the caller names, if it is for exactly this call and still good."""
        found = self._store().find(approval_id)
        if found is None:
            raise _refused(approval_id, "there is none of that id")
        if found.digest != self._describe().digest():
            raise _refused(approval_id, "it is for another call")
        if found.is_expired or found.state in ("spent", "denied"):
            raise _refused(approval_id, "it has expired" if found.is_expired else f"it is {found.state}")
        return found

    def _given_before(self, what: list[str], images: dict[str, Any]) -> "Approval | None":
        """Return what a person said yes to by `permissions approve`, for exactly this call."""
        for found in self._store().approved(self._describe().digest()):
            covered = json.loads(found.files_json)
            if set(what) <= set(covered["asked"]) and (not images or images == covered["images"]):
                return found
        return None

    def _ask_person(self, asker: Asker, question: Question) -> None:
        answer = asker(question)
        if answer == "deny":
            raise Failure("denied", f"{question.operation}: you said no.")
        if answer == "session" and self._engine.session:
            from codetools.state.session_rules import SessionRules

            rules = SessionRules(self._engine.store())
            rules.add(self._engine.session, self._engine.workspace.root, question.suggested_rule)
        if answer == "always":
            from codetools.config.allowed import add_rule

            add_rule(self._engine.config.allowed_path, question.suggested_rule)

    def _required(self, question: Question, images: dict[str, Any]) -> Failure:
        call = self._describe()
        waiting = self._store().ask(
            call.digest(),
            self._tool.name,
            json.dumps(call.arguments),
            call.root,
            self._engine.session,
            question.operation,
            question.preview,
            question.suggested_rule,
            json.dumps({"asked": self._asked, "images": images}, sort_keys=True),
        )
        approval = {
            "id": waiting.id,
            "expires": waiting.expires,
            "operation": question.operation,
            "preview": question.preview,
            "suggested_rule": question.suggested_rule,
            "reason": question.reason,
        }
        why = f" ({question.reason})" if question.reason else ""
        rule = f", or the rule {question.suggested_rule} in the user's settings" if question.suggested_rule else ""
        hint = f"Nothing was done. It needs a person's word: an approval{rule}."
        return Failure(
            "approval_required", f"approval required: {question.operation}{why}.", hint, {"approval": approval}
        )

    def _store(self) -> "ApprovalStore":
        from codetools.state.approvals import ApprovalStore

        return ApprovalStore(self._engine.store())


def _preview(changes: tuple[Change, ...]) -> str:
    """Return the diffs, up to a size; what is left out is said, for somebody decides by this."""
    whole = "\n".join(change.diff or f"{change.kind} {quoted(change.path)}\n" for change in changes)
    if len(whole) <= MAX_PREVIEW_CHARS:
        return whole
    kept = whole[: whole.rfind("\n", 0, MAX_PREVIEW_CHARS) + 1]
    return f"{kept}... {len(whole) - len(kept):,} more characters are not shown; a dry run shows them\n"


def _refused(approval_id: str, reason: str) -> Failure:
    return Failure("denied", f"approval {approval_id} does not fit: {reason}.", "Run the call without it to ask again.")
