"""Breaks lines at words, for terminals narrower than what is said; a word too long for a line is left whole."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from codetools.core.outcome import Span
from codetools.render.width import columns

LEAST_ROOM = 16  # columns; in less, an indented text would be a tower of single words
_WORDS = re.compile(r"\s+|\S+")


def wrap(spans: Sequence[Span], width: int, indent: int) -> list[list[Span]]:
    """Return escaped spans as lines of at most `width` columns, all but the first indented."""
    indent = indent if width - indent >= LEAST_ROOM else 0
    lines: list[list[Span]] = [[]]
    taken = 0
    gap: list[Span] = []
    for word in _words(spans):
        if word[0].text.isspace():
            gap = word
            continue
        needed = _columns(gap) + _columns(word)
        if taken > (indent if len(lines) > 1 else 0) and taken + needed > width:
            lines.append([Span(" " * indent)] if indent else [])
            taken, gap = indent, []
        lines[-1] += [*gap, *word]
        taken += _columns(gap) + _columns(word)
        gap = []
    return [_joined(line) for line in lines]


def _joined(spans: Sequence[Span]) -> list[Span]:
    return [
        Span("".join(span.text for span in same), role) for role, same in groupby(spans, key=lambda span: span.role)
    ]


def _words(spans: Sequence[Span]) -> Iterator[list[Span]]:
    """Yield words and the blanks between them; a word may be of several spans."""
    word: list[Span] = []
    for span in spans:
        for text in _WORDS.findall(span.text):
            if word and text.isspace() != word[0].text.isspace():
                yield word
                word = []
            word.append(Span(text, span.role))
    if word:
        yield word


def _columns(spans: Sequence[Span]) -> int:
    return sum(columns(span.text) for span in spans)
