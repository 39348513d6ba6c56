"""One call from a request to an outcome: load, run, ask, commit, record."""

import os
from collections.abc import Callable
from time import monotonic
from typing import Any

from codetools.context import Context, Emit, Progress, Surroundings
from codetools.core.dump import dump
from codetools.core.errors import Failure, from_os_error
from codetools.core.outcome import Change, Notice, Outcome, Result
from codetools.core.path import Path
from codetools.core.tool import Tool
from codetools.engine.approval import Approvals, Call
from codetools.engine.asking import Asker
from codetools.engine.engine import Engine
from codetools.engine.gate import CallGate
from codetools.engine.record import audit, internal
from codetools.engine.registry import find
from codetools.files.files import Files

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
        self.undo: str | None = None
        self.gate: CallGate | None = None
        self.context: Context | None = None

    def outcome(self, data: Result | None, text: str, failure: Failure | None) -> Outcome:
        """Return the outcome, with the notices that the text lacks added to it."""
        notices = tuple(self.notices) + tuple(self.context.notices if self.context else ())
        told = (notice.message for notice in notices if notice.kind not in QUIET_NOTICES)
        unsaid = [f"[{message}]" for message in told if message not in text]
        return Outcome(
            tool=self.name,
            text="\n".join([text.rstrip("\n"), *unsaid]) if unsaid else text,
            data=data,
            failure=failure,
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
    result: Result | None = None
    failure: Failure | None = None
    try:
        tool = find(name)
        state.name = tool.name
        loaded = tool.load(arguments)
        state.notices += [Notice("repaired", repair) for repair in loaded.repairs]
        approvals = Approvals(engine, tool, _request(engine, tool, loaded.params), asker)
        surroundings = Surroundings(seconds, emit, progress, is_cancelled)
        result, text = _made(engine, tool, loaded.params, approvals, surroundings, state)
    except Failure as raised:
        result, failure = raised.data, raised
    except KeyboardInterrupt:
        failure = Failure("interrupted", "the call was interrupted.")
    except OSError as error:
        failure = from_os_error(error, str(error.filename or name))
    except Exception as error:  # noqa: BLE001  the one broad catch of this door
        failure = internal(engine.home, error)
    state.notices += engine.store.notices()
    if failure is not None:
        text = failure.model_text()
        if "undo" in failure.details:  # a change that failed half-way and could not be taken back
            state.changed, state.undo = True, failure.details["undo"]
    outcome = _capped(state.outcome(result, text, failure), engine)
    return audit(engine, outcome, state.gate.decided if state.gate else [])


def failed(name: str, failure: Failure, started: float | None = None) -> Outcome:
    """Return the outcome of a call that ended before there was an engine."""
    try:
        cwd = os.getcwd()
    except OSError:
        cwd = "."
    state = _State(name, Path(cwd), monotonic() if started is None else started, False)
    return state.outcome(None, failure.model_text(), failure)


def _request(engine: Engine, tool: Tool, params: Any) -> Call:
    return Call(tool.name, dump(params), engine.workspace.root, engine.workspace.cwd)


def _made(
    engine: Engine, tool: Tool, params: Any, approvals: Approvals, surroundings: Surroundings, state: _State
) -> tuple[Result, str]:
    """Run and commit; again from the start where another process changed a file just before the commit."""
    give_up_at = monotonic() + engine.limits.lock_seconds
    while True:
        gate = state.gate = CallGate(engine.policy, tool, approvals)
        files = Files(engine.workspace, gate, engine.limits)
        context = state.context = Context(
            files, gate, engine.config.settings, engine.home, engine.store, engine.session, surroundings
        )
        gate.call()
        result = _run(tool, params, context, gate)
        text = result.text()
        try:
            _commit(engine, tool, files, context, gate, state)
        except Failure as failure:
            if failure.details.get("changed_meanwhile") and monotonic() < give_up_at:
                continue
            raise
        return result, text


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
    committed = commit(prepared, context.journal(), tool.name, engine.session, undoes=context.undoes)
    state.changes, state.changed, state.undo = committed.changes, True, committed.undo
    state.notices += committed.notices


def _capped(outcome: Outcome, engine: Engine) -> Outcome:
    """Cut the text at the caller's cap, on a line where there is one, and say so in it."""
    most = min(engine.options.max_chars or engine.limits.text_chars, engine.limits.text_chars)
    if len(outcome.text) <= most:
        return outcome
    cut = outcome.text.rfind("\n", most // 2, most)
    shown = outcome.text[: cut if cut > 0 else most]
    message = f"cut: {len(shown)} of {len(outcome.text)} characters shown"
    text = f"{shown}\n[{message}]"
    return outcome.but(text=text, notices=(*outcome.notices, Notice("truncated", message)))
