"""Ctrl-C at any moment: exit 130, one line or one envelope, no process left, every file old or new."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.bad_input.doors import OLD, Answer, answered, spoken
from tests.cli.typed import CODETOOLS, PATIENCE_SECONDS

BLOCK = b"some words that are of no use to anybody who looks for them\n" * 100_000
LINKS = 1000
SLOW_PATTERN = r"(\w+ ){30}never"
FORMS = {"call": answered, "json": answered, "typed": lambda done: spoken(done.returncode, "", done.stderr)}
EVENTS = {"call": 640, "json": 1200, "typed": 1200}  # about as many as one write has
MOMENTS = 10
each_form = pytest.mark.parametrize("form", list(FORMS))
each_target = pytest.mark.parametrize("to_group", [True, False], ids=["terminal", "kill"])
# a process that is interrupted at the event number N of those that Python audits, and then goes on
STOPPED_AT = """
import os, signal, sys
left = int(sys.argv.pop(1))
def count(event, arguments):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGINT)
from codetools.__main__ import main
sys.addaudithook(count)
main()
"""


def words(form: str, tool: str, arguments: dict[str, Any], *typed: str) -> list[str]:
    if form == "call":
        return [str(CODETOOLS), "call", tool, json.dumps(arguments), "--yolo"]
    return [str(CODETOOLS), tool, *typed, "--yolo", *(["--json"] if form == "json" else [])]


def interrupted(
    command: list[str], is_ready: Callable[[int], bool], *, to_group: bool, stdin: int = subprocess.DEVNULL
) -> subprocess.CompletedProcess[str]:
    """Start a command, press Ctrl-C once it is ready, and return how it ended."""
    process = subprocess.Popen(
        command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    until = time.monotonic() + PATIENCE_SECONDS
    while not is_ready(process.pid):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
    if to_group:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=PATIENCE_SECONDS)
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)  # nothing of its group is left
    return subprocess.CompletedProcess(command, process.returncode, out, error)


def children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def is_waiting(pid: int) -> bool:
    """Whether a process stands in select or poll."""
    try:
        return any(word in Path(f"/proc/{pid}/wchan").read_text() for word in ("poll", "select"))
    except OSError:
        return False


def refusal(form: str, done: subprocess.CompletedProcess[str]) -> Answer:
    answer = FORMS[form](done)
    assert answer.code == 130, done
    assert answer.kind in ("interrupted", None)
    assert "interrupted" in answer.line
    return answer


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree that takes far longer to search than anybody waits."""
    top = tmp_path_factory.mktemp("endless")
    (top / ".git").mkdir()
    (top / "0.txt").write_bytes(BLOCK)
    for number in range(1, LINKS):
        os.link(top / "0.txt", top / f"{number}.txt")
    return top


@each_form
@each_target
def test_a_long_search_ends_with_its_processes(
    form: str, to_group: bool, endless: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(endless)
    command = words(form, "grep", {"pattern": SLOW_PATTERN}, SLOW_PATTERN)
    refusal(form, interrupted(command, lambda pid: bool(children(pid)) and is_waiting(pid), to_group=to_group))


@each_form
@each_target
def test_a_command_ends_with_all_it_started_and_what_it_said_is_kept(form: str, to_group: bool, files: Path):
    script = "echo early; sleep 600 & echo $! > child; sleep 600"
    command = words(form, "bash", {"command": script}, script)
    done = interrupted(command, lambda pid: (files / "child").exists() and is_waiting(pid), to_group=to_group)
    answer = refusal(form, done)
    if form == "typed":
        assert done.stdout == "early\n"
    else:
        assert answer.document["data"]["stdout"] == "early\n"
    child = int((files / "child").read_text() or 0)
    until = time.monotonic() + PATIENCE_SECONDS
    while Path(f"/proc/{child}").exists():
        assert time.monotonic() < until


@each_form
def test_waiting_for_standard_input_ends(form: str, files: Path):
    reader, writer = os.pipe()
    command = {
        "call": [str(CODETOOLS), "call", "write", "--yolo"],
        "json": [str(CODETOOLS), "write", "a.txt", "--content-file", "-", "--yolo", "--json"],
        "typed": [str(CODETOOLS), "write", "a.txt", "--content-file", "-", "--yolo"],
    }[form]
    try:
        refusal(form, interrupted(command, is_waiting, to_group=True, stdin=reader))
    finally:
        os.close(reader)
        os.close(writer)
    assert (files / "a.txt").read_text() == OLD


@each_form
@pytest.mark.parametrize("part", range(MOMENTS))
def test_i4_a_write_interrupted_anywhere_is_old_or_new_and_says_which(form: str, part: int, files: Path):
    moment = 1 + part * EVENTS[form] // MOMENTS
    command = words(form, "write", {"file_path": "a.txt", "content": "new\n"}, "a.txt", "new\n")
    done = subprocess.run(
        [sys.executable, "-P", "-c", STOPPED_AT, str(moment), *command[1:]],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 130), (done.returncode, done.stderr)
    assert sorted(path.name for path in files.iterdir()) == [".git", "a.txt"]
    content = (files / "a.txt").read_text()
    assert content in (OLD, "new\n")
    if done.returncode == 0:
        assert content == "new\n"
    if done.stdout and form != "typed":
        assert answered(done).document["changed"] == (content == "new\n")
    if done.returncode == 130 and content != OLD:
        assert "The change was made" in done.stderr


# a process that gets a signal as soon as its answer has left
STOPPED_AFTER = """
import os, signal, sys
name = sys.argv.pop(1)
import codetools.render.write as module
written = module._write
def write(content):
    written(content)
    if content[-2:] == b"}\\n":
        os.kill(os.getpid(), getattr(signal, name))
module._write = write
from codetools.__main__ import main
main()
"""


@pytest.mark.parametrize("form", ["call", "json"])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("content", ["new\n", "new\n" * 5000], ids=["short", "long"])
def test_i4_a_signal_after_the_answer_does_not_change_the_exit_code(form: str, name: str, content: str, files: Path):
    command = words(form, "write", {"file_path": "a.txt", "content": content}, "a.txt", content)
    done = subprocess.run(
        [sys.executable, "-P", "-c", STOPPED_AFTER, name, *command[1:]],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert answered(done).document["changed"]
    assert (files / "a.txt").read_text() == content


def test_i6_a_reader_that_takes_nothing_does_not_keep_the_process_from_ending(files: Path):
    (files / "long.txt").write_bytes(bytes(300_000))
    command = words("call", "read", {"file_path": "long.txt", "base64": True})
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    assert process.stdout is not None
    process.stdout.read(1)
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_SECONDS) == 130
    process.stdout.close()
    assert process.stderr is not None
    assert b"interrupted while the answer was printed" in process.stderr.read()
