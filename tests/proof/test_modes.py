"""A part of the proof by mode bits: one call of each tool."""

import pytest

from tests import needs
from tests.proof.modes import CASES, Case, Ground, prefix, wrongs

FIRST_OF_EACH = {(case.tool, case.kind): case for case in CASES}


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    for program in prefix()[:1]:
        needs.program(program)
    return Ground(tmp_path_factory.mktemp("modes"))


@pytest.mark.parametrize("case", FIRST_OF_EACH.values(), ids=lambda case: f"{case.tool}-{case.obstacle}")
def test_what_may_not_be_read_or_changed_is_a_clear_error_and_stays(case: Case, ground: Ground):
    assert not wrongs(ground, case)
