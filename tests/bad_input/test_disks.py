"""Disks that are full or read-only, below the workspace and below the state: refused, and nothing lost."""

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from codetools.core.errors import EXIT_CODES
from codetools.core.tool import Tool
from tests import needs
from tests.bad_input.doors import (
    DOORS,
    OLD,
    STAGING,
    TOOLS,
    refused,
    run,
    through_call,
    through_json,
    through_typed,
    untouched,
    valid,
)

READ, WRITE, EDIT, BASH, UNDO = (
    next(tool for tool in TOOLS if tool.name == name) for name in ("read", "write", "edit", "bash", "undo")
)
SMALL = "size=64k"
each_staging = pytest.mark.parametrize("tool", STAGING, ids=lambda tool: tool.name)
OF_THE_STATE = ("diff", "history")  # what they show lies in the state itself
OF_JOBS = ("jobs_kill", "jobs_output", "jobs_wait")  # without a state there is no job to name
each_other = pytest.mark.parametrize(
    "tool", [tool for tool in TOOLS if tool not in STAGING and tool.name not in OF_JOBS], ids=lambda tool: tool.name
)
Mount = Callable[[Path, str], None]


@pytest.fixture
def mount() -> Iterator[Mount]:
    """Mount a tmpfs on a directory; taken down after the test."""
    with ExitStack() as undoing:

        def on(directory: Path, options: str) -> None:
            directory.mkdir(parents=True, exist_ok=True)
            done = run(["mount", "-t", "tmpfs", "-o", options, "none", str(directory)])
            if done.returncode:
                needs.missing(f"a small disk cannot be mounted; run these tests as root: {done.stderr}")
            undoing.callback(run, ["umount", "--lazy", str(directory)])

        yield on


@pytest.fixture
def small_workspace(workspace: Path, mount: Mount, monkeypatch: pytest.MonkeyPatch) -> Path:
    small = workspace / "small"
    mount(small, SMALL)
    (small / ".git").mkdir()
    (small / "a.txt").write_text(OLD)
    monkeypatch.chdir(small)
    return small


@pytest.fixture
def state(home: Path) -> Path:
    return home / ".local" / "state" / "codetools"


@pytest.mark.parametrize("tool", [WRITE, EDIT, UNDO], ids=lambda tool: tool.name)
def test_i5_a_workspace_without_space_keeps_every_file(tool: Tool, small_workspace: Path):
    (small_workspace / "b.txt").write_text("b" * 20_000)
    big = {"file_path": "b.txt", "content": "c\n"}
    assert through_json(WRITE, big, "--yolo").code == 0
    fill(small_workspace)
    arguments = {**valid(tool), "new_string": "n" * 70_000, "content": "n" * 70_000}
    arguments = {name: value for name, value in arguments.items() if name in tool.params.record_fields}
    with untouched(small_workspace):
        answer = refused(tool, arguments, "io")
    assert "No space left on device" in answer.line
    assert answer.document["changed"] is False


def test_a_new_file_without_space_leaves_no_litter(small_workspace: Path):
    with untouched(small_workspace):
        answer = refused(WRITE, {"file_path": "new/deep/c.txt", "content": "n" * 70_000}, "io")
    assert "No space left on device" in answer.line


@each_other
def test_a_full_workspace_can_be_read(tool: Tool, small_workspace: Path):
    fill(small_workspace)
    assert through_call(tool, valid(tool)).code == (1 if tool.name in OF_THE_STATE else 0)  # nothing has changed yet


@each_staging
@pytest.mark.parametrize("options", [SMALL, "ro"], ids=["full", "read-only"])
def test_i5_without_a_place_for_the_pre_image_nothing_is_changed(
    options: str, tool: Tool, files: Path, state: Path, mount: Mount
):
    mount(state, options.replace("64k", "256k"))
    if tool is UNDO and options == SMALL:
        assert through_json(WRITE, {"file_path": "b.txt", "content": "b" * 2000}, "--yolo").code == 0
    with untouched(files):
        for door in DOORS:
            if options == SMALL:
                fill(state)
            answer = door(tool, valid(tool), "--yolo")
            assert answer.code == EXIT_CODES["io"], answer
            assert not answer.document.get("changed")
            assert str(state) in answer.line


@each_other
@pytest.mark.parametrize("options", [SMALL, "ro"], ids=["full", "read-only"])
def test_reading_goes_on_without_a_place_for_the_state(
    options: str, tool: Tool, files: Path, state: Path, mount: Mount
):
    mount(state, options)
    if options == SMALL:
        fill(state)
    for flags in ((), ("--session", "s")):
        if tool.name in OF_THE_STATE:
            refused(tool, valid(tool), "io")
            continue
        answer = through_call(tool, valid(tool), *flags)
        assert answer.code == 0, answer
        told = [notice["message"] for notice in answer.document["notices"] if notice["kind"] == "audit"]
        assert told, answer.document["notices"]
        assert through_typed(tool, valid(tool), *flags).code == 0


def test_an_approval_that_cannot_be_kept_is_not_asked_for(files: Path, state: Path, mount: Mount):
    mount(state, "ro")
    for tool in (WRITE, BASH):
        with untouched(files):
            assert refused(tool, {**valid(tool), **touching(tool)}, "io", flags=()).line


@pytest.mark.parametrize("options", [SMALL, "ro"], ids=["full", "read-only"])
def test_long_output_that_cannot_be_kept_is_shown_and_said(options: str, files: Path, state: Path, mount: Mount):
    mount(state, options)
    answer = through_call(BASH, {"command": "seq 200000"}, "--yolo")
    assert (answer.code, answer.document["data"]["exit_code"]) == (0, 0)
    assert answer.document["text"].startswith("1\n2\n")
    assert "200000" in answer.document["text"]
    assert "kept" in answer.document["text"]


def touching(tool: Tool) -> dict[str, str]:
    """Return arguments that make a command one that has to be asked about."""
    return {"command": "touch b.txt"} if tool is BASH else {}


def fill(directory: Path) -> None:
    """Leave no byte on the disk that holds a directory; a store of ours that is still open gives some back later."""
    gc.collect()
    with open(directory / "filler", "ab", buffering=0) as filler:
        for size in (1 << 12, 1):
            try:
                while filler.write(b"x" * size):
                    pass
            except OSError:
                continue
