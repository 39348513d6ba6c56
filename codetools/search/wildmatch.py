"""git's own matching of one ignore pattern, byte by byte and in linear time.

The pure-Python engine matches with it, and verdicts are explained with it. ripgrep matches with what it makes of a
pattern; tests/proof/ignore_oracle.py lists where that differs.
"""

import re
from collections.abc import Callable

Matcher = Callable[[bytes], object]

FEW_REPEATS = 2  # with more an expression may go back and forth for long; those are followed step by step
FEW_REPEATS_IN_A_NAME = 3  # which is short

_SLASH = ord("/")
_STAR, _QUESTION, _OPEN, _CLOSE, _BACKSLASH = b"*?[]\\"
_BANG, _CARET, _DASH, _COLON = b"!^-:"
_ANY = frozenset(range(256))
_IN_A_NAME = _ANY - {_SLASH}
_CLASSES: dict[bytes, Callable[[int], bool]] = {
    b"alnum": lambda c: c < 128 and chr(c).isalnum(),
    b"alpha": lambda c: c < 128 and chr(c).isalpha(),
    b"blank": lambda c: c in b" \t",
    b"cntrl": lambda c: c < 32 or c == 127,
    b"digit": lambda c: c in b"0123456789",
    b"graph": lambda c: 32 < c < 127,
    b"lower": lambda c: c < 128 and chr(c).islower(),
    b"print": lambda c: 32 <= c < 127,
    b"punct": lambda c: 32 < c < 127 and not chr(c).isalnum(),
    b"space": lambda c: c in b" \t\n\v\f\r",
    b"upper": lambda c: c < 128 and chr(c).isupper(),
    b"xdigit": lambda c: c in b"0123456789abcdefABCDEF",
}


class _Broken(Exception):
    """The pattern can match nothing: a class that does not end, a backslash with nothing after it."""


class _Step:
    """One place in a pattern: which bytes it takes, whether it takes any number of them, and what it may skip."""

    def __init__(self, takes: frozenset[int], *, repeats: bool = False, skips: int = 0) -> None:
        self.takes = takes
        self.repeats = repeats
        self.skips = skips  # how many steps may be left out together with this one


def wild_matcher(pattern: bytes, *, is_path: bool) -> Matcher:
    """Return the test of a pattern; in one of paths `*`, `?` and classes take no `/`, and `**` between them does."""
    if not any(byte in pattern for byte in b"*?[\\"):
        return lambda text: text == pattern
    try:
        steps = _steps(pattern, is_path)
    except _Broken:
        return lambda text: False
    if sum(step.repeats for step in steps) <= (FEW_REPEATS if is_path else FEW_REPEATS_IN_A_NAME):
        return re.compile(_expression(steps), re.DOTALL).fullmatch
    return lambda text: _matches(steps, text)


def expression_of(pattern: bytes) -> bytes | None:
    """Return a regular expression for a name, if there is one that a search follows in no time whatever the name."""
    try:
        steps = _steps(pattern, is_path=False)
    except _Broken:
        return b"(?!)"
    return _expression(steps) if sum(step.repeats for step in steps) <= FEW_REPEATS_IN_A_NAME else None


def _expression(steps: list[_Step]) -> bytes:
    parts: list[bytes] = []
    position = 0
    while position < len(steps):
        step = steps[position]
        if step.skips:  # `**/`: any directories, or none
            parts.append(b"(?:.*/)?")
            position += step.skips
            continue
        parts.append(_byte_class(step.takes) + b"*" * step.repeats)
        position += 1
    return b"".join(parts)


def _byte_class(taken: frozenset[int]) -> bytes:
    if len(taken) == 1:
        return re.escape(bytes(taken))
    if taken == _ANY:
        return b"."
    if taken == _IN_A_NAME:
        return b"[^/]"
    return b"[" + b"".join(b"\\x%02x" % byte for byte in sorted(taken)) + b"]" if taken else b"(?!)"


def _matches(steps: list[_Step], text: bytes) -> bool:
    """Follow all ways through the pattern at once."""
    places = _reached(steps, {0})
    for byte in text:
        following: set[int] = set()
        for place in places:
            if place < len(steps) and byte in steps[place].takes:
                following.add(place if steps[place].repeats else place + 1)
        if not following:
            return False
        places = _reached(steps, following)
    return len(steps) in places


def _reached(steps: list[_Step], places: set[int]) -> set[int]:
    """Return the places, and those that are reached from them without a byte."""
    reached: set[int] = set()
    waiting = list(places)
    while waiting:
        place = waiting.pop()
        if place in reached:
            continue
        reached.add(place)
        if place < len(steps):
            if steps[place].repeats or not steps[place].takes:
                waiting.append(place + 1)
            if steps[place].skips:
                waiting.append(place + steps[place].skips)
    return reached


def _steps(pattern: bytes, is_path: bool) -> list[_Step]:
    one_name = _IN_A_NAME if is_path else _ANY
    steps: list[_Step] = []
    position = 0
    while position < len(pattern):
        byte = pattern[position]
        if byte == _STAR:
            start = position
            while pattern[position : position + 1] == b"*":
                position += 1
            if is_path and _is_whole(pattern, start, position):
                if pattern[position : position + 1] == b"/":  # `**/` stands for no directory too
                    steps.append(_Step(frozenset(), skips=3))
                steps.append(_Step(_ANY, repeats=True))
            else:
                steps.append(_Step(one_name, repeats=True))
            continue
        if byte == _BACKSLASH:
            position += 1
            if position == len(pattern):
                raise _Broken
            steps.append(_Step(frozenset((pattern[position],))))
        elif byte == _QUESTION:
            steps.append(_Step(one_name))
        elif byte == _OPEN:
            taken, position = _class(pattern, position + 1)
            steps.append(_Step(taken - {_SLASH} if is_path else taken))
        else:
            steps.append(_Step(frozenset((byte,))))
        position += 1
    return steps


def _is_whole(pattern: bytes, start: int, end: int) -> bool:
    """Whether stars are `**` as a whole name."""
    if end - start < 2 or not (start == 0 or pattern[start - 1] == _SLASH):
        return False
    return end == len(pattern) or pattern[end] == _SLASH or pattern[end : end + 2] == b"\\/"


def _class(pattern: bytes, position: int) -> tuple[frozenset[int], int]:
    """Return the bytes of a class that begins after its `[`, and the place of its end."""
    is_negated = pattern[position : position + 1] in (b"!", b"^")
    position += is_negated
    taken: set[int] = set()
    before: int | None = None
    is_first = True
    while is_first or _byte(pattern, position) != _CLOSE:
        is_first = False
        byte = _byte(pattern, position)
        if byte == _BACKSLASH:
            position += 1
            byte = _byte(pattern, position)
            taken.add(byte)
            before = byte
        elif byte == _DASH and before is not None and pattern[position + 1 : position + 2] not in (b"", b"]"):
            position += 1
            last = _byte(pattern, position)
            if last == _BACKSLASH:
                position += 1
                last = _byte(pattern, position)
            taken.update(range(before, last + 1))
            before = None
        elif byte == _OPEN and pattern[position + 1 : position + 2] == b":":
            end = pattern.find(b"]", position + 2)
            if end < 0:
                raise _Broken
            if end > position + 2 and pattern[end - 1] == _COLON:
                name = pattern[position + 2 : end - 1]
                if name not in _CLASSES:
                    raise _Broken
                taken.update(code for code in _ANY if _CLASSES[name](code))
                position, before = end, None
            else:
                taken.add(_OPEN)
                before = _OPEN
        else:
            taken.add(byte)
            before = byte
        position += 1
    return _ANY - taken if is_negated else frozenset(taken), position


def _byte(pattern: bytes, position: int) -> int:
    if position >= len(pattern):
        raise _Broken
    return pattern[position]
