"""Many calls through one process: what comes back, in which order, and what a bad line does."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

DEADLINE_SECONDS = 30.0


class Batch:
    """A batch that runs, spoken to line by line."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "codetools", "batch", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )

    def say(self, *requests: Any) -> None:
        assert self.process.stdin is not None
        for request in requests:
            line = request if isinstance(request, bytes) else json.dumps(request).encode()
            self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        assert select.select([self.process.stdout], [], [], DEADLINE_SECONDS)[0], "no answer"
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def end(self) -> tuple[list[dict[str, Any]], int]:
        rest, _ = self.process.communicate(timeout=DEADLINE_SECONDS)
        return [json.loads(line) for line in rest.splitlines()], self.process.returncode


@pytest.fixture
def batch(workspace: Path) -> Iterator[Batch]:
    found = Batch("--yolo")
    yield found
    found.process.kill()
    found.process.communicate()


def read(number: Any, path: str) -> dict[str, Any]:
    return {"id": number, "tool": "read", "input": {"file_path": path}}


def bash(number: Any, command: str) -> dict[str, Any]:
    return {"id": number, "tool": "bash", "input": {"command": command}}


def run(*requests: Any, options: tuple[str, ...] = ()) -> tuple[list[dict[str, Any]], int]:
    batch = Batch("--yolo", *options)
    batch.say(*requests)
    return batch.end()


def test_each_call_has_one_answer_with_its_id_in_the_order_of_the_requests(workspace: Path):
    names = [f"{number}.txt" for number in range(40)]
    for name in names:
        (workspace / name).write_text(name)
    answers, code = run(*(read(name, name) for name in names))
    assert [(answer["id"], answer["data"]["content"]) for answer in answers] == [(name, name) for name in names]
    assert code == 0


def test_an_open_pipe_is_a_resident_server(batch: Batch, workspace: Path):
    (workspace / "a.txt").write_text("one")
    for number in range(3):
        batch.say(read(number, "a.txt"))
        assert batch.hear()["id"] == number
    assert batch.end() == ([], 0)


def test_calls_share_a_session_and_a_stale_edit_is_refused(batch: Batch, workspace: Path):
    (workspace / "a.txt").write_text("one\n")
    batch.say(read(1, "a.txt"))
    session = batch.hear()["session"]
    (workspace / "a.txt").write_text("one!\n")
    batch.say({"id": 2, "tool": "edit", "input": {"file_path": "a.txt", "old_string": "one", "new_string": "two"}})
    answer = batch.hear()
    assert (answer["error"]["kind"], answer["session"]) == ("stale", session)


def test_a_call_that_changes_waits_for_those_before_and_holds_up_those_behind(workspace: Path):
    answers, _ = run(
        bash(1, "sleep 0.3; echo one > a.txt"),
        read(2, "a.txt"),
        {"id": 3, "tool": "edit", "input": {"file_path": "a.txt", "old_string": "one", "new_string": "two"}},
        read(4, "a.txt"),
        options=("--unordered",),
    )
    assert [answer["id"] for answer in answers] == [1, 2, 3, 4]
    assert [answers[1]["data"]["content"], answers[3]["data"]["content"]] == ["one\n", "two\n"]


def test_two_edits_of_one_file_are_both_made(workspace: Path):
    (workspace / "a.txt").write_text("a b")
    edits = [
        {"id": old, "tool": "edit", "input": {"file_path": "a.txt", "old_string": old, "new_string": old.upper()}}
        for old in "ab"
    ]
    answers, _ = run(*edits)
    assert all(answer["changed"] for answer in answers)
    assert (workspace / "a.txt").read_text() == "A B"


@pytest.mark.parametrize(
    ("line", "request_id", "said"),
    [
        (b"junk", None, "not JSON"),
        (b"\xff\xfe", None, "not JSON"),
        (b"[1]", None, "a request is a JSON object"),
        (b'{"id": 1, "id": 2, "tool": "read"}', None, "'id' stands twice"),
        (b'{"id": 7}', 7, "names its tool"),
        (b'{"id": 7, "tool": "read", "inputs": {}}', 7, "no 'inputs'"),
        (b'{"id": [7], "tool": "read"}', None, "an id is a text or a number"),
        (b'{"id": 7, "tool": "read", "dry_run": "no"}', 7, "dry_run is true or false"),
        (b"[" * 100_000, None, "nested too deep"),
    ],
)
def test_a_bad_line_is_an_error_and_not_the_end(workspace: Path, line: bytes, request_id: Any, said: str):
    (workspace / "a.txt").write_text("one")
    (wrong, right), code = run(line, read(8, "a.txt"))
    assert (wrong["id"], wrong["tool"], wrong["error"]["kind"]) == (request_id, "batch", "usage")
    assert said in wrong["error"]["message"]
    assert wrong["error"]["message"].startswith("line 1: ")
    assert (right["id"], right["ok"], code) == (8, True, 0)


def test_an_unknown_tool_and_wrong_arguments_are_answered_under_their_id(workspace: Path):
    answers, _ = run({"id": 1, "tool": "raed"}, {"id": 2, "tool": "read", "input": {"path": 3}})
    assert [(answer["id"], answer["error"]["kind"]) for answer in answers] == [(1, "usage"), (2, "usage")]
    assert "'read'" in answers[0]["error"]["hint"]


def test_a_line_that_is_too_long_is_passed_over(workspace: Path, tmp_path: Path):
    (workspace / "a.txt").write_text("one")
    (wrong, right), _ = run(b'{"id": 1, "tool": "' + b"x" * (65 << 20) + b'"}', read(2, "a.txt"))
    assert "too long" in wrong["error"]["message"]
    assert right["ok"]


def test_a_cancelled_call_ends_with_its_processes_and_the_others_go_on(batch: Batch, workspace: Path):
    batch.say(bash("long", "echo begun > begun; exec sleep 87"), read("next", "begun"))
    until((workspace / "begun").exists)
    began = time.monotonic()
    batch.say({"cancel": "long"})
    assert (batch.hear()["error"]["kind"], batch.hear()["ok"]) == ("interrupted", True)
    assert time.monotonic() - began < 10


def test_a_call_that_waits_can_be_cancelled(batch: Batch, workspace: Path):
    batch.say(bash(1, "touch begun; sleep 0.5"), bash(2, "touch never"))
    until((workspace / "begun").exists)
    batch.say({"cancel": 2}, {"cancel": "no such call"})
    assert batch.hear()["ok"]
    assert "before it began" in batch.hear()["error"]["message"]
    assert not (workspace / "never").exists()
    assert batch.end() == ([], 0)


def test_an_id_in_use_is_refused_and_free_again_once_answered(batch: Batch, workspace: Path):
    batch.say(bash(1, "sleep 0.2"), bash(1, "true"))
    assert [batch.hear()["ok"], batch.hear()["ok"]] == [True, False]
    batch.say(bash(1, "true"))
    assert batch.hear()["ok"]


def test_settings_that_change_hold_from_the_next_call_on(home: Path, workspace: Path):
    batch = Batch()
    (workspace / "a.txt").write_text("one")
    batch.say(read(1, "a.txt"))
    assert batch.hear()["ok"]
    settings = home / ".config" / "codetools" / "config.yaml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("denied_tools: [read]\n")
    batch.say(read(2, "a.txt"))
    assert batch.hear()["error"]["kind"] == "denied"
    settings.write_text("denied_tools: [")
    batch.say(read(3, "a.txt"))
    assert batch.hear()["error"]["kind"] == "config"
    settings.unlink()
    batch.say(read(4, "a.txt"))
    assert batch.hear()["ok"]
    assert batch.end()[1] == 0


def test_an_approval_is_named_by_the_call_or_for_the_batch(workspace: Path):
    edit = {"tool": "write", "input": {"file_path": "a.txt", "content": "x"}}
    asking = Batch("--session", "s")
    asking.say({"id": 1, **edit})
    approval = asking.hear()["error"]["details"]["approval"]["id"]
    asking.say({"id": 2, **edit, "approve": approval})
    assert asking.hear()["changed"]
    asking.say({"id": 3, "tool": "write", "input": {"file_path": "b.txt", "content": "x"}})
    second = asking.hear()["error"]["details"]["approval"]["id"]
    asking.end()
    granted = Batch("--session", "s", "--approve", second)
    granted.say(read(0, "a.txt"), {"id": 4, "tool": "write", "input": {"file_path": "b.txt", "content": "x"}})
    assert [granted.hear()["ok"], granted.hear()["changed"]] == [True, True]
    granted.end()


def test_a_dry_run_changes_nothing(workspace: Path):
    (answer,), _ = run({"id": 1, "tool": "write", "input": {"file_path": "a.txt", "content": "x"}, "dry_run": True})
    assert (answer["dry_run"], answer["changed"], (workspace / "a.txt").exists()) == (True, False, False)


def test_output_is_passed_on_as_it_comes(workspace: Path):
    answers, _ = run(bash(5, "echo hi"), options=("--stream",))
    assert answers[0] == {"event": "output", "id": 5, "stream": "stdout", "text": "hi\n"}
    assert answers[-1]["id"] == 5


def test_more_calls_than_may_wait_are_read_as_others_are_answered(workspace: Path):
    (workspace / "a.txt").write_text("x")
    answers, _ = run(*(read(number, "a.txt") for number in range(500)))
    assert [answer["id"] for answer in answers] == list(range(500))


def test_an_interrupt_ends_what_runs_and_answers_it(batch: Batch, workspace: Path):
    batch.say(bash(1, "touch begun; exec sleep 86"), bash(2, "touch never"))
    until((workspace / "begun").exists)
    batch.process.terminate()
    answers, code = batch.end()
    assert ([answer["error"]["kind"] for answer in answers], code) == (["interrupted"] * 2, 130)
    assert not (workspace / "never").exists()


def test_a_reader_that_leaves_ends_the_batch_quietly(workspace: Path):
    (workspace / "a.txt").write_text("x")
    batch = subprocess.Popen(
        [sys.executable, "-m", "codetools", "batch"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert batch.stdin
    assert batch.stdout
    assert batch.stderr
    batch.stdout.close()
    lines = b"".join(json.dumps(read(number, "a.txt")).encode() + b"\n" for number in range(5))
    batch.stdin.write(lines)
    batch.stdin.close()
    assert (batch.stderr.read(), batch.wait(DEADLINE_SECONDS)) == (b"", 0)
    batch.stderr.close()


def test_a_full_standard_output_is_an_error(workspace: Path):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "codetools", "batch"], input=b"junk\n", stdout=full, stderr=subprocess.PIPE
        )
    assert (done.returncode, done.stderr.count(b"\n")) == (74, 1)


def test_i2_a_batch_below_a_command_is_held_to_that_command(workspace: Path):
    (workspace / "a.txt").write_text("x")
    line = json.dumps(read(1, "a.txt"))
    answers, _ = run(bash(1, f"echo '{line}' | {sys.executable} -m codetools batch --deny read --session inner"))
    assert "is denied" in answers[0]["data"]["stdout"]
    answers, _ = run(bash(2, f"{sys.executable} -m codetools batch --yolo < /dev/null"))
    assert answers[0]["data"]["exit_code"] == 77


def until(holds: Any) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        os.sched_yield()
