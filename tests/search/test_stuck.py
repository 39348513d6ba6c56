"""A FIFO in the place of an ignore file costs a notice, not the search."""

import os
import time
from pathlib import Path

import pytest

from codetools.search.engine import Engine
from codetools.search.said import NOT_READ
from tests.calls import call
from tests.search.engines import Place, engines, make

CALLS = {
    "grep": {"pattern": "foo"},
    "glob": {"pattern": "**/*"},
    "ls": {},
    "tree": {},
}


@pytest.mark.parametrize("name", [".gitignore", ".ignore", "sub/.gitignore", "sub/deep/.ignore"])
@pytest.mark.parametrize("engine", engines(), ids=lambda engine: engine.name)
def test_i6_a_fifo_named_like_an_ignore_file_does_not_hold_the_search(engine: Engine, name: str, tmp_path: Path):
    make(tmp_path, {"a": "foo\n", "sub/deep/b": "foo\n", "sub/.ignore": "c\n", "sub/c": "foo\n"})
    os.mkfifo(tmp_path / name)
    place = Place(engine, tmp_path)
    began = time.monotonic()
    assert place.paths("foo", seconds=20) == ["a", "sub/deep/b"]
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("tool", CALLS)
def test_it_is_named_and_what_is_there_is_found(tool: str, workspace: Path):
    make(workspace, {"a": "foo\n", "sub/b": "foo\n"})
    os.mkfifo(workspace / ".gitignore")
    answer = call(tool, CALLS[tool])
    assert answer["ok"]
    assert "a" in answer["text"]
    assert f"{NOT_READ} (.gitignore)" in [one["message"] for one in answer["notices"]]
    assert answer["data"].get("timed_out") is not True
