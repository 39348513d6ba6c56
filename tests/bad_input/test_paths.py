"""Paths that lead to no readable text: refused for what they are, at once, by every tool that takes a path."""

import ctypes
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from codetools.core.tool import Tool
from tests.bad_input.doors import TOOLS, Answer, refused, through_call, through_json, through_typed, untouched, valid

OPENING = {"read": "file_path", "edit": "file_path", "write": "file_path", "bash": "working_dir"}
LOOKING = {"grep": "path", "glob": "path", "ls": "path", "tree": "path"}
PATH_FIELDS = {tool.name: (tool, field) for tool in TOOLS if (field := {**OPENING, **LOOKING}.get(tool.name))}
READERS = ("read", "edit")
MOST_SECONDS = 5.0  # a machine may be busy; what would hang waits for ever
_PR_CAPBSET_DROP, _DAC_OVERRIDE, _DAC_READ_SEARCH = 24, 1, 2
_libc = ctypes.CDLL(None, use_errno=True)

each_tool = pytest.mark.parametrize(("tool", "field"), PATH_FIELDS.values(), ids=list(PATH_FIELDS))


@pytest.fixture
def planted(files: Path) -> Iterator[Path]:
    os.mkfifo(files / "fifo")
    (files / "dir").mkdir()
    (files / "dir" / "b.txt").write_text("old\n")
    (files / "binary").write_bytes(b"old" + bytes(range(256)) * 40)
    (files / "latin").write_bytes(b"old caf\xe9 \xff\n")
    (files / "loop").symlink_to("loop")
    (files / "out").symlink_to("/etc")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
        yield files


@each_tool
@pytest.mark.parametrize("path", ["fifo", "socket", "/dev/zero", "/proc/version"])
def test_i6_what_is_no_file_is_refused_at_once(tool: Tool, field: str, path: str, planted: Path):
    started = time.monotonic()
    if tool.name == "ls":
        pytest.skip("it shows what stands there, and opens nothing")
    kind = "usage" if field == "working_dir" else "not_a_file"
    with untouched(planted):
        answer = refused(tool, {**valid(tool), field: path}, kind)
    assert path in answer.line
    assert time.monotonic() - started < MOST_SECONDS


@each_tool
def test_a_path_that_leads_nowhere_is_refused(tool: Tool, field: str, planted: Path):
    with untouched(planted):
        for path, kinds in {
            "absent/x": ("not_found",),
            "a.txt/x": ("not_found",),
            "loop": ("io",),
            "n" * 300: ("io",),
            "out/passwd": ("outside_workspace",),
        }.items():
            if tool.name == "write" and path == "absent/x":
                continue  # makes the directories it needs
            answer = through_json(tool, {**valid(tool), field: path}, "--yolo")
            assert answer.kind in kinds, answer
            assert path in answer.line
            assert through_typed(tool, {**valid(tool), field: path}, "--yolo").code == answer.code


@each_tool
def test_a_nul_in_a_path_is_a_usage_error(tool: Tool, field: str, planted: Path):
    with untouched(planted):
        answer = refused(tool, {**valid(tool), field: "a\0.txt"}, "usage")
    assert "NUL" in answer.line


@pytest.mark.parametrize("name", ["read", "edit", "write"])
def test_a_directory_is_no_file(name: str, planted: Path):
    tool, field = PATH_FIELDS[name]
    with untouched(planted):
        for path in ("dir", "dir/", "."):
            assert "is a directory" in refused(tool, {**valid(tool), field: path}, "is_a_directory").line


@pytest.mark.parametrize("name", ["glob", "tree", "bash"])
def test_a_file_is_no_directory(name: str, planted: Path):
    tool, field = PATH_FIELDS[name]
    with untouched(planted):
        assert "a.txt" in refused(tool, {**valid(tool), field: "a.txt"}, "not_a_file", "usage").line


@pytest.mark.parametrize("name", READERS)
def test_a_binary_file_is_neither_shown_nor_edited(name: str, planted: Path):
    tool, field = PATH_FIELDS[name]
    with untouched(planted):
        assert "binary" in refused(tool, {**valid(tool), field: "binary"}, "binary").line


def test_matches_in_a_binary_file_are_told_and_not_shown(planted: Path):
    tool, field = PATH_FIELDS["grep"]
    answer = through_call(tool, {"pattern": "old", field: "binary"})
    assert (answer.code, answer.document["data"]["matches"]) == (0, [])
    assert "binary" in answer.document["text"]


def test_invalid_utf8_is_shown_with_a_notice_and_kept_by_an_edit(planted: Path):
    shown = through_call(PATH_FIELDS["read"][0], {"file_path": "latin"})
    assert (shown.code, "not valid UTF-8" in shown.document["text"]) == (0, True)
    edited = through_call(
        PATH_FIELDS["edit"][0], {"file_path": "latin", "old_string": "old", "new_string": "new"}, "--yolo"
    )
    assert edited.code == 0
    assert (planted / "latin").read_bytes() == b"new caf\xe9 \xff\n"


@each_tool
def test_what_may_not_be_read_is_said_and_stays(tool: Tool, field: str, planted: Path):
    closed = "closed.txt" if field == "file_path" else "closed"
    (planted / "closed").mkdir()
    (planted / "closed.txt").write_text("old\n")
    for name in ("closed", "closed.txt"):
        (planted / name).chmod(0)
    answers: list[Answer] = []
    try:
        before = (planted / "closed.txt").lstat()
        answers.append(through_call(tool, {**valid(tool), field: closed}, "--yolo", preexec_fn=like_any_user))
        assert answers[0].kind == "io", answers
        assert "ermission" in answers[0].line
        assert (planted / "closed.txt").lstat() == before
    finally:
        (planted / "closed").chmod(0o700)
    assert (planted / "closed.txt").read_text() == "old\n"


@pytest.mark.parametrize("name", ["grep", "glob", "tree"])
def test_a_search_goes_on_where_a_part_may_not_be_read(name: str, planted: Path):
    tool, _ = PATH_FIELDS[name]
    (planted / "closed").mkdir(0)
    (planted / "secretive.txt").write_text("old\n")
    (planted / "secretive.txt").chmod(0)
    try:
        arguments = {"pattern": "**"} if name == "glob" else valid(tool)
        answer = through_call(tool, arguments, preexec_fn=like_any_user)
    finally:
        (planted / "closed").chmod(0o700)
    assert answer.code == 0
    assert "could not be read" in answer.document["text"], answer.document["text"]
    assert "closed" in answer.document["text"]


def like_any_user() -> None:
    """Take from root, in a process about to become the program, the right to read what its modes forbid."""
    if os.geteuid() == 0:
        for capability in (_DAC_OVERRIDE, _DAC_READ_SEARCH):
            if _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0):
                os._exit(99)
