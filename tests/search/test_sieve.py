"""A sieve lets every line with a match through: held to the expression asked of each line."""

import random

import pytest

from codetools.core.errors import Failure
from codetools.search.job import Query
from codetools.search.pure import compiled
from codetools.search.sieve import Sieve

ATOMS = [
    *("foo", "a", r"\s", r"\S", r"\W", r"\D", "[^a]", "[^]a]", "[a-z]", r"[\s]", r"[\t-~]", "(?:fo)", "(a|b)"),
    *("(?P<n>x)", ".", "^", "$", r"\b", r"\A", r"\.", r"\x41", "é", "[ab]", "o"),
]
REPEATS = ["", "", "", "*", "+", "?", "{2}", "{0,2}", "*?", "+?"]
LINES = ["foo", "a foo foo", "", "bar", "aa", "x.A", "é foo", "  ", "b1 ]"]


@pytest.mark.parametrize(
    ("query", "needle"),
    [
        (Query("a.b", is_literal=True), "a.b"),
        (Query("foo"), "foo"),
        (Query("fo+bar"), "bar"),
        (Query("foo?ba"), "fo"),
        (Query(r"x\.abc\d+"), "x.abc"),
        (Query("a|b"), ""),
        (Query("(foo|bar)zz"), "zz"),
        (Query("fo{0,2}"), "f"),
        (Query("foo", case="insensitive"), ""),
        (Query("foo", case="smart"), ""),
        (Query("Foo", case="smart"), "Foo"),
        (Query("foo", is_inverted=True), ""),
    ],
)
def test_what_stands_in_every_match_is_known(query: Query, needle: str):
    assert Sieve(query, compiled(query)).needle == needle.encode()


@pytest.mark.parametrize("seed", range(20))
def test_no_line_with_a_match_is_passed_over(seed: int):
    chance = random.Random(seed)
    for _ in range(200):
        pattern = "".join(chance.choice(ATOMS) + chance.choice(REPEATS) for _ in range(chance.randrange(1, 4)))
        query = Query(pattern + "|foo" * (chance.random() < 0.2), is_word=chance.random() < 0.1)
        try:
            expression = compiled(query)
        except Failure:
            continue
        sieve = Sieve(query, expression)
        lines = chance.choices(LINES, k=chance.randrange(1, 6))
        text, start = "\n".join(lines), 0
        for line in lines:
            if expression.search(line):
                assert sieve.needle in line.encode()
                assert 0 <= sieve.search(text, start) <= start + len(line)
            start += len(line) + 1
