"""The fast part of the proof that verdicts are git's own; tests/proof/ignore_oracle.py does it on 10,000 trees."""

import pytest

from tests.proof.ignore_oracle import DIFFERS, ENDS, KINDS, differences

TREES = 12


@pytest.mark.parametrize("kind", [*KINDS, *ENDS])
def test_verdicts_are_those_of_git_but_for_the_differences_that_are_listed(kind: str):
    odd = [row for row in differences(kind, TREES, f"suite/{kind}") if (row[0], kind) not in DIFFERS]
    assert odd == []


def test_python_reads_every_pattern_as_git_does():
    assert {engine for engine, _ in DIFFERS} == {"ripgrep"}
