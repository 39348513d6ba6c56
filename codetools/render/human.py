"""An outcome for people and for pipes.

A pipe gets what a script wants: the result's plain form or the patch, as it is, with names and contents unescaped as
ripgrep and ls do it, and nothing around it. Colour that is forced on a pipe gives the terminal's lines alone. A
terminal gets a line above, the result with everything unseen made visible, and a closing line.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Literal

from codetools.core.outcome import Outcome, Result
from codetools.core.record import Record
from codetools.render.changes import changes_lines, changes_plain, changes_status
from codetools.render.escape import escape_line, escape_text
from codetools.render.messages import error_line, notice_line
from codetools.render.spans import layout, paint
from codetools.render.terminal import Terminal
from codetools.render.width import fit

Frame = Literal["whole", "bare", "closing"]

SLOW_MS = 1000  # a call that took longer says so
TEXT_CUT = "text_cut"  # the notice of a cut in the model's text, which is not what is printed here


class Rendering(Record):
    """What goes to standard output and what to standard error."""

    out: str
    error: str


def render(outcome: Outcome, out: Terminal, error: Terminal, subject: str = "", *, frame: Frame = "whole") -> Rendering:
    """Return an outcome as it is printed. `subject` is what the call is about (`subject_of`).

    `frame` is `bare` for a document that stands alone, `closing` where the header and the output were shown live.
    """
    messages = [] if out.is_terminal else [_own_errors(outcome, error)]
    messages += [notice_line(outcome.tool, notice, error) for notice in outcome.notices if notice.kind != TEXT_CUT]
    if outcome.failure is not None:
        messages.append(error_line(outcome.tool, outcome.failure, error))
    body = _body(outcome, out, out.width if frame == "bare" and out.is_terminal else None)
    if frame == "closing":
        body = f"{_closing(outcome, out, body)}\n"
    elif frame == "whole" and out.is_terminal and (body or outcome.ok):
        body = f"{header_line(outcome.tool, subject, out)}{body}{_closing(outcome, out, body)}\n"
    return Rendering(body, "".join(messages))


def header_line(tool: str, subject: str, out: Terminal) -> str:
    """Return the line above a result, with its line feed."""
    name = tool if "__" in tool else tool.replace("_", " ")  # of a server's tool the name is no command
    line = fit(f"{name} {escape_line(subject)}".strip(), out.width)
    split = len(name)
    return paint(line[:split], "heading", color=out.color) + paint(line[split:], "dim", color=out.color) + "\n"


def _body(outcome: Outcome, out: Terminal, width: int | None) -> str:
    data = _shown_data(outcome)
    styled = out.is_terminal or out.color
    if any(change.diff for change in outcome.changes):
        if not styled:
            return changes_plain(outcome.changes)
        return _joined(layout(changes_lines(outcome.changes), color=out.color))
    if data is None:
        return ""
    lines = data.display() if styled else ()
    if lines:
        return _joined(layout(lines, color=out.color, width=width))
    plain = data.plain()
    if styled:
        plain = escape_text(plain)
    is_whole = not plain or plain.endswith("\n") or (data.is_exact() and not styled)
    return plain if is_whole else plain + "\n"


def _own_errors(outcome: Outcome, error: Terminal) -> str:
    data = _shown_data(outcome)
    text = data.plain_error() if data is not None else ""
    return escape_text(text) if error.is_terminal else text


def _shown_data(outcome: Outcome) -> Result | None:
    if outcome.failure is None:
        return outcome.data
    captured = outcome.data or outcome.failure.data
    return captured if isinstance(captured, Result) else None


def _joined(lines: Iterator[str]) -> str:
    return "".join(chain.from_iterable((line, "\n") for line in lines))


def _closing(outcome: Outcome, out: Terminal, body: str) -> str:
    mark, word, role = _verdict(outcome)
    took = f" ({outcome.duration_ms / 1000:.1f} s)" if outcome.duration_ms >= SLOW_MS else ""
    is_no = outcome.ok and outcome.data is not None and outcome.data.answers_no()
    status = "" if is_no else f" → {escape_line(_status(outcome, body))}"
    line = fit(f"{mark} {word}{status}{took}", out.width)
    split = len(f"{mark} {word}")
    return paint(line[:split], role, color=out.color) + paint(line[split:], "dim", color=out.color)


def _verdict(outcome: Outcome) -> tuple[str, str, str]:
    status = outcome.data.process_status() if outcome.data is not None else None
    if outcome.failure is not None:
        return "✗", outcome.failure.kind, "bad"
    if status:
        return "✗", f"Exit {status}", "bad"
    if outcome.dry_run:
        return "✓", "Dry run, nothing changed", "warning"
    if outcome.data is not None and outcome.data.answers_no():
        return "–", "Nothing found", "warning"
    return "✓", "Success", "good"


def _status(outcome: Outcome, body: str) -> str:
    data = _shown_data(outcome)
    said = data.status() if data is not None else ""
    if not said and outcome.changes:
        said = changes_status(outcome.changes)
    if not said:
        plain = data.plain() if data is not None else body
        said = f"{_counted(len(plain.encode('utf-8', 'replace')), 'byte')}, {_counted(_lines(plain), 'line')}"
    return f"{said} (undo {outcome.undo})" if outcome.undo else said


def _lines(text: str) -> int:
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
