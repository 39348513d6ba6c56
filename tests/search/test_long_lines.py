"""A line of many megabytes is never shown, never held for its matches, and never hides that it matches."""

import os
import time
from pathlib import Path

import pytest

from codetools.search import area
from codetools.search.engine import Engine
from codetools.search.long_lines import path_has_long_line
from tests.calls import call
from tests.search.engines import make


@pytest.fixture(autouse=True)
def one_engine(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(area, "choose_engine", lambda inside: engine)


@pytest.mark.parametrize("pattern", ["x", "end$"])
def test_i6_a_file_of_one_huge_line_is_told_and_costs_no_other_file(pattern: str, workspace: Path):
    make(workspace, {"d/one[1].txt": "x" * (60 << 20) + "end", "small.txt": "x end\n", "-none": "y" * (20 << 20)})
    began = time.monotonic()
    answer = call("grep", {"pattern": pattern})
    assert time.monotonic() - began < 10
    assert [match["path"] for match in answer["data"]["matches"]] == ["small.txt"]
    assert [file["path"] for file in answer["data"]["long_line_files"]] == ["d/one[1].txt"]
    assert (answer["data"]["total_matches"], answer["data"]["files_searched"]) == (1, 3)
    assert "1 file matches that has lines too long to show (d/one[1].txt)" in answer["text"]
    counts = call("grep", {"pattern": pattern, "output_mode": "count"})["data"]["counts"]
    assert counts == [{"path": "d/one[1].txt", "count": 1}, {"path": "small.txt", "count": 1}]


def test_i6_such_a_file_that_is_named_answers_yes_or_no(workspace: Path):
    make(workspace, {"one.txt": "x" * (20 << 20)})
    answer = call("grep", {"pattern": "x", "path": "one.txt"})
    assert (answer["exit"], answer["data"]["long_line_files"]) == (0, [{"path": "one.txt"}])
    assert call("grep", {"pattern": "nothing", "path": "one.txt"})["exit"] == 1


def test_long_lines_are_known_by_little_of_a_file(tmp_path: Path):
    line = b"a" * 99 + b"\n"
    (tmp_path / "short").write_bytes(line * 200_000)
    (tmp_path / "within").write_bytes(line * 50_000 + b"a" * (8 << 20) + line * 50_000)
    (tmp_path / "small").write_bytes(b"a" * (5 << 20))
    (tmp_path / "binary").write_bytes(b"abc\0" * (4 << 20))
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    os.mkfifo(tmp_path / "pipe")
    long = [name for name in sorted(os.listdir(tmp_path)) if path_has_long_line(str(tmp_path / name))]
    assert long == ["within"]
