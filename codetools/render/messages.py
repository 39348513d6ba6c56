"""What goes to standard error for people: one line for an error, one for each notice; broken at words on a terminal."""

from codetools.core.errors import Failure
from codetools.core.outcome import Notice, Span
from codetools.render.escape import escape_line
from codetools.render.spans import layout
from codetools.render.terminal import Terminal

PROGRAM = "codetools"


def error_line(command: str, failure: Failure, terminal: Terminal) -> str:
    """Return `codetools edit: app.py: text occurs 3 times. Add a neighbouring line.` with its line feed.

    `command` is a tool's name, a command's words or the program itself. A terminal also gets what the failure has to
    show: the nearest lines, the names in a directory.
    """
    prefix = _prefix(command)
    message = failure.line()
    named, colon, rest = message.partition(": ")
    if colon and " " in command and named.startswith(f"{command} "):  # a command below that one: permissions check edit
        prefix, message = _prefix(named), rest
    for start in (f"{command}: ", f"{_typed(command)}: ", f"{prefix}: "):
        message = message.removeprefix(start)
    mark = "✗ " if terminal.is_terminal else ""
    line = _line(Span(f"{mark}{prefix}:", "bad"), message, terminal)
    if not terminal.is_terminal:
        return line
    below = layout([(Span(more),) for more in _shown(failure)], color=False, width=terminal.width)
    return line + "".join(f"{more}\n" for more in below)


def notice_line(command: str, notice: Notice, terminal: Terminal) -> str:
    """Return `codetools grep: note: …` with its line feed."""
    return _line(Span(f"{_prefix(command)}: note:", "warning"), notice.message, terminal)


def _line(start: Span, message: str, terminal: Terminal) -> str:
    spans = (start, Span(f" {escape_line(message)}"))
    lines = layout([spans], color=terminal.color, width=terminal.width if terminal.is_terminal else None)
    return "".join(f"{line}\n" for line in lines)


def _shown(failure: Failure) -> list[str]:
    """Return what a failure shows besides its line; what a call had found until then is its data, shown as such."""
    if failure.data is not None:
        return []
    said = (failure.message, failure.hint)
    return [line for line in failure.text.split("\n") if line and line not in said]


def _prefix(command: str) -> str:
    return escape_line(f"{PROGRAM} {_typed(command)}") if command != PROGRAM else PROGRAM


def _typed(command: str) -> str:
    """Return a tool's name as the words of its command; that of a server's tool is none."""
    return command if "__" in command else command.replace("_", " ")
