import os
from pathlib import Path

import pytest

from codetools.search.descent import Descent
from tests.search.engines import make


def test_a_walk_whose_time_is_over_says_that_it_is_not_whole_i6(tmp_path: Path):
    make(tmp_path, {"a": "", "d/b": ""})
    fd = os.open(tmp_path, os.O_RDONLY)
    descent = Descent(lambda path: False, lambda parent, path, entry: entry.stat(), 0, 9, lambda: True)
    found = descent.walk(fd)
    os.close(fd)
    assert not found.is_whole
    assert sorted(path for path, *_ in found.rows) == ["a", "d"]


def test_time_that_runs_out_before_the_rules_are_known_lists_nothing_ignored_i6(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
):
    from codetools.search import area
    from codetools.search.find import Listing
    from tests.calls import call

    make(workspace, {"a": "", "ignored": "", "d/b": ""})
    monkeypatch.setattr(area, "list_files", lambda *how, **named: Listing(("d/b", "a"), is_complete=False))
    answer = call("find", {})
    assert [found["path"] for found in answer["data"]["paths"]] != []
    assert {found["path"] for found in answer["data"]["paths"]} == {"a", "d/b"}
    assert (answer["data"]["timed_out"], answer["exit"]) == (True, 0)
    assert "The search ran out of time: this is what it had found." in answer["text"]
