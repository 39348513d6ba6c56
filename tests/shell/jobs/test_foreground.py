"""Commands that become jobs where they run longer than their caller waits."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.calls import call
from tests.cli.typed import CODETOOLS
from tests.jobs import jobs_home, survivors, until, wait


@pytest.fixture(autouse=True)
def waits_a_second(home: Path) -> None:
    (home / ".config/codetools").mkdir(parents=True)
    (home / ".config/codetools/config.yaml").write_text("shell: {auto_background_seconds: 1}\n")


def bash(command: str, **arguments) -> dict:
    return call("bash", {"command": command, **arguments}, yolo=True)


def jobs() -> list[str]:
    return [path.name for path in jobs_home().iterdir() if path.name != "lock"]


def test_a_quick_command_has_its_ordinary_result_and_is_no_job(workspace: Path):
    quick = bash("cd /; echo out; sleep 0.05; echo err >&2; exit 3")
    assert jobs() == []
    (Path.home() / ".config/codetools/config.yaml").unlink()
    ordinary = bash("cd /; echo out; sleep 0.05; echo err >&2; exit 3")
    times = ("started", "ended")
    assert {name: value for name, value in quick["data"].items() if name not in times} == {
        name: value for name, value in ordinary["data"].items() if name not in times
    }
    assert (quick["text"], quick["notices"]) == (ordinary["text"], ordinary["notices"])


def test_a_slow_command_goes_on_as_a_job_and_says_how_to_go_on(workspace: Path):
    began = time.monotonic()
    answer = bash("echo early; sleep 2; echo late")
    assert time.monotonic() - began < 1.9
    data = answer["data"]
    assert (answer["ok"], data["stdout"], data["exit_code"], data["ended"]) == (True, "early\n", None, None)
    job_id = data["job_id"]
    going_on = f'jobs_output {{"job_id": "{job_id}", "cursor": 6}}'
    assert going_on in answer["text"]
    assert answer["text"].startswith("early\n[still running")
    assert wait(job_id)["exit_code"] == 0
    assert call("jobs_output", {"job_id": job_id, "cursor": 6})["data"]["output"] == "late\n"


def test_what_a_quick_command_leaves_goes_on_as_a_job(workspace: Path):
    answer = bash("sleep 60 & echo hi")
    assert (answer["data"]["exit_code"], answer["data"]["stdout"]) == (0, "hi\n")
    job_id = answer["data"]["job_id"]
    assert f"still runs in the background as job {job_id}" in answer["text"]
    assert call("jobs_kill", {"job_id": [job_id]})["data"]["jobs"][0]["state"] == "killed"


def test_more_output_than_is_shown_stays_in_the_log(workspace: Path):
    answer = bash("seq 100000")
    data = answer["data"]
    assert data["total_lines"] == 100_000
    reading = data["truncated"]["next"]
    assert call(reading["tool"], reading["arguments"])["ok"]
    assert Path(data["spool"]).read_bytes().endswith(b"100000\n")


def test_what_the_result_does_not_show_as_it_was_stays_in_the_log(workspace: Path):
    data = bash(r"printf '\033[31mred\033[0m\n'")["data"]
    assert data["stdout"] == "red\n"
    assert Path(data["spool"]).read_bytes() == b"\x1b[31mred\x1b[0m\n"


def test_a_timeout_within_the_wait_is_a_timeout(workspace: Path):
    answer = bash("echo so far; sleep 60", timeout_seconds=0.3)
    assert (answer["exit"], answer["error"]["kind"], answer["data"]["stdout"]) == (124, "timeout", "so far\n")
    assert jobs() == []


def test_what_cannot_be_started_is_the_same_error(workspace: Path):
    answer = call("exec", {"argv": ["./none"]}, yolo=True)
    assert not answer["ok"]
    assert jobs() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_who_is_ended_while_it_waits_ends_the_command(number: int, workspace: Path, monkeypatch: pytest.MonkeyPatch):
    marker = f"{os.getpid()}-{number}"
    monkeypatch.setenv("JOB_MARKER", marker)
    (Path.home() / ".config/codetools/config.yaml").write_text("shell: {auto_background_seconds: 30}\n")
    command = '{"command": "touch up; setsid sleep 60"}'
    words = [str(CODETOOLS), "call", "bash", command, "--yolo"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    until(lambda: (workspace / "up").exists())
    process.send_signal(number)
    out, _ = process.communicate(timeout=30)
    if number != signal.SIGKILL:
        assert process.returncode == 130
        assert '"kind": "interrupted"' in out
    until(lambda: survivors(f"JOB_MARKER={marker}") == [])


def test_the_typed_command_ends_with_the_childs_status(workspace: Path):
    done = subprocess.run([str(CODETOOLS), "bash", "--yolo", "echo x; exit 4"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (4, b"x\n")
    done = subprocess.run([str(CODETOOLS), "bash", "--yolo", "echo x; sleep 60"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"x\n")
    assert b"jobs_output" in done.stderr
