from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codetools.core.errors import Failure
from codetools.search.dialect import dialect_problem
from codetools.search.engine import Ripgrep
from codetools.search.job import Query
from codetools.search.pure import compiled
from codetools.search.ripgrep import find_ripgrep
from tests.search.engines import Place, make

LINES = ["", "a", "ab", "aab", "b-c", "A1", "é", "x y", "a.b", "[a]", "{1}", "a+b", "^a$", "\\d", "0_9", "foo bar"]


@pytest.mark.parametrize(
    "pattern",
    [
        r"\bfoo\b",
        "a|b",
        "a{2,3}?",
        "[^a-z]",
        "(?:a)(b)",
        "(?P<n>a)",
        r"\d+\s*\w",
        r"[\w.-]+",
        r"a\.b",
        r"\x41",
        "[]a]",
        "$",
    ],
)
def test_what_both_engines_read_alike_passes(pattern: str):
    assert dialect_problem(pattern) is None


@pytest.mark.parametrize(
    "pattern",
    [
        "(?=a)", "(?<=a)b", r"(a)\1", "(?P<n>a)(?P=n)", r"\p{L}", "[[:alpha:]]", "[a&&b]", r"\x{41}", r"\z", r"a\Z",
        "(?i)a", "(?<n>a)", "a++", "a{,3}", "(?>a)", "(?(1)a|b)", r"\<a", r"\h", "{", r"[\p{L}]",
    ],
)  # fmt: skip
def test_what_they_read_differently_is_refused(pattern: str):
    assert dialect_problem(pattern)


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("dialect")
    make(directory, {"f": "\n".join(LINES) + "\n"})
    return directory


PIECES = [*"ab.*+?|()[]-{}^$é01, ", "(?:", "[^", "{2}", "{1,}", "&&", "--", "(?", "P<n>"]
PIECES += [rf"\{letter}" for letter in (*"bdwsDWBnt.\\]", "x41")]


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(st.sampled_from(PIECES), min_size=1, max_size=6))
def test_an_accepted_pattern_finds_what_ripgrep_finds(lines: Path, pieces: list[str]):
    pattern = "".join(pieces)
    try:
        expression = compiled(Query(pattern))
    except Failure:
        return
    rg = find_ripgrep(())
    assert rg is not None
    found = Place(Ripgrep(rg), lines).rows(pattern)
    expected = [(number, line) for number, line in enumerate(LINES, 1) if expression.search(line)]
    assert found == ({"f": expected} if expected else {}), pattern
