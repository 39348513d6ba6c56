"""jobs prune: what goes, and what never does."""

from pathlib import Path

from tests.calls import call
from tests.jobs import jobs_home, lay_job, start


def test_the_newest_stay(workspace: Path):
    for number in range(5):
        lay_job(f"0000000{number}", root=str(workspace), ended_days_ago=number)
    answer = call("jobs_prune", {"keep": 2}, yolo=True)
    assert {job["job_id"] for job in answer["data"]["jobs"]} == {"00000002", "00000003", "00000004"}
    assert {path.name for path in jobs_home().iterdir()} == {"00000000", "00000001"}


def test_the_old_go(workspace: Path):
    lay_job("00000001", root=str(workspace), ended_days_ago=0.5)
    lay_job("00000002", root=str(workspace), ended_days_ago=1.5)
    call("jobs_prune", {"days": 1}, yolo=True)
    assert {path.name for path in jobs_home().iterdir()} == {"00000001"}


def test_running_jobs_and_those_of_other_sessions_stay(workspace: Path):
    running = start("sleep 60", session="A")
    lay_job("00000001", session="A")
    lay_job("00000002", session="B")
    answer = call("jobs_prune", {"keep": 0}, session="A")
    assert [job["job_id"] for job in answer["data"]["jobs"]] == ["00000001"]
    assert {path.name for path in jobs_home().iterdir()} - {"lock"} == {running, "00000002"}


def test_without_arguments_the_limits_decide(workspace: Path):
    lay_job("00000001", root=str(workspace))
    assert call("jobs_prune")["text"] == "No ended job had to go."
    lay_job("00000002", root=str(workspace), ended_days_ago=8)
    assert [job["job_id"] for job in call("jobs_prune")["data"]["jobs"]] == ["00000002"]
