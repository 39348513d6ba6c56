import os
import subprocess
from pathlib import Path

import pytest

from tests.calls import call
from tests.needs import program
from tests.search.engines import make


def add(*patterns: str, dry_run: bool = False, yolo: bool = True, **arguments: object) -> dict:
    return call("gitignore_add", {"patterns": list(patterns), **arguments}, dry_run=dry_run, yolo=yolo)


def test_patterns_are_appended_to_the_ignore_file_at_the_root(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    make(workspace, {".gitignore": "# mine\n*.log\n", "a.tmp": "", "sub/b.tmp": "", "build/c/d": "", "e": ""})
    monkeypatch.chdir(workspace / "sub")
    answer = add("*.tmp", "/e")
    assert (workspace / ".gitignore").read_bytes() == b"# mine\n*.log\n*.tmp\n/e\n"
    assert (answer["exit"], answer["changed"], answer["undo"] is not None) == (0, True, True)
    assert answer["text"].startswith("Added to ../.gitignore: *.tmp, /e. 3 files listed until now match.")
    assert answer["data"] == {
        "path": "../.gitignore",
        "added": ["*.tmp", "/e"],
        "unchanged": [],
        "created": False,
        "matching_files": 3,
    }
    assert call("undo", {}, yolo=True)["changed"]
    assert (workspace / ".gitignore").read_bytes() == b"# mine\n*.log\n"


def test_a_pattern_that_is_there_changes_nothing(workspace: Path):
    make(workspace, {".gitignore": "*.log  \r\n/build/"})
    answer = add("*.log", "/build/", yolo=False)
    assert (answer["exit"], answer["changed"], answer["changes"]) == (0, False, [])
    assert answer["text"] == ".gitignore has this already: *.log (line 1), /build/ (line 2); nothing was changed."
    again = add("*.log", "new", "new")
    assert (again["data"]["added"], again["data"]["unchanged"]) == (["new"], [{"pattern": "*.log", "line": 1}])
    assert add("new")["changed"] is False


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b"x\n"),
        (b"a", b"a\nx\n"),
        (b"a\n", b"a\nx\n"),
        (b"a\r\n", b"a\r\nx\r\n"),
        (b"a\r\nb", b"a\r\nb\r\nx\r\n"),
        (b"\xef\xbb\xbfa\n\n", b"\xef\xbb\xbfa\n\nx\n"),
        (b"\xff\n", b"\xff\nx\n"),
        (b"#x\n", b"#x\nx\n"),
    ],
)
def test_line_ends_are_kept_and_a_missing_one_is_added(workspace: Path, before: bytes, after: bytes):
    make(workspace, {".gitignore": before})
    add("x")
    assert (workspace / ".gitignore").read_bytes() == after


def test_a_missing_file_is_created_where_asked(workspace: Path):
    make(workspace, {"docs/a": ""})
    answer = add("_site/", path="docs")
    assert (workspace / "docs/.gitignore").read_text() == "_site/\n"
    assert answer["text"].startswith("Created docs/.gitignore with: _site/. 0 files listed until now match.")
    assert add("x", path="docs/.gitignore")["data"]["added"] == ["x"]
    assert add("x", path="nowhere")["error"]["kind"] == "not_found"


def test_nothing_is_written_before_somebody_agrees_or_in_a_dry_run(workspace: Path):
    make(workspace, {"a": ""})
    asked = add("*.log", yolo=False)
    assert (asked["exit"], asked["error"]["kind"]) == (75, "approval_required")
    tried = add("*.log", dry_run=True)
    assert (tried["exit"], tried["changed"], tried["changes"][0]["kind"]) == (0, False, "create")
    assert "+*.log" in tried["changes"][0]["diff"]
    assert not (workspace / ".gitignore").exists()


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("a\nb", "line end or NUL"),
        ("a\0", "line end or NUL"),
        ("a\r", "line end or NUL"),
        ("#note", "To ignore a name that begins with #: \\#note"),
        ("a  ", "would not count"),
        ("", "matches nothing"),
        ("   ", "would not count"),
        ("/", "matches nothing"),
        ("!", "matches nothing"),
        ("./build", "/build"),
        ("../x", "no . and no .."),
        ("!./x", "no . and no .."),
    ],
)
def test_a_line_that_would_say_something_else_is_refused(workspace: Path, pattern: str, said: str):
    answer = add("*.log", pattern)
    assert (answer["exit"], answer["error"]["kind"], answer["changed"]) == (2, "usage", False)
    assert said in answer["text"]
    assert not (workspace / ".gitignore").exists()


@pytest.mark.parametrize("pattern", ["\\#note", "a\\ ", "!keep", "**/x", "[a-z]*", "é", "..."])
def test_nothing_is_escaped_and_git_reads_what_was_written(workspace: Path, pattern: str):
    program("git")
    add(pattern)
    assert (workspace / ".gitignore").read_text() == pattern + "\n"
    assert add(pattern)["changed"] is False


def test_git_ignores_what_was_added(workspace: Path, home: Path):
    program("git")
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "-q", "."], env=environment, check=True)
    make(workspace, {"a.log": "", "b": ""})
    add("*.log")
    ran = subprocess.run(["git", "check-ignore", "a.log", "b"], env=environment, capture_output=True, text=True)
    assert ran.stdout == "a.log\n"


def test_an_order_of_lines_that_makes_one_ineffective_is_said(workspace: Path):
    make(workspace, {".gitignore": "*.log\n!keep.log\nbuild/\n"})
    assert "*.log (line 1) is taken back in part by what comes later (line 2: !keep.log)" in add("*.log")["text"]
    assert "line 2: !keep.log has no effect any more: keep.* comes after it" in add("keep.*")["text"]
    lost = add("!build/keep/x")["text"]
    assert "!build/keep/x has no effect: line 3: build/ ignores a directory above it" in lost
    assert "no effect" not in add("!other/x")["text"]


def test_a_pattern_that_was_taken_back_whole_is_added_again(workspace: Path):
    make(workspace, {".gitignore": "*.log\n!*.log\n", "a.log": ""})
    assert add("*.log")["data"]["added"] == ["*.log"]
    assert call("gitignore_check", {"paths": ["a.log"]})["exit"] == 0
    assert add("*.log")["changed"] is False


def test_an_ignore_file_that_git_could_not_read_is_refused_or_said(workspace: Path):
    make(workspace, {".gitignore": "*.log\n".encode("utf-16"), "sub/real": "a\n"})
    assert add("x")["error"]["kind"] == "binary"
    (workspace / "sub/.gitignore").symlink_to("real")
    answer = add("x", path="sub")
    assert "is a link, and git reads no .gitignore through one" in answer["text"]
    os.mkfifo(workspace / "fifo")
    os.replace(workspace / "fifo", workspace / ".gitignore")
    assert add("x")["error"]["kind"] == "not_a_file"


def test_an_ignore_file_outside_is_asked_about(workspace: Path, tmp_path: Path):
    assert add("x", path=str(tmp_path), yolo=False)["exit"] == 75
    assert not (tmp_path / ".gitignore").exists()
