"""What goes to standard error for people: one line for an error, one for each notice."""

from codetools.core.errors import Failure
from codetools.core.outcome import Notice
from codetools.render.escape import escape_line
from codetools.render.spans import paint
from codetools.render.terminal import Terminal

PROGRAM = "codetools"


def error_line(command: str, failure: Failure, terminal: Terminal) -> str:
    """Return `codetools edit: app.py: text occurs 3 times. Add a neighbouring line.` with its line feed.

    `command` is a tool's name, a command's words or the program itself.
    """
    prefix = _prefix(command)
    message = failure.line()
    named, colon, rest = message.partition(": ")
    if colon and " " in command and named.startswith(f"{command} "):  # a command below that one: permissions check edit
        prefix, message = _prefix(named), rest
    message = message.removeprefix(f"{command}: ").removeprefix(f"{prefix}: ")
    mark = "✗ " if terminal.is_terminal else ""
    return f"{paint(f'{mark}{prefix}:', 'bad', color=terminal.color)} {escape_line(message)}\n"


def notice_line(command: str, notice: Notice, terminal: Terminal) -> str:
    """Return `codetools grep: note: …` with its line feed."""
    start = paint(f"{_prefix(command)}: note:", "warning", color=terminal.color)
    return f"{start} {escape_line(notice.message)}\n"


def _prefix(command: str) -> str:
    return escape_line(f"{PROGRAM} {command.replace('_', ' ')}") if command != PROGRAM else PROGRAM
