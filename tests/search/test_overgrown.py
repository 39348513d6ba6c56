"""An ignore file that is too long costs a notice, not the search: the other ones hold, whichever engine runs."""

import time
from pathlib import Path

import pytest

from codetools.search import area
from codetools.search.engine import Engine
from codetools.search.said import NOT_READ
from tests.calls import call
from tests.search.engines import Place, make

LINES = {
    "wild": "".join(f"a?[xyz]{number}\n" for number in range(100_000)),
    "directories": "**/\n" * 100_000,
    "many bytes": "".join(f"*.x{number}\n" for number in range(1_000_000)),
}


@pytest.fixture(autouse=True)
def one_engine(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(area, "choose_engine", lambda inside: engine)


@pytest.mark.parametrize("file", [".gitignore", "sub/.gitignore", "sub/.ignore"])
@pytest.mark.parametrize("kind", LINES)
def test_i6_hostile_ignore_files_are_left_out_and_named(kind: str, file: str, workspace: Path):
    make(workspace, {"a.c": "foo\n", "sub/b.c": "foo\n", "sub/c.o": "foo\n", "sub/deep/d.c": "foo\n", ".env": "foo\n"})
    make(workspace, {"sub/deep/.gitignore": "d.c\n", ".rgignore": "*.o\n", file: LINES[kind]})
    began = time.monotonic()
    found = call("grep", {"pattern": "foo", "glob": ["*.[co]"]})
    assert [match["path"] for match in found["data"]["matches"]] == ["a.c", "sub/b.c"]
    counted = call("grep", {"pattern": "foo", "output_mode": "count"})
    assert [row["path"] for row in counted["data"]["counts"]] == ["a.c", "sub/b.c"]
    listed = call("glob", {"pattern": "**/*.[co]"})
    assert sorted(row["path"] for row in listed["data"]["paths"]) == ["a.c", "sub/b.c"]
    drawn = call("tree", {})
    assert drawn["data"]["ignored"] == 2
    for answer in (found, counted, listed, drawn):
        assert f"{NOT_READ} ({file})" in answer["text"]
        assert answer["data"]["timed_out"] is False
    assert counted["data"]["skipped"]["withheld"] == 1
    assert time.monotonic() - began < 30


def test_what_ripgrep_calls_its_own_ignore_file_holds_for_both_engines(place: Place):
    make(place.directory, {".rgignore": "*.o\n!b.o\n", ".ignore": "b.o\n", "a.o": "", "b.o": "", "c": ""})
    assert place.names() == [".ignore", ".rgignore", "b.o", "c"]
