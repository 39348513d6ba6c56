"""Settings files and stores that are wrong: never taken for "no rules", never a hang, never a change."""

import os
import sqlite3
import time
from pathlib import Path

import pytest

from codetools.core.tool import Tool
from tests.bad_input.doors import (
    DOORS,
    STAGING,
    TOOLS,
    each_tool,
    refused,
    through_call,
    through_json,
    through_typed,
    untouched,
    valid,
)

READ, WRITE, EDIT, UNDO = (
    next(tool for tool in TOOLS if tool.name == name) for name in ("read", "write", "edit", "undo")
)
MOST_SECONDS = 10.0
DEEP = "{limits: " + "[" * 2000 + "]" * 2000 + "}"
WRONG = {
    "invalid": (b"limits: [", ""),
    "not UTF-8": (b"yolo: \xff\n", ""),
    "a NUL": (b"yolo: \0\n", ""),
    "no mapping": (b"- read\n", ""),
    "a key twice": (b"yolo: false\nyolo: true\n", "yolo"),
    "a tag": (b"limits: !!python/object/apply:os.system ['touch owned']\n", ""),
    "an alias": (b"allowed_tools: &a [read]\ndenied_tools: *a\n", ""),
    "a merge key": (b"limits: {<<: {read_lines: 5}}\n", ""),
    "an unknown key": (b"denied_tool: [write]\n", "denied_tools"),
    "an unknown limit": (b"limits: {read_line: 5}\n", "read_lines"),
    "another type": (b"yolo: yes\n", "yolo"),
    "a limit out of range": (b"limits: {read_lines: 0}\n", "read_lines"),
    "an unknown tool": (b"denied_tools: [raed]\n", "read"),
    "two documents": (b"yolo: false\n---\nyolo: true\n", ""),
    "too deep": (DEEP.encode(), ""),
}


@pytest.fixture(params=["user", "project"])
def settings(request: pytest.FixtureRequest, files: Path, home: Path) -> Path:
    """Where a settings file may stand."""
    directory = home / ".config" / "codetools" if request.param == "user" else files / ".codetools"
    directory.mkdir(parents=True)
    return directory / "config.yaml"


@pytest.mark.parametrize("kind", ["fifo", "directory", "huge", "loop", "dangling", "device"])
def test_i1_a_settings_file_that_is_none_is_refused_at_once(kind: str, settings: Path, files: Path):
    if kind == "fifo":
        os.mkfifo(settings)
    elif kind == "directory":
        settings.mkdir()
    elif kind == "huge":
        settings.touch()
        os.truncate(settings, 1 << 30)
    else:
        settings.symlink_to({"loop": "config.yaml", "dangling": "absent", "device": "/dev/zero"}[kind])
    started = time.monotonic()
    with untouched(files):
        for tool in (READ, WRITE):
            assert "config.yaml" in refused(tool, valid(tool), "config").line
    assert time.monotonic() - started < MOST_SECONDS


@pytest.mark.parametrize("kind", list(WRONG))
def test_a_settings_file_that_cannot_be_understood_is_refused(kind: str, settings: Path, files: Path):
    content, named = WRONG[kind]
    settings.write_bytes(content)
    with untouched(files):
        answer = refused(WRITE, valid(WRITE), "config")
    assert "config.yaml" in answer.line
    assert named in answer.line


@each_tool
def test_no_tool_runs_under_settings_that_do_not_parse(tool: Tool, files: Path):
    (files / ".codetools").mkdir()
    (files / ".codetools" / "config.yaml").write_text("denied_tools: [")
    with untouched(files):
        refused(tool, valid(tool), "config")


@each_tool
def test_i1_yolo_of_a_project_is_ignored_and_said(tool: Tool, files: Path):
    (files / ".codetools").mkdir()
    (files / ".codetools" / "config.yaml").write_text("yolo: true\n")
    if tool is UNDO:
        assert through_json(WRITE, {"file_path": "b.txt", "content": "b"}, "--yolo").code == 0
    asks = tool in STAGING
    with untouched(files):
        answers = [door(tool, valid(tool)) for door in DOORS]
    nothing_yet = tool.name in ("diff", "history")
    assert {answer.code for answer in answers} == {75 if asks else 1 if nothing_yet else 0}
    said = [notice["message"] for notice in answers[0].document["notices"] if notice["kind"] == "config"]
    assert len(said) == 1
    assert "yolo" in said[0]


@pytest.mark.parametrize("tool", STAGING, ids=lambda tool: tool.name)
def test_a_store_locked_by_another_process_refuses_changes_and_not_reading(tool: Tool, files: Path, home: Path):
    (home / ".config" / "codetools").mkdir(parents=True)
    (home / ".config" / "codetools" / "config.yaml").write_text("limits: {lock_seconds: 0.1}\n")
    assert through_call(WRITE, {"file_path": "b.txt", "content": "b"}, "--yolo").code == 0
    other = sqlite3.connect(store(home), isolation_level=None)
    try:
        other.execute("BEGIN EXCLUSIVE")
        with untouched(files):
            answer = refused(tool, valid(tool), "io")
            assert "locked by another process" in answer.line
            assert answer.document["changed"] is False
            for flags in ((), ("--session", "s")):
                assert through_call(READ, valid(READ), *flags).code == 0
    finally:
        other.close()
    assert through_call(tool, valid(tool), "--yolo").code == 0


@pytest.mark.parametrize("damage", ["noise", "empty", "cut", "directory"])
@pytest.mark.parametrize("door", DOORS, ids=["call", "json", "typed"])
def test_a_damaged_store_is_set_aside_and_work_goes_on(damage: str, door: object, files: Path, home: Path):
    assert through_call(WRITE, {"file_path": "b.txt", "content": "b"}, "--yolo", "--session", "s").code == 0
    place = store(home)
    for side in place.parent.glob("store.sqlite-*"):
        side.unlink()
    if damage == "directory":
        place.unlink()
        place.mkdir()
    else:
        place.write_bytes({"noise": b"noise " * 1000, "empty": b"", "cut": place.read_bytes()[:5000]}[damage])
    assert through_typed(READ, valid(READ), "--session", "s").code == 0
    answer = door(EDIT, valid(EDIT), "--yolo")
    assert answer.code == 0, answer
    assert (files / "a.txt").read_text() == "new text\n"
    if damage != "empty":
        assert list(place.parent.glob("store.sqlite.corrupt-*"))


@each_tool
def test_a_state_directory_inside_the_workspace_is_refused(tool: Tool, files: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CODETOOLS_HOME", str(files / "state"))
    with untouched(files):
        assert "CODETOOLS_HOME" in refused(tool, valid(tool), "config").line


def store(home: Path) -> Path:
    return home / ".local" / "state" / "codetools" / "store.sqlite"
