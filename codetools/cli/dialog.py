"""The one question that is ever asked: may this call do what it is about to do."""

import sys

from codetools.cli.person import forget_typed_ahead
from codetools.engine.asking import Answer, Question
from codetools.render.changes import changes_lines
from codetools.render.escape import escape_line, escape_text
from codetools.render.operation import operation_lines
from codetools.render.spans import layout, paint
from codetools.render.terminal import Terminal

MOST_PREVIEW_LINES = 200
LONG_PREVIEW_LINES = 20  # more may push what is asked off the screen: it is said again below
ANSWERS: dict[str, Answer] = {
    "o": "once",
    "once": "once",
    "y": "once",
    "yes": "once",
    "s": "session",
    "session": "session",
}
ANSWERS |= {"a": "always", "always": "always", "d": "deny", "deny": "deny", "n": "deny", "no": "deny", "": "deny"}


def ask(question: Question, terminal: Terminal, *, has_session: bool) -> Answer:
    """Show what is about to happen on standard error and read the answer; nothing typed, or no more input, is a no."""
    allowed = _allowed(question, has_session)
    _say("\n".join([*_shown(question, terminal), *_choices(question, allowed)]) + "\n")
    forget_typed_ahead()
    while True:
        _say(paint(f"Allow? [{'/'.join(allowed)}] ", "heading", color=terminal.color))
        line = sys.stdin.readline()
        if not line:
            _say("\n")
            return "deny"
        answer = ANSWERS.get(line.strip().lower())
        if answer is not None and answer in allowed.values():
            return answer
        _say(f"Type {', '.join(allowed)}, or Enter to deny.\n")


def _allowed(question: Question, has_session: bool) -> dict[str, Answer]:
    """Return the answers there are, by letter: no rule, no lasting yes; no session, none that lasts as long as it."""
    answers: dict[str, Answer] = {"o": "once"}
    if question.suggested_rule and has_session:
        answers["s"] = "session"
    if question.suggested_rule:
        answers["a"] = "always"
    return {**answers, "d": "deny"}


def _shown(question: Question, terminal: Terminal) -> list[str]:
    heading = paint(f"{escape_line(question.tool)} asks:", "warning", color=terminal.color)
    first, *rest = operation_lines(question.operation)
    lines = ["", f"{heading} {first}", *rest]
    if question.changes:
        preview = list(layout(changes_lines(question.changes), color=terminal.color))
    else:
        preview = escape_text(question.preview).split("\n") if question.preview else []
    left_out = len(preview) - MOST_PREVIEW_LINES
    lines += preview[:MOST_PREVIEW_LINES]
    if left_out > 0:
        lines.append(f"[{left_out} more lines; --dry-run shows all]")
    return [*lines, "", f"{heading} {first}"] if len(preview) > LONG_PREVIEW_LINES else lines


def _choices(question: Question, allowed: dict[str, Answer]) -> list[str]:
    rule = escape_line(question.suggested_rule)
    meanings = {
        "once": "allow it this once",
        "session": f"allow {rule} for this session",
        "always": f"allow {rule} always",
        "deny": "deny (Enter)",
    }
    return ["", *(f"  {letter}  {meanings[answer]}" for letter, answer in allowed.items())]


def _say(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
