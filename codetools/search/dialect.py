"""Where ripgrep's regular expressions and Python's differ: such a pattern is refused, never read in another way."""

import re

NEEDS_RIPGREP = "this installation has no ripgrep, and the Python engine does not take it."

_TOKEN = re.compile(r"\\(?:[pP]\{[^}]*\}|[xuU]\{[^}]*\}|.)|\(\?[^:)]?.?|\[\^?\]?|[*+?}][+]|\{|.", re.DOTALL)
# escapes that mean the same in both; not B, which in Python never matches an empty line
_SAME_ESCAPES = frozenset("dDwWsSbAntrfvaxuU")
_NOT_IN_RIPGREP = {"(?=": "look-ahead", "(?!": "look-ahead", "(?<=": "look-behind", "(?<!": "look-behind"}


def dialect_problem(pattern: str) -> str | None:
    """Return why a pattern does not mean the same to both engines, as a whole sentence; None where it does."""
    position, in_class = 0, False
    while position < len(pattern):
        found = _TOKEN.match(pattern, position)
        assert found is not None
        token = found[0]
        if in_class:
            problem, used, in_class = _in_class(pattern, position)
        else:
            problem, used = _outside(pattern, position, token)
            in_class = token.startswith("[")
            if in_class:
                used = len(token)
        if problem:
            return problem
        position += used
    return None


def _outside(pattern: str, position: int, token: str) -> tuple[str | None, int]:
    if token.startswith("\\"):
        return _escape(token), len(token)
    if token.startswith("(?"):
        return _group(pattern[position : position + 4]), 2
    if len(token) == 2 and token[1] == "+" and token[0] in "*+?}":
        return f"{token!r}: in Python it would be possessive; {NEEDS_RIPGREP}", 2
    if token == "{" and not re.match(r"\{\d+(,\d*)?\}", pattern[position:]):
        return f"'{{' that opens no repetition: write \\{{; {NEEDS_RIPGREP}", 1
    return None, 1


def _escape(token: str) -> str | None:
    letter = token[1:2]
    if letter.isdigit():
        return "backreferences are not supported: patterns are matched in linear time."
    if letter == "Z" or (letter.isalpha() and (letter not in _SAME_ESCAPES or "{" in token)):
        return f"{token!r}: {NEEDS_RIPGREP}"
    if letter in "<>":
        return f"{token!r}: {NEEDS_RIPGREP}"
    return None


def _group(start: str) -> str | None:
    for opening, name in _NOT_IN_RIPGREP.items():
        if start.startswith(opening):
            return f"{name} is not supported: patterns are matched in linear time."
    if start.startswith("(?P="):
        return "backreferences are not supported: patterns are matched in linear time."
    if start.startswith(("(?:", "(?P<")):
        return None
    return f"{start[:3]!r}: {NEEDS_RIPGREP}"


def _in_class(pattern: str, position: int) -> tuple[str | None, int, bool]:
    character = pattern[position]
    if character == "]":
        return None, 1, False
    if character == "\\":
        token = pattern[position : position + 2]
        if token[1:2] in "pPzZ" or token[1:2].isdigit() or pattern[position + 2 : position + 3] == "{":
            return f"{token!r} in a class: {NEEDS_RIPGREP}", 2, True
        return None, 2, True
    if character == "[" or pattern[position : position + 2] in ("&&", "--", "~~", "||"):
        return f"{pattern[position : position + 2]!r} in a class: {NEEDS_RIPGREP}", 1, True
    return None, 1, True
