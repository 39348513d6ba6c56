"""What is kept of a call: one audit line per decision, and the traceback of a bug of ours."""

import os
import time

from codetools.core.errors import Failure
from codetools.core.outcome import Notice, Outcome
from codetools.engine.engine import Engine
from codetools.engine.policy import Decision
from codetools.state.audit import append


def audit(engine: Engine, outcome: Outcome, decided: list[tuple[str, Decision]]) -> Outcome:
    """Append one line per decision, or one for a call that came to none; a failure to write is a notice."""
    common = {
        "at": time.time(),
        "tool": outcome.tool,
        "root": engine.workspace.root,
        "session": engine.session,
        **dict(engine.ids),
        "ok": outcome.ok,
        "error": outcome.failure.kind if outcome.failure else None,
        "changed": outcome.changed,
        "undo": outcome.undo,
        "yolo": engine.policy.yolo,
    }
    rows = [
        {**common, "what": what, "decision": decision.answer, "rule": decision.rule, "origin": decision.origin}
        for what, decision in decided
    ]
    try:
        append(engine.home, rows or [common])
    except (OSError, Failure) as error:
        reason = error.message if isinstance(error, Failure) else error.strerror
        message = f"the audit line could not be written: {reason}"
        return outcome.but(notices=(*outcome.notices, Notice("audit", message)))
    return outcome


def internal(home: str, error: Exception) -> Failure:
    """Keep the traceback of a bug in the state directory and return the one line that a user sees."""
    import traceback

    name = os.path.join(home, "errors", f"{int(time.time())}-{os.getpid()}.txt")
    text = "".join(traceback.format_exception(error))
    try:
        os.makedirs(os.path.dirname(name), mode=0o700, exist_ok=True)
        with open(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        name = "nowhere: the state directory cannot be written"
    return Failure("internal", f"a bug in codetools: {type(error).__name__}: {error}.", f"The traceback is in {name}")
