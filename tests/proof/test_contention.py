"""A part of the proof by contention: fewer processes, fewer edits."""

from pathlib import Path

import pytest

from tests.proof.contention import OTHERS, contend

PROCESSES, EDITS = 3, 3


@pytest.mark.parametrize("other", OTHERS)
def test_i4_no_line_that_was_reported_as_written_is_lost(other: str, tmp_path: Path):
    got = contend(tmp_path, OTHERS[other], PROCESSES, EDITS)
    assert not got.wrong
    assert got.ours == got.ours_kept == PROCESSES * EDITS
    assert (got.theirs > 0) == bool(OTHERS[other])
