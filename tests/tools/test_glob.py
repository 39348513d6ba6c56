import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.calls import call
from tests.search.engines import make


def glob(pattern: str, **arguments: object) -> dict:
    return call("glob", {"pattern": pattern, **arguments})


def paths(pattern: str, **arguments: object) -> list[str]:
    return sorted(found["path"] for found in glob(pattern, **arguments)["data"]["paths"])


def test_files_are_listed_newest_first_with_size_and_time(workspace: Path):
    make(workspace, {"old.py": "1", "src/new.py": "22", "a.txt": ""})
    os.utime(workspace / "old.py", (1000, 1000))
    os.utime(workspace / "src/new.py", (2000, 2000.5))
    answer = glob("**/*.py")
    assert answer["text"] == "src/new.py\nold.py"
    assert answer["data"] == {
        "pattern": "**/*.py",
        "paths": [{"path": "src/new.py", "size": 2, "mtime": 2000.5}, {"path": "old.py", "size": 1, "mtime": 1000.0}],
        "total_paths": 2,
        "engine": "ripgrep",
        "timed_out": False,
    }


def test_a_pattern_is_relative_to_its_directory(workspace: Path):
    make(workspace, {"a.py": "", "src/b.py": "", "src/deep/c.py": "", "src/.hidden/d.py": ""})
    assert paths("*.py") == ["a.py"]
    assert paths("*.py", path="src") == ["src/b.py"]
    assert paths("src/**/*.py") == ["src/.hidden/d.py", "src/b.py", "src/deep/c.py"]
    assert paths("{a,src/b}.py") == ["a.py", "src/b.py"]
    assert paths("./a.py") == ["a.py"]
    assert paths("src/@(b|x).py") == ["src/b.py"]


def test_absolute_and_upward_patterns_start_where_they_point(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    make(workspace, {"src/a.py": "", "lib/b.py": ""})
    assert paths(f"{workspace}/src/**") == ["src/a.py"]
    monkeypatch.chdir(workspace / "src")
    assert paths("../lib/*.py") == ["../lib/b.py"]
    assert glob("/etc/*")["exit"] == 75


def test_ignored_files_are_left_out_unless_asked(workspace: Path):
    make(workspace, {".gitignore": "*.log\n", "a.log": "", "b.txt": "", "dist/c.txt": ""})
    assert paths("**") == [".gitignore", "b.txt"]
    assert paths("**", include_ignored=True) == [".gitignore", "a.log", "b.txt", "dist/c.txt"]
    answer = glob("*.log")
    assert answer["exit"] == 1
    assert "Passed over: 2 ignored entries (a.log, dist); include_ignored lists them" in answer["text"]


def test_nothing_found_tells_which_pattern_was_meant(workspace: Path):
    make(workspace, {"src/a.py": "", "src/b.py": ""})
    answer = glob("*.py")
    assert (answer["exit"], answer["ok"]) == (1, True)
    assert answer["text"] == "No paths match *.py.\n[**/*.py matches 2 paths, in directories below]"
    assert "src/** lists" in glob("src/")["text"]


def test_links_are_listed_as_themselves(workspace: Path, tmp_path: Path):
    make(tmp_path, {"out/x.md": ""})
    make(workspace, {"AGENTS.md": "text"})
    (workspace / "CLAUDE.md").symlink_to("AGENTS.md")
    (workspace / "gone.md").symlink_to("nowhere")
    (workspace / "dir.md").symlink_to(tmp_path / "out")
    assert paths("**/*.md") == ["AGENTS.md", "CLAUDE.md", "gone.md"]


def test_a_cap_names_the_exact_total_i6(workspace: Path):
    make(workspace, {f"f{number}": "" for number in range(12)})
    make(workspace, {".codetools/config.yaml": "limits: {glob_paths: 5}\n"})
    answer = glob("f*")
    assert (len(answer["data"]["paths"]), answer["data"]["total_paths"]) == (5, 12)
    assert answer["data"]["truncated"] == {"unit": "paths", "shown": 5, "total": 12, "limit": 5}
    assert "5 of 12 paths shown" in answer["text"]


def test_odd_names_stand_in_one_row_each(workspace: Path):
    names = ["a\nb", "tab\t", "plain", "-x"]
    make(workspace, dict.fromkeys(names, ""))
    answer = glob("*")
    assert sorted(answer["text"].split("\n")) == ['"a\\nb"', '"tab\\t"', "./-x", "plain"]
    assert sorted(found["path"] for found in answer["data"]["paths"]) == sorted(["./-x", *names[:3]])


def test_what_a_rule_denies_is_not_listed_i2(workspace: Path):
    make(workspace, {"private/a": "", "open/b": ""})
    answer = call("glob", {"pattern": "**"}, deny=("glob(private/**)",))
    assert [found["path"] for found in answer["data"]["paths"]] == ["open/b"]


@pytest.mark.parametrize(("pattern", "kind"), [("", "usage"), ("{a,b}" * 30, "usage")])
def test_a_broken_pattern_is_a_usage_error(workspace: Path, pattern: str, kind: str):
    assert glob(pattern)["error"]["kind"] == kind


def test_a_file_or_nothing_to_start_from_is_an_error(workspace: Path):
    make(workspace, {"f": ""})
    assert glob("*", path="f")["error"]["kind"] == "not_a_file"
    assert glob("*", path="nowhere")["error"]["kind"] == "not_found"


def test_names_that_end_in_nul_are_for_xargs(workspace: Path):
    make(workspace, dict.fromkeys(["a\nb", "-x", "plain"], ""))
    words = [sys.executable, "-m", "codetools", "glob", "-0", "*"]
    assert sorted(subprocess.run(words, capture_output=True).stdout.split(b"\0")) == [b"", b"./-x", b"a\nb", b"plain"]


def test_what_default_excludes_alone_hide_is_named(workspace: Path):
    make(workspace, {"a.py": "", "build/b.py": "", "dist/c.py": "", ".gitignore": "dist/\n"})
    (notice,) = glob("**/*.py")["notices"]
    assert notice == {"kind": "excluded", "message": "Not listed by default: build; include_ignored lists them"}
    assert glob("**/*.py", include_ignored=True)["notices"] == []


def test_our_own_ignore_files_hold_at_every_level_in_every_tool(workspace: Path):
    make(workspace, {"a/x.log": "foo\n", "a/b/x.log": "foo\n", "a/b/keep.log": "foo\n", "x.log": "foo\n"})
    make(workspace, {"a/.codetoolsignore": "*.log\n", "a/b/.codetoolsignore": "!keep.log\n"})
    seen = ["a/.codetoolsignore", "a/b/.codetoolsignore", "a/b/keep.log", "x.log"]
    assert paths("**") == seen
    assert paths("**/*.log") == seen[2:]
    for arguments in ({}, {"glob": "*.log"}):
        found = call("grep", {"pattern": "foo", **arguments})["data"]
        assert [match["path"] for match in found["matches"]] == seen[2:]
    assert call("grep", {"pattern": "keep"})["data"]["matches"][0]["path"] == "a/b/.codetoolsignore"
    assert call("tree")["data"]["total_files"] == 4
    assert len(paths("**", include_ignored=True)) == 6
