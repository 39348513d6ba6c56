"""Path patterns of rules and settings: `*` within a name, `**` across names, `?`, `[...]`, `\\` before a literal.

Own, because importing a glob library costs more than a whole call, and because the time must stay bounded: a pattern of
m characters against a path of n takes at most about m times n steps, however many stars it holds.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

P = TypeVar("P")
I = TypeVar("I")  # noqa: E741

_ANY_RUN = "any run"  # a literal is one character, so these cannot be mistaken for one
_ANY_ONE = "any one"
_SPECIAL = "*?[\\"
_Class = tuple[bool, str, tuple[tuple[str, str], ...]]  # is negated, single characters, ranges


def match_path(pattern: str, path: str) -> bool:
    """Whether a whole path matches. `**` as a whole part is any number of parts; at the end, at least one."""
    parts = pattern.split("/")
    if parts[-1] == "**":
        parts.append("*")
    return _matches(parts, path.split("/"), "**", match_name)


def match_name(pattern: str, name: str) -> bool:
    """Whether one name, without `/`, matches one part of a pattern."""
    return _matches(_tokens(pattern), name, _ANY_RUN, _fits)


def is_literal(pattern: str) -> bool:
    """Whether a pattern stands for one path only."""
    return all(isinstance(token, str) and len(token) == 1 for part in pattern.split("/") for token in _tokens(part))


def literal(pattern: str) -> str:
    """Return the path that a literal pattern stands for."""
    return "/".join("".join(map(str, _tokens(part))) for part in pattern.split("/"))


def escape(path: str) -> str:
    """Return the pattern that stands for exactly this path."""
    return "".join("\\" + character if character in _SPECIAL else character for character in path)


def _matches(pattern: Sequence[P], items: Sequence[I], run: str, fits: Callable[[P, I], bool]) -> bool:
    """Match item by item; a later run takes over from an earlier one, so there is one place to go back to."""
    at = position = resume = 0
    last_run = -1
    while position < len(items):
        if at < len(pattern) and pattern[at] == run:
            last_run, resume = at, position
            at += 1
        elif at < len(pattern) and fits(pattern[at], items[position]):
            at += 1
            position += 1
        elif last_run >= 0:
            resume += 1
            at, position = last_run + 1, resume
        else:
            return False
    return all(part == run for part in pattern[at:])


def _fits(token: str | _Class, character: str) -> bool:
    if isinstance(token, str):
        return token in (character, _ANY_ONE)
    is_negated, singles, ranges = token
    return is_negated != (character in singles or any(low <= character <= high for low, high in ranges))


@lru_cache(maxsize=2048)
def _tokens(part: str) -> tuple[str | _Class, ...]:
    found: list[str | _Class] = []
    position = 0
    while position < len(part):
        character = part[position]
        position += 1
        if character == "*":
            found.append(_ANY_RUN)
        elif character == "?":
            found.append(_ANY_ONE)
        elif character == "\\" and position < len(part):
            found.append(part[position])
            position += 1
        elif character == "[" and (end := _class_end(part, position)):
            found.append(_class(part[position:end]))
            position = end + 1
        else:
            found.append(character)
    return tuple(found)


def _class_end(part: str, start: int) -> int:
    """Return where the closing bracket stands, or 0 where there is none; first in the class, it is a literal."""
    first = start + 1 if part[start : start + 1] in ("!", "^") else start
    return max(part.find("]", first + 1), 0)


def _class(content: str) -> _Class:
    is_negated = content[0] in "!^"
    rest = content[1:] if is_negated else content
    singles = ""
    ranges: list[tuple[str, str]] = []
    position = 0
    while position < len(rest):
        if rest[position + 1 : position + 2] == "-" and position + 2 < len(rest):
            ranges.append((rest[position], rest[position + 2]))
            position += 3
        else:
            singles += rest[position]
            position += 1
    return is_negated, singles, tuple(ranges)
