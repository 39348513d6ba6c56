"""A part of the proof by races: some attempts with each tool."""

from pathlib import Path

import pytest

from tests.proof.races import TRIED, Ground, Tried, raced

ATTEMPTS = 8


@pytest.mark.parametrize("tried", TRIED, ids=lambda tried: tried.tool)
def test_i3_nothing_outside_is_shown_or_changed_while_names_are_swapped_for_links(
    tried: Tried, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    ground = Ground(tmp_path)
    monkeypatch.chdir(ground.root)
    with ground.swapping():
        row = raced(ground, tried, ATTEMPTS)
    assert not row.leaks
    assert not row.changes
