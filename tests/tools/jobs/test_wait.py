"""jobs wait: until the end of all or of one, with a deadline."""

import time
from pathlib import Path

from tests.calls import call
from tests.jobs import lay_job, start


def test_waiting_ends_with_the_job(workspace: Path):
    job_id = start("sleep 0.3; exit 5")
    answer = call("jobs_wait", {"job_id": job_id, "timeout_seconds": 20})
    [job] = answer["data"]["jobs"]
    assert (answer["exit"], job["state"], job["exit_code"]) == (0, "exited", 5)


def test_the_deadline_is_a_timeout_that_tells_what_still_runs(workspace: Path):
    job_id = start("sleep 60")
    lay_job()
    began = time.monotonic()
    answer = call("jobs_wait", {"job_id": [job_id, "3f9a1c2e"], "timeout_seconds": 0.3})
    assert 0.2 < time.monotonic() - began < 10
    assert (answer["exit"], answer["error"]["kind"]) == (124, "timeout")
    assert answer["error"]["details"] == {"running": [job_id]}
    assert [job["state"] for job in answer["data"]["jobs"]] == ["running", "exited"]


def test_waiting_for_any_ends_with_the_first(workspace: Path):
    slow, quick = start("sleep 60"), start("sleep 0.3")
    answer = call("jobs_wait", {"job_id": [slow, quick], "any": True, "timeout_seconds": 20})
    assert [job["state"] for job in answer["data"]["jobs"]] == ["running", "exited"]
    assert call("jobs_wait", {"job_id": [slow, quick], "any": True, "timeout_seconds": 0})["ok"]


def test_waiting_for_an_ended_job_returns_at_once(workspace: Path):
    lay_job()
    assert call("jobs_wait", {"job_id": ["3f9a1c2e"], "timeout_seconds": 0})["ok"]


def test_no_job_is_a_usage_error_and_an_unknown_one_is_not_found(workspace: Path):
    assert call("jobs_wait", {"job_id": []})["error"]["kind"] == "usage"
    assert call("jobs_wait", {"job_id": ["00000000"]})["error"]["kind"] == "not_found"
