"""What the policy would say of a call: the tool runs up to its first effect, and there it ends."""

from typing import Literal

from codetools.cli.commands.permissions.check import Checked, Part
from codetools.cli.printing import Printing, print_outcome
from codetools.cli.reference import Command
from codetools.cli.run_handmade import outcome_of
from codetools.cli.run_tool import options_of
from codetools.cli.texts import with_texts
from codetools.cli.values import Given, refuse_missing
from codetools.config.rules import COMMAND_TOOLS
from codetools.context import Context
from codetools.core.access import CommandAccess, PathAccess
from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.shape import fields_of
from codetools.core.tool import Tool
from codetools.engine.engine import Engine, start
from codetools.engine.parts_shown import part_text, shown_parts
from codetools.engine.policy import Decision
from codetools.files.files import Files

REFUSALS = ("outside_workspace", "protected", "banned", "denied")
STRICTNESS = {"allow": 0, "ask": 1, "deny": 2}


def check_tool(tool: Tool, command: Command, given: Given) -> int:
    """Print what would be decided about the call that was typed; return the exit code."""

    def work() -> Checked:
        refuse_missing(command, given)
        engine = start(options_of(tool, given))
        return checked(tool, tool.load(with_texts(engine, given)).params, engine)

    printing = Printing(given)
    return print_outcome(outcome_of("permissions check", work, given.common.get("directory")), printing, is_bare=True)


def checked(tool: Tool, params: Record, engine: Engine) -> Checked:
    """Return the strictest decision on the call, its paths and its command."""
    gate = _CheckGate(engine, tool)
    try:
        gate.decided(engine.policy.decide_call(tool))
        if tool.effects.stages:
            _decide_named_paths(params, engine, gate)
        files = Files(engine.workspace, gate, engine.limits)
        settings = engine.config.settings
        tool.run(params, Context(files, gate, settings, engine.home, engine.store, _starts_nothing, engine.session))
    except _Enough:
        pass
    except Failure as failure:
        if failure.kind in REFUSALS:
            gate.refused(failure)
    found = gate.strictest
    access = gate.access
    return Checked(
        tool=tool.name,
        decision=found.answer,
        reason=found.reason,
        rule=found.rule,
        origin=found.origin,
        verdict=access.verdict if access else None,
        kind=access.kind if access else None,
        parts=_parts(access) if access else None,
    )


def _parts(access: CommandAccess) -> tuple[Part, ...]:
    """Return the parts; one that was not understood is the command as it was written."""
    return tuple(
        Part(
            part_text(part) or access.command,
            part.verdict,
            part.reason,
            part.kind,
            tuple(path.written for path in part.writes),
        )
        for part in shown_parts(access)
    )


class _Enough(Exception):
    """All that can be decided without doing anything is decided."""


def plain_decision(engine: Engine, tool: Tool) -> Literal["allow", "ask", "deny"]:
    """Return what a call of the tool comes to, on an ordinary file of the workspace or with a command that acts."""
    policy, root = engine.policy, engine.workspace.root
    decision = policy.decide_call(tool)
    if decision.answer != "allow":
        return decision.answer
    if tool.name in COMMAND_TOOLS:
        reason = "it does more than read"
        return policy.decide_command(tool, CommandAccess("", None, "ask", reason, (), False, root)).answer
    place = Path(f"{root}/file")
    action: Literal["read", "edit"] = "edit" if tool.effects.stages else "read"
    return policy.decide_path(tool, PathAccess(action, place, place, policy.is_bounded, root)).answer


class _CheckGate:
    def __init__(self, engine: Engine, tool: Tool) -> None:
        self._engine = engine
        self._tool = tool
        self.strictest = Decision("allow", "nothing stands in its way")
        self.access: CommandAccess | None = None

    def decided(self, decision: Decision) -> None:
        if STRICTNESS[decision.answer] >= STRICTNESS[self.strictest.answer]:
            self.strictest = decision
        if self.strictest.answer == "deny":
            raise _Enough

    def refused(self, failure: Failure) -> None:
        self.strictest = Decision("deny", failure.message.rstrip("."), kind=failure.kind)

    def path(self, access: PathAccess) -> None:
        self.decided(self._engine.policy.decide_path(self._tool, access))
        if access.action != "edit" and (self.strictest.answer != "allow" or self._tool.effects.read_only):
            raise _Enough

    def may_show(self, access: PathAccess) -> bool:
        return self._engine.policy.decide_path(self._tool, access).answer == "allow"

    def hidden(self) -> tuple[str, ...]:
        return self._engine.policy.hidden(self._tool)

    def command(self, access: CommandAccess) -> None:
        self.access = access
        self.decided(self._engine.policy.decide_command(self._tool, access))
        raise _Enough

    def job(self, job_id: str, *, is_own: bool) -> None:
        self.decided(self._engine.policy.decide_job(self._tool, is_own=is_own))
        raise _Enough


def _starts_nothing(process: int) -> None:
    raise AssertionError(f"a command was about to start below process {process} while only a decision was asked for")


def _decide_named_paths(params: Record, engine: Engine, gate: _CheckGate) -> None:
    """Decide on changing every path that the arguments name: a tool that fails before it changes one tells nothing."""
    for field in fields_of(type(params)):
        value = getattr(params, field.name)
        for path in value if isinstance(value, tuple) else (value,):
            if isinstance(path, Path):
                place = engine.workspace.locate(path)
                access = PathAccess("edit", place.written, place.reached, place.inside, place.root, place.writable)
                gate.path(access)
