"""Streams that are closed, full, silent or a terminal, and a working directory that is gone: said in one line."""

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from codetools.core.tool import Tool
from tests.bad_input.doors import (
    STAGING,
    TOOLS,
    answered,
    command_line,
    each_tool,
    run,
    spoken,
    through_json,
    untouched,
    valid,
)
from tests.cli.typed import CODETOOLS, PATIENCE_SECONDS

READ = next(tool for tool in TOOLS if tool.name == "read")
WRITE = next(tool for tool in TOOLS if tool.name == "write")


def call_words(tool: Tool, *flags: str) -> list[str]:
    return [str(CODETOOLS), "call", tool.name, json.dumps(valid(tool)), *flags]


def typed_words(tool: Tool, *flags: str) -> list[str]:
    return [str(CODETOOLS), *command_line(tool, valid(tool), *flags)]


each_door = pytest.mark.parametrize("words", [call_words, typed_words], ids=["call", "typed"])


@pytest.fixture
def changed(files: Path) -> Path:
    """A workspace with one change, so that there is something to undo."""
    (files / "b.txt").write_text("b\n")
    assert through_json(WRITE, {"file_path": "b.txt", "content": "bb\n"}, "--yolo").code == 0
    return files


@each_tool
@each_door
def test_i4_a_full_output_is_an_error_in_one_line(words: Callable[..., list[str]], tool: Tool, changed: Path):
    with open("/dev/full", "w") as full:
        done = run(words(tool, "--yolo"), stdin=subprocess.DEVNULL, stdout=full)
    answer = spoken(done.returncode, "", done.stderr)
    assert (answer.code, "standard output: No space left on device" in answer.line) == (74, True)
    assert ("The change was made" in answer.line) == tool.effects.stages


@pytest.mark.parametrize("tool", [READ, WRITE], ids=lambda tool: tool.name)
@each_door
def test_i4_a_closed_output_is_an_error_in_one_line(words: Callable[..., list[str]], tool: Tool, files: Path):
    done = run(words(tool, "--yolo"), stdin=subprocess.DEVNULL, stdout=None, preexec_fn=lambda: os.close(1))
    answer = spoken(done.returncode, "", done.stderr)
    assert (answer.code, "standard output" in answer.line) == (74, True)


@pytest.mark.parametrize("flag", ["--json", "--stream", "--help"])
def test_i4_every_form_of_output_is_checked(flag: str, files: Path):
    with open("/dev/full", "w") as full:
        done = run([str(CODETOOLS), "bash", flag, "--", "cat a.txt"], stdout=full)
    assert spoken(done.returncode, "", done.stderr).code == 74


@pytest.mark.parametrize("tool", STAGING, ids=lambda tool: tool.name)
def test_a_change_whose_answer_was_lost_can_be_undone(tool: Tool, changed: Path):
    before = contents(changed)
    done = run(call_words(tool, "--yolo"), stdin=subprocess.DEVNULL, stdout=None, preexec_fn=lambda: os.close(1))
    assert contents(changed) != before
    (undo,) = re.findall(r"The change was made \(undo (\d+)\)", done.stderr)
    assert run([str(CODETOOLS), "undo", undo, "--yolo"]).returncode == 0
    assert contents(changed) == before


@each_tool
@each_door
def test_closed_standard_input_and_error_hurt_nobody(words: Callable[..., list[str]], tool: Tool, changed: Path):
    def close() -> None:
        os.close(0)
        os.close(2)

    done = run(words(tool, "--yolo"), stderr=None, stdin=None, preexec_fn=close)
    assert done.returncode == 0, done.stdout
    assert done.stdout
    if tool is READ:
        assert run(words(tool, "--root", "absent"), stderr=None, stdin=None, preexec_fn=close).returncode == 66


@pytest.mark.parametrize("kind", ["closed", "write-only", "terminal", "empty"])
@pytest.mark.parametrize("tool", [READ, WRITE], ids=lambda tool: tool.name)
def test_a_standard_input_that_gives_no_arguments_is_a_usage_error(kind: str, tool: Tool, files: Path):
    with untouched(files), standard_input(kind) as descriptor:
        closing = {"preexec_fn": lambda: os.close(0)} if descriptor is None else {}
        answer = answered(run([str(CODETOOLS), "call", tool.name, "--yolo"], stdin=descriptor, **closing))
    assert answer.kind == "usage"
    assert "standard input" in answer.line
    assert f"codetools call {tool.name} " in answer.document["text"]


@pytest.mark.parametrize("kind", ["closed", "write-only", "silent", "not UTF-8"])
def test_a_text_that_cannot_be_read_from_standard_input_changes_nothing(kind: str, files: Path, home: Path):
    (home / "c.yaml").write_text("limits: {stdin_seconds: 0.1}\n")
    words = [str(CODETOOLS), "write", "a.txt", "--content-file", "-", "--yolo", "--config", str(home / "c.yaml")]
    with untouched(files), standard_input(kind) as descriptor:
        closing = {"preexec_fn": lambda: os.close(0)} if descriptor is None else {}
        done = run(words, stdin=descriptor, **closing)
        enveloped = None if kind == "not UTF-8" else answered(run([*words, "--json"], stdin=descriptor, **closing))
    answer = spoken(done.returncode, done.stdout, done.stderr)
    assert answer.code == (65 if kind == "not UTF-8" else 2), answer
    assert "standard input" in answer.line
    assert enveloped is None or enveloped.kind == "usage"


def test_i6_a_call_does_not_wait_for_silent_arguments_for_ever(silent_call: "subprocess.Popen[str]", files: Path):
    out, error = silent_call.communicate(timeout=PATIENCE_SECONDS)
    answer = answered(subprocess.CompletedProcess([], silent_call.returncode, out, error))
    assert (answer.kind, "stayed silent for 10 seconds" in answer.line) == ("usage", True)


@each_tool
@each_door
def test_a_deleted_working_directory_is_said_and_another_can_be_named(
    words: Callable[..., list[str]], tool: Tool, changed: Path, tmp_path: Path
):
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f"cd '{gone}' && rmdir '{gone}' && exec \"$@\""
    with untouched(changed):
        done = run(["bash", "-c", script, "-", *words(tool, "--yolo")])
    answer = spoken(done.returncode, done.stdout, done.stderr) if words is typed_words else answered(done)
    assert (answer.code, "working directory no longer exists" in answer.line) == (66, True)
    if words is call_words:
        gone.mkdir()
        assert run(["bash", "-c", script, "-", *words(tool, "--yolo", f"--directory={changed}")]).returncode == 0


def contents(directory: Path) -> dict[str, str | None]:
    return {str(path): path.read_text() if path.is_file() else None for path in directory.rglob("*")}


@contextmanager
def standard_input(kind: str) -> Iterator[int | None]:
    """Give a descriptor to read from, or None for one that is to be closed."""
    if kind == "closed":
        yield None
        return
    others: list[int] = []
    if kind == "write-only":
        descriptor = os.open(os.devnull, os.O_WRONLY)
    elif kind == "terminal":
        leader, descriptor = os.openpty()
        others = [leader]
    else:
        descriptor, writer = os.pipe()
        os.write(writer, b"\xff" if kind == "not UTF-8" else b"")
        if kind == "silent":
            others = [writer]
        else:
            os.close(writer)
    yield descriptor
    for one in (descriptor, *others):
        os.close(one)
