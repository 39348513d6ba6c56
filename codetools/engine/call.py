"""One call from a request to an outcome: load, run, ask, commit, record."""

from collections.abc import Callable
from time import monotonic
from typing import Any

from codetools.context import Context, Emit, Progress
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
    try:
        tool = find(name)
        state.name = tool.name
        loaded = tool.load(arguments)
        state.notices += [Notice("repaired", repair) for repair in loaded.repairs]
        state.gate = _gate(engine, tool, loaded.params, asker)
        files = Files(engine.workspace, state.gate, engine.limits)
        state.context = Context(
            files,
            state.gate,
            engine.config.settings,
            engine.home,
            engine.store,
            engine.session,
            seconds=seconds,
            emit=emit,
            progress=progress,
            is_cancelled=is_cancelled,
        )
        result = _run(tool, loaded.params, state)
        _commit(engine, tool, files, state)
        failure = None
    except Failure as raised:
        result, failure = raised.data, raised
    except KeyboardInterrupt:
        result, failure = None, Failure("interrupted", "the call was interrupted.")
    except OSError as error:
        result, failure = None, from_os_error(error, str(error.filename or name))
    except Exception as error:  # noqa: BLE001  the one broad catch of this door
        result, failure = None, internal(engine.home, error)
    state.notices += engine.store.notices()
    text = failure.model_text() if failure else result.text() if result else ""
    outcome = _capped(state.outcome(result, text, failure), engine)
    return audit(engine, outcome, state.gate.decided if state.gate else [])


def failed(name: str, failure: Failure, started: float | None = None) -> Outcome:
    """Return the outcome of a call that ended before there was an engine."""
    state = _State(name, Path("."), monotonic() if started is None else started, False)
    return state.outcome(None, failure.model_text(), failure)


def _gate(engine: Engine, tool: Tool, params: Any, asker: Asker | None) -> CallGate:
    request = Call(tool.name, dump(params), engine.workspace.root, engine.workspace.cwd)
    return CallGate(engine.policy, tool, Approvals(engine, tool, request, asker))


def _run(tool: Tool, params: Any, state: _State) -> Result:
    assert state.gate is not None
    state.gate.call()
    try:
        return tool.run(params, state.context)
    except Failure as failure:
        if failure.kind != "approval_required" and state.gate.reason_to_hide():
            state.gate.settle_edits((), {})
        raise


def _commit(engine: Engine, tool: Tool, files: Files, state: _State) -> None:
    """Ask about what was staged, then make it so; a dry run shows it and drops it."""
    if not files.staged:
        return
    assert state.gate is not None
    assert state.context is not None
    from codetools.files.commit import commit, prepare

    prepared = prepare(files)
    if state.dry_run:
        if state.gate.reason_to_hide():
            state.gate.settle_edits((), {})
        state.changes = prepared.changes
        return
    state.gate.settle_edits(prepared.changes, prepared.images)
    journal = state.context.journal()
    committed = commit(prepared, journal, tool.name, engine.session, undoes=state.context.undoes)
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
