import os
from pathlib import Path

import pytest

from codetools.search.rules import in_repository, lowered, rebased, rules_for
from tests.search.engines import Place, make


@pytest.mark.parametrize(
    ("line", "below", "expected"),
    [
        ("*.log", ["a"], "*.log"),
        ("/a/x", ["a"], "/x"),
        ("a/b/*.c", ["a", "b"], "/*.c"),
        ("!a/x/", ["a"], "!/x/"),
        ("b/x", ["a"], ""),
        ("a/", ["a"], "a/"),
        ("/a", ["a"], ""),
        ("**/x/y", ["a"], "**/x/y"),
        ("a*/x", ["ab"], "/x"),
        ("a/**", ["a"], "**"),
        ("# note", ["a"], ""),
        ("x", [], "x"),
    ],
)
def test_a_line_reads_the_same_from_a_directory_below(line: str, below: list[str], expected: str):
    assert rebased(line, below) == expected


def test_rules_of_the_directory_and_of_those_above_hold(place: Place):
    make(
        place.directory,
        {
            ".codetoolsignore": "*.tmp\n/a/skip/\n/b/other\n",
            "a/.codetoolsignore": "mine\n",
            "a/x.tmp": "",
            "a/skip/f": "",
            "a/mine": "",
            "a/shown": "",
            "a/vendor/f": "",
        },
    )
    fd = os.open(place.directory / "a", os.O_RDONLY)
    rules = rules_for(fd, "a", ("vendor",))
    os.close(fd)
    assert rules == ("vendor", "*.tmp", "/skip/", "mine")
    assert place.names(at="a", rules=rules) == [".codetoolsignore", "shown"]


def test_an_ignore_file_of_ours_that_is_no_file_costs_nothing_i6(tmp_path: Path):
    os.mkfifo(tmp_path / ".codetoolsignore")
    fd = os.open(tmp_path, os.O_RDONLY)
    try:
        assert rules_for(fd, "", ("dist",)) == ("dist",)
    finally:
        os.close(fd)


def test_a_repository_is_known_by_a_name_above(tmp_path: Path):
    make(tmp_path, {"repo/.git": "gitdir: elsewhere\n", "repo/a/b/c": ""})
    fd = os.open(tmp_path / "repo/a/b", os.O_RDONLY)
    try:
        assert in_repository(fd)
    finally:
        os.close(fd)


@pytest.mark.parametrize(
    ("line", "place", "lowered_line"),
    [
        ("*.log", "a/b", "/a/b/**/*.log"),
        ("/x", "a", "/a/x"),
        ("!x/y", "a", "!/a/x/y"),
        ("build/", "a[1]", "/a\\[1\\]/**/build/"),
    ],
)
def test_a_line_of_a_directory_below_reads_the_same_above(line: str, place: str, lowered_line: str):
    assert lowered(line, place) == lowered_line
