"""More files and directories in one call than a process may have open; the limits are lowered so that few are many."""

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

COUNT = 300
CODETOOLS = str(Path(sys.executable).with_name("codetools"))


def files_may_be_open(soft: int, hard: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def limited(tool: str, arguments: dict[str, object], hard: int = 1024) -> dict:
    done = subprocess.run(
        [CODETOOLS, "call", tool, "--yolo"],
        input=json.dumps(arguments),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=files_may_be_open(256, hard),
    )
    assert done.stderr == ""
    return json.loads(done.stdout)


def names(*, in_own_directories: bool) -> list[str]:
    return [f"d{number}/f" if in_own_directories else f"f{number}" for number in range(COUNT)]


@pytest.mark.parametrize("in_own_directories", [False, True])
def test_more_files_than_may_be_open_are_patched_and_taken_back_in_one_call_each(
    workspace: Path, in_own_directories: bool
):
    every = names(in_own_directories=in_own_directories)
    for name in every:
        (workspace / name).parent.mkdir(exist_ok=True)
        (workspace / name).write_text("x\n")
    patch = "".join(f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-x\n+y\n" for name in every)
    answer = limited("patch", {"patch": patch})
    assert answer["changed"], answer["text"][:500]
    assert {(workspace / name).read_text() for name in every} == {"y\n"}
    answer = limited("undo", {})
    assert answer["changed"], answer["text"][:500]
    assert {(workspace / name).read_text() for name in every} == {"x\n"}


def test_more_directories_than_may_ever_be_open_are_refused_before_anything_is_written(workspace: Path):
    every = names(in_own_directories=True)
    for name in every:
        (workspace / name).parent.mkdir()
        (workspace / name).write_text("x\n")
    patch = "".join(f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-x\n+y\n" for name in every)
    answer = limited("patch", {"patch": patch}, hard=500)
    assert (answer["error"]["kind"], answer["changed"]) == ("io", False)
    assert "this process may have 500" in answer["text"]
    assert {(workspace / name).read_text() for name in every} == {"x\n"}
    assert {str(path.name) for path in workspace.rglob("*") if path.is_file()} == {"f"}
