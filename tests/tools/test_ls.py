import os
from pathlib import Path
from time import localtime, strftime

import pytest

from tests.calls import call
from tests.cli.typed import typed
from tests.search.engines import make


def ls(**arguments: object) -> dict:
    return call("ls", arguments)


def test_one_directory_is_listed_with_kinds_sizes_and_targets(workspace: Path):
    make(workspace, {"src/b/c": "", "src/a.py": "x" * 1500, "src/.hidden": ""})
    (workspace / "src/link").symlink_to("a.py")
    (workspace / "src/dangling").symlink_to("nowhere")
    os.mkfifo(workspace / "src/pipe")
    answer = ls(path="src")
    assert answer["text"].split("\n") == [
        "src/.hidden  0B",
        "src/a.py  1.5K",
        "src/b/",
        "src/dangling -> nowhere",
        "src/link -> a.py",
        "src/pipe  (FIFO)",
    ]
    data = answer["data"]
    assert (data["path"], data["total_entries"], data["ignored"]) == ("src", 6, 0)
    kinds = [(entry["path"], entry["kind"], entry.get("target")) for entry in data["entries"]]
    assert kinds[1:] == [
        ("src/a.py", "file", None),
        ("src/b", "directory", None),
        ("src/dangling", "link", "nowhere"),
        ("src/link", "link", "a.py"),
        ("src/pipe", "FIFO", None),
    ]


def test_ignored_entries_are_left_out_and_named(workspace: Path):
    make(workspace, {".gitignore": "*.log\n", "a.log": "", "node_modules/x": "", "b": ""})
    answer = ls()
    assert [entry["path"] for entry in answer["data"]["entries"]] == [".git", ".gitignore", "b"]
    assert "[Not listed: 2 ignored entries (a.log, node_modules); include_ignored lists them]" in answer["text"]
    shown = ls(include_ignored=True)
    assert [entry["path"] for entry in shown["data"]["entries"]] == [".git", ".gitignore", "a.log", "b", "node_modules"]
    assert ls(path="node_modules")["text"] == "node_modules/x  0B"


def test_a_file_is_listed_as_itself_and_an_empty_directory_said(workspace: Path):
    make(workspace, {"a.py": "abc"})
    (workspace / "empty").mkdir()
    assert ls(path="a.py")["text"] == "a.py  3B"
    assert ls(path="empty")["text"] == "empty is empty."
    assert ls(path="nowhere")["error"]["kind"] == "not_found"


def test_paths_pass_back_from_a_directory_below(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    make(workspace, {"lib/x/y": "", "src/z": ""})
    monkeypatch.chdir(workspace / "src")
    (entry,) = ls(path="../lib")["data"]["entries"]
    assert entry["path"] == "../lib/x"
    assert ls(path=entry["path"])["data"]["entries"][0]["path"] == "../lib/x/y"


def test_a_large_directory_is_cut_with_its_total_i6(workspace: Path):
    make(workspace, {f"d/f{number:02}": "" for number in range(20)})
    make(workspace, {".codetools/config.yaml": "limits: {tree_entries: 7}\n"})
    answer = ls(path="d")
    assert (len(answer["data"]["entries"]), answer["data"]["total_entries"]) == (7, 20)
    assert "7 of 20 entries shown" in answer["text"]


def test_outside_is_asked_about(workspace: Path):
    assert ls(path="/etc")["exit"] == 75


def test_the_working_directory_goes_by_its_name_among_others(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    make(workspace, {"src/a": "", "top": ""})
    monkeypatch.chdir(workspace / "src")
    assert [entry["path"] for entry in ls(path="..")["data"]["entries"]] == ["../.git", "../src", "../top"]
    assert ls(path="../src")["data"]["path"] == "."


def test_what_is_no_directory_is_listed_as_itself_unopened(workspace: Path):
    make(workspace, {"d/x": ""})
    os.mkfifo(workspace / "pipe")
    (workspace / "link").symlink_to("pipe")
    (workspace / "gone").symlink_to("nowhere")
    (workspace / "inner").symlink_to("d")
    assert [ls(path=name)["text"] for name in ("pipe", "link", "gone")] == [
        "pipe  (FIFO)",
        "link -> pipe",
        "gone -> nowhere",
    ]
    assert ls(path="inner")["text"] == "inner/x  0B"


def test_with_l_sizes_and_times_stand_in_a_pipe_too(workspace: Path):
    make(workspace, {"d/a.py": "x" * 1500, "d/e/f": ""})
    (workspace / "d/link").symlink_to("a.py")
    os.utime(workspace / "d/a.py", (0, 0))
    first, second, third = typed("ls", "-la", "d").stdout.splitlines()
    assert first == f"  1.5K  {strftime('%Y-%m-%d %H:%M', localtime(0))}  d/a.py"
    assert (second.split()[0], second.split()[-1]) == ("-", "d/e/")
    assert third.endswith("  d/link -> a.py")
    assert typed("ls", "d").stdout == "d/a.py\nd/e/\nd/link\n"
