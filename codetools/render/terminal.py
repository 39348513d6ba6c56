"""What a stream is: a terminal or not, how large, and whether colour is wanted on it."""

import os
from collections.abc import Mapping
from typing import Literal, TextIO

from codetools.core.record import Record

Color = Literal["auto", "always", "never"]
COLORS: tuple[Color, ...] = ("auto", "always", "never")
DEFAULT_COLUMNS = 80
DEFAULT_LINES = 24
LEAST_COLUMNS = 20


class Terminal(Record):
    """The facts about one stream that layout depends on. `moves` is whether its cursor may be moved."""

    is_terminal: bool = False
    color: bool = False
    width: int = DEFAULT_COLUMNS
    height: int = DEFAULT_LINES
    moves: bool = False


def terminal_of(stream: TextIO | None, color: Color = "auto", environment: Mapping[str, str] = os.environ) -> Terminal:
    """Return the facts about a stream.

    `--color` decides over `NO_COLOR`, that over `FORCE_COLOR`, and those over what the stream is; a dumb terminal gets
    no colour and no cursor movement.
    """
    is_terminal = _is_terminal(stream)
    is_dumb = environment.get("TERM", "") in ("dumb", "")
    width, height = _size(stream, is_terminal, environment)
    return Terminal(
        is_terminal=is_terminal,
        color=_wants_color(color, is_terminal and not is_dumb, environment),
        width=max(width, LEAST_COLUMNS),
        height=height,
        moves=is_terminal and not is_dumb,
    )


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except (OSError, ValueError):
        return False


def _wants_color(color: Color, is_able: bool, environment: Mapping[str, str]) -> bool:
    if color != "auto":
        return color == "always"
    if environment.get("NO_COLOR"):
        return False
    forced = environment.get("FORCE_COLOR", "")
    return forced not in ("0", "false") if forced else is_able


def _size(stream: TextIO | None, is_terminal: bool, environment: Mapping[str, str]) -> tuple[int, int]:
    named = [_number(environment.get(name, "")) for name in ("COLUMNS", "LINES")]
    found = _real_size(stream) if stream is not None and is_terminal else (0, 0)
    return named[0] or found[0] or DEFAULT_COLUMNS, named[1] or found[1] or DEFAULT_LINES


def _real_size(stream: TextIO) -> tuple[int, int]:
    try:
        return os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):
        return (0, 0)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 5 else 0
