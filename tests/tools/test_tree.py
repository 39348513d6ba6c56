import os
from pathlib import Path

import pytest

from tests.calls import call
from tests.search.engines import make


def tree(**arguments: object) -> dict:
    return call("tree", arguments)


def test_a_tree_is_drawn_with_sizes_links_and_totals(workspace: Path):
    make(workspace, {"a/b/c.txt": "x" * 2048, "a/d": "", "e.py": "abc"})
    (workspace / "link").symlink_to("e.py")
    (workspace / "empty").mkdir()
    answer = tree()
    assert answer["text"] == "\n".join(
        [
            "./",
            "|-- a/",
            "|   |-- b/",
            "|   |   `-- c.txt (2.0K)",
            "|   `-- d (0B)",
            "|-- e.py (3B)",
            "|-- empty/",
            "`-- link -> e.py",
            "",
            "3 directories, 4 files",
        ]
    )
    data = answer["data"]
    assert (data["total_files"], data["total_dirs"], data["ignored"]) == (4, 3, 0)
    assert data["tree"] == answer["text"].rpartition("\n\n")[0]


def test_depth_counts_what_it_does_not_show(workspace: Path):
    make(workspace, {"a/b/c/d/e": "", "a/b/f": "", "g": ""})
    answer = tree(depth=1)
    assert answer["data"]["tree"] == "./\n|-- a/ (2 files, 3 directories)\n`-- g (0B)"
    assert (answer["data"]["total_files"], answer["data"]["total_dirs"]) == (3, 4)
    assert "Directories below level 1 are counted, not shown" in answer["text"]
    assert "`-- e (0B)" in tree(depth=10)["text"]


def test_ignored_entries_are_left_out_and_named(workspace: Path):
    make(workspace, {".gitignore": "*.o\n", "a.o": "", "src/b.o": "", "src/c": "", "dist/x": "", "src/only/d.o": ""})
    answer = tree()
    assert answer["data"]["tree"] == "./\n|-- .gitignore (4B)\n`-- src/\n    |-- c (0B)\n    `-- only/"
    assert "Not shown: 4 ignored entries (a.o, dist, src/b.o, src/only/d.o)" in answer["text"]
    assert tree(include_ignored=True)["data"]["total_files"] == 6


def test_both_limits_are_said_when_both_bite_i6(workspace: Path):
    make(workspace, {f"d/f{number:02}": "" for number in range(9)} | {"d/x/y/z": ""})
    make(workspace, {".codetools/config.yaml": "limits: {tree_entries: 4}\n"})
    answer = tree(path="d", depth=1)
    assert answer["data"]["tree"].split("\n")[-1] == "`-- … and 6 more"
    assert "At most 4 entries of a directory are shown" in answer["text"]
    assert answer["data"]["truncated"]["total"] == 12


def test_rows_are_spent_on_upper_levels_first_i6(workspace: Path):
    make(workspace, {f"{top}/{number}/{leaf}": "" for top in "ab" for number in range(3) for leaf in range(30)})
    make(workspace, {".codetools/config.yaml": "limits: {tree_rows: 12}\n"})
    answer = tree(depth=5)
    assert answer["data"]["tree"].count("\n") <= 12
    assert "|   |-- 0/ (30 files)" in answer["data"]["tree"]
    assert "Not all of depth 5 fits into 12 rows" in answer["text"]


def test_links_are_not_entered_and_odd_names_stand_in_one_row(workspace: Path, tmp_path: Path):
    make(tmp_path, {"out/secret": ""})
    (workspace / "out").symlink_to(tmp_path / "out")
    make(workspace, {"a\nb": "", "[red]": ""})
    os.mkfifo(workspace / "pipe")
    assert tree()["data"]["tree"].split("\n") == [
        "./",
        "|-- [red] (0B)",
        '|-- "a\\nb" (0B)',
        f"|-- out -> {tmp_path}/out",
        "`-- pipe (FIFO)",
    ]


def test_what_a_rule_denies_is_not_drawn_i2(workspace: Path):
    make(workspace, {"private/a": "", "open/b": ""})
    answer = call("tree", {}, deny=("tree(private)",))
    assert answer["data"]["tree"] == "./\n`-- open/\n    `-- b (0B)"


def test_a_file_is_no_tree(workspace: Path):
    make(workspace, {"f": ""})
    assert tree(path="f")["error"]["kind"] == "not_a_file"


def test_the_path_passes_back(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    make(workspace, {"src/x": "", "lib/y": ""})
    monkeypatch.chdir(workspace / "src")
    answer = tree(path="../lib")
    assert answer["data"]["path"] == "../lib"
    assert answer["data"]["tree"] == "../lib/\n`-- y (0B)"
