"""One call from a request to an outcome: load, run, ask, commit, record."""

import os
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from codetools.context import Context, Emit, Progress, Surroundings
from codetools.core.dump import dump
from codetools.core.errors import Failure, from_os_error
from codetools.core.outcome import Change, Notice, Outcome, Result
from codetools.core.path import Path
from codetools.core.tool import Tool
from codetools.engine.approval import Approvals, Call
from codetools.engine.asking import Asker
from codetools.engine.engine import Engine, hold_descendants
from codetools.engine.gate import CallGate
from codetools.engine.record import audit, internal
from codetools.files.files import Files

if TYPE_CHECKING:
    from codetools.core.known import KnownTool

_NO_DRY_RUN = "To see what would be decided: codetools permissions check."
CUT_NOTICE_CHARS = 120
QUIET_NOTICES = ("audit", "config", "repaired")  # nothing that a model could act on


class _State:
    """What is known of a call at the moment it ends, however it ends."""

    def __init__(self, name: str, cwd: Path, started: float, dry_run: bool) -> None:
        self.name = name
        self.cwd = cwd
        self.started = started
        self.dry_run = dry_run
        self.notices: list[Notice] = []
        self.changes: tuple[Change, ...] = ()
        self.changed = False
        self.result: Result | None = None
        self.failure: Failure | None = None
        self.text = ""
        self.undo: str | None = None
        self.gate: CallGate | None = None
        self.context: Context | None = None

    def fail(self, failure: Failure) -> None:
        """Take note of what ended the call; one that could not be taken back has changed something all the same."""
        self.result, self.failure, self.text = failure.data, failure, failure.model_text()
        if "undo" in failure.details:
            self.changed, self.undo = True, failure.details["undo"]

    def outcome(self) -> Outcome:
        """Return the outcome, with the notices that the text lacks added to it."""
        text = self.text
        notices = tuple(self.notices) + tuple(self.context.notices if self.context else ())
        told = (notice.message for notice in notices if notice.kind not in QUIET_NOTICES)
        unsaid = [f"[{message}]" for message in told if message not in text]
        return Outcome(
            tool=self.name,
            text="\n".join([text.rstrip("\n"), *unsaid]) if unsaid else text,
            data=self.result,
            failure=self.failure,
            changes=self.changes,
            changed=self.changed,
            dry_run=self.dry_run,
            undo=self.undo,
            notices=notices,
            images=tuple(self.context.images) if self.context else (),
            duration_ms=int((monotonic() - self.started) * 1000),
            cwd=self.cwd,
        )


def call(
    engine: Engine,
    name: str,
    arguments: Any,
    *,
    dry_run: bool = False,
    asker: Asker | None = None,
    seconds: float | None = None,
    emit: Emit | None = None,
    progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
    started: float | None = None,
) -> Outcome:
    """Make one call of the tool `name` with JSON `arguments`; every end is an Outcome, none an exception."""
    state = _State(name, engine.workspace.cwd, monotonic() if started is None else started, dry_run)
    state.notices += engine.config.notices
    try:
        surroundings = Surroundings(seconds, emit, progress, is_cancelled)
        try:
            _attempt(engine, name, arguments, asker, surroundings, state)
        except Failure as failure:
            if not failure.details.get("tool_changed"):
                raise
            _attempt(engine, name, arguments, asker, surroundings, state)  # it is decided on as it is now
    except Failure as raised:
        state.fail(raised)
    except KeyboardInterrupt:
        if state.changed:
            state.notices.append(Notice("interrupted", "the interrupt came when the change had been made"))
        else:
            state.fail(Failure("interrupted", "the call was interrupted."))
    except OSError as error:
        state.fail(from_os_error(error, str(error.filename or name)))
    except Exception as error:  # noqa: BLE001  the one broad catch of this door
        state.fail(internal(engine.home, error))
    if not state.changed:
        return _ended(engine, state)
    from codetools.system.replace import HeldSignals

    with HeldSignals():  # an answer that a change was made has to arrive (I4)
        return _ended(engine, state)


def _attempt(
    engine: Engine, name: str, arguments: Any, asker: Asker | None, surroundings: Surroundings, state: _State
) -> None:
    tool = engine.registry.find(name)
    state.name = tool.name
    loaded = tool.load(arguments)
    state.notices += [Notice("repaired", repair) for repair in loaded.repairs]
    if state.dry_run and not (tool.effects.stages or tool.effects.read_only):
        raise Failure("usage", f"{tool.name} acts at once: there is no dry run of it.", _NO_DRY_RUN)
    approvals = Approvals(engine, tool, partial(_request, engine, tool, loaded.params), asker)
    _make(engine, tool, loaded.params, approvals, surroundings, state)


def failed(name: str, failure: Failure, started: float | None = None) -> Outcome:
    """Return the outcome of a call that ended before there was an engine."""
    try:
        cwd = os.getcwd()
    except OSError:
        cwd = "."
    state = _State(name, Path(cwd), monotonic() if started is None else started, False)
    state.fail(failure)
    return state.outcome()


def _ended(engine: Engine, state: _State) -> Outcome:
    state.notices += engine.store.notices()
    outcome = _capped(state.outcome(), engine)
    return audit(engine, outcome, state.gate.decided if state.gate else [])


def _request(engine: Engine, tool: Tool, params: Any) -> Call:
    return Call(tool.name, dump(params), engine.workspace.root, engine.workspace.cwd)


def _make(
    engine: Engine, tool: Tool, params: Any, approvals: Approvals, surroundings: Surroundings, state: _State
) -> None:
    """Run and commit; again from the start where another process changed a file just before the commit."""
    give_up_at = monotonic() + engine.limits.lock_seconds
    while True:
        gate = state.gate = CallGate(engine.policy, tool, approvals, tool.operation(params))
        files = Files(engine.workspace, gate, engine.limits)
        settings, hold, tools = engine.config.settings, partial(hold_descendants, engine), partial(_known, engine)
        context = state.context = Context(
            files, gate, settings, engine.home, engine.store, hold, engine.session, surroundings, tools
        )
        gate.call()
        state.result = _run(tool, params, context, gate)
        state.text = state.result.text()
        try:
            _commit(engine, tool, files, context, gate, state)
        except Failure as failure:
            if failure.details.get("changed_meanwhile") and monotonic() < give_up_at:
                continue
            raise
        return


def _known(engine: Engine) -> "tuple[KnownTool, ...]":
    from codetools.engine.offered import known_tools

    return known_tools(engine)


def _run(tool: Tool, params: Any, context: Context, gate: CallGate) -> Result:
    try:
        return tool.run(params, context)
    except Failure as failure:
        if failure.kind != "approval_required" and gate.reason_to_hide():
            gate.settle_edits((), {})
        raise


def _commit(engine: Engine, tool: Tool, files: Files, context: Context, gate: CallGate, state: _State) -> None:
    """Ask about what was staged, then make it so; a dry run shows it and drops it."""
    if not files.staged:
        return
    from codetools.files.commit import commit, prepare

    prepared = prepare(files)
    if state.dry_run:
        if gate.reason_to_hide():
            gate.settle_edits((), {})
        state.changes = prepared.changes
        return
    gate.settle_edits(prepared.changes, prepared.images)

    def made(undo: str) -> None:
        state.changes, state.changed, state.undo = prepared.changes, True, undo

    state.notices += commit(prepared, context.journal(), tool.name, engine.session, context.undoes, made).notices


def _capped(outcome: Outcome, engine: Engine) -> Outcome:
    """Cut the text at the caller's cap, on a line where there is one; the notices at its end stay."""
    most = min(engine.options.max_chars or engine.limits.text_chars, engine.limits.text_chars)
    if len(outcome.text) <= most:
        return outcome
    body, notices = _without_notices(outcome.text)
    room = max(most // 2, most - len(notices) - CUT_NOTICE_CHARS)
    end = body.rfind("\n", room // 2, room)
    shown = body[: end if end > 0 else room]
    message = f"cut here: {len(shown):,} of {len(body):,} characters shown; ask for less at a time to see the rest"
    text = f"{shown}\n[{message}]{notices[: most - room]}"
    return outcome.but(text=text, notices=(*outcome.notices, Notice("text_cut", message)))


def _without_notices(text: str) -> tuple[str, str]:
    """Split off the lines in brackets at the end of a text."""
    lines = text.split("\n")
    count = len(lines)
    while count > 1 and (not lines[count - 1] or (lines[count - 1][0] == "[" and lines[count - 1][-1] == "]")):
        count -= 1
    rest = "\n".join(lines[count:])
    return "\n".join(lines[:count]), f"\n{rest}" if rest else ""
