"""jobs kill: the whole tree, once, of this session."""

import os
import signal
from pathlib import Path

import pytest

from tests.calls import call
from tests.jobs import BOOT, jobs_home, lay_job, start, state_of, survivors, until, wait

TREE = """
trap '' TERM
setsid sleep 1001 &
(setsid bash -c 'trap "" TERM; sleep 1002' &)
bash -c 'kill -STOP $$; sleep 1003' &
sleep 1004
"""


@pytest.fixture
def marker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    name = f"{os.getpid()}-{request.node.name}"
    monkeypatch.setenv("JOB_MARKER", name)
    return f"JOB_MARKER={name}"


def test_nothing_of_the_tree_survives(workspace: Path, marker: str):
    job_id = start(TREE)
    until(lambda: len(survivors(marker)) >= 5)
    answer = call("jobs_kill", {"job_id": [job_id]})
    assert [job["state"] for job in answer["data"]["jobs"]] == ["killed"]
    assert survivors(marker) == []


def test_killing_twice_and_killing_the_dead_changes_nothing(workspace: Path):
    job_id = start("sleep 60")
    lay_job("00000001", end={"exit_code": 3})
    first = call("jobs_kill", {"job_id": [job_id, "00000001"]})
    second = call("jobs_kill", {"job_id": [job_id, "00000001"]})
    assert (first["exit"], second["exit"]) == (0, 0)
    assert first["data"] == second["data"]
    assert [job["state"] for job in second["data"]["jobs"]] == ["killed", "exited"]


def test_what_a_shell_left_running_can_still_be_killed(workspace: Path, marker: str):
    job_id = start("setsid sleep 1005 & exit 0")
    until(lambda: call("jobs_list")["data"]["jobs"][0]["exit_code"] == 0)
    assert survivors(marker) != []
    call("jobs_kill", {"job_id": [job_id]})
    assert survivors(marker) == []


@pytest.mark.parametrize("identity", ["{pid}:{other}:{boot}", "{pid}:{started}:no-boot"])
def test_a_reused_pid_is_never_signalled(identity: str, workspace: Path):
    innocent = os.spawnvp(os.P_NOWAIT, "sleep", ["sleep", "60"])
    try:
        started = Path(f"/proc/{innocent}/stat").read_text().rpartition(")")[2].split()[19]
        written = identity.format(pid=innocent, other=int(started) - 1, started=started, boot=BOOT)
        lay_job("00000001", has_end=False, supervisor=written)
        answer = call("jobs_kill", {"job_id": ["00000001"]})
        assert [job["state"] for job in answer["data"]["jobs"]] == ["lost"]
        assert os.waitpid(innocent, os.WNOHANG) == (0, 0)
    finally:
        os.kill(innocent, signal.SIGKILL)
        os.waitpid(innocent, 0)


def test_a_session_is_ended_at_once_and_others_are_left_alone(workspace: Path):
    mine = [start("sleep 60", session="A") for _ in range(3)]
    other = start("sleep 60", session="B")
    answer = call("jobs_kill", session="A")
    assert {job["job_id"] for job in answer["data"]["jobs"]} == set(mine)
    assert {state_of(job_id) for job_id in mine} == {"killed"}
    assert state_of(other) == "running"
    assert call("jobs_kill", session="A")["text"] == "No job was running."
    assert call("jobs_kill")["error"]["kind"] == "usage"


def test_a_job_without_a_session_is_nobodys_and_any_session_ends_it(workspace: Path):
    job_id = start("sleep 60")
    [job] = call("jobs_kill", {"job_id": [job_id]}, session="B")["data"]["jobs"]
    assert job["state"] == "killed"


def test_a_job_of_another_session_is_asked_about(workspace: Path):
    job_id = start("sleep 60", session="A")
    assert call("jobs_kill", {"job_id": [job_id]}, session="B")["exit"] == 75
    assert state_of(job_id) == "running"
    assert call("jobs_kill", {"job_id": [job_id]}, session="B", yolo=True)["ok"]
    assert wait(job_id, session="A")["state"] == "killed"


def test_a_call_limited_to_reading_kills_nothing(workspace: Path):
    job_id = start("sleep 60")
    assert call("jobs_kill", {"job_id": [job_id]}, read_only=True)["exit"] == 77
    assert state_of(job_id) == "running"


def test_the_output_outlives_the_job(workspace: Path):
    job_id = start("echo kept; sleep 60")
    until(lambda: (jobs_home() / job_id / "log").stat().st_size)
    call("KillShell", {"shell_id": job_id})
    assert call("jobs_output", {"job_id": job_id})["text"] == "kept\n[killed]"
