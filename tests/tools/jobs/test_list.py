"""jobs list: whose jobs, in which states."""

from pathlib import Path

from codetools.state.alive import this_process
from tests.calls import call
from tests.jobs import BOOT, DEAD_PID, lay_job, start, wait


def states(**options) -> dict[str, str]:
    answer = call("jobs_list", {"all": True}, **options)
    return {job["job_id"]: job["state"] for job in answer["data"]["jobs"]}


def test_a_job_runs_and_then_has_exited(workspace: Path):
    job_id = start("read -t 0.2 < <(sleep 9); exit 3")
    [job] = call("jobs_list")["data"]["jobs"]
    assert (job["job_id"], job["state"], job["exit_code"]) == (job_id, "running", None)
    assert job["command"] == "read -t 0.2 < <(sleep 9); exit 3"
    call("jobs_kill", {"job_id": [job_id]})
    assert states() == {job_id: "killed"}


def test_the_states_are_never_confused(workspace: Path):
    boot = "00000000-0000-0000-0000-000000000000"
    lay_job("00000001", end={"state": "exited", "exit_code": 1})
    lay_job("00000002", end={"state": "signalled", "exit_code": None, "signal": "SIGSEGV"})
    lay_job("00000003", end={"state": "timed_out", "exit_code": None})
    lay_job("00000004", end={"state": "killed", "exit_code": None})
    lay_job("00000005", has_end=False)  # its supervisor is gone
    lay_job("00000006", has_end=False, supervisor=this_process())
    pid, started, _ = this_process().split(":")
    lay_job("00000007", has_end=False, supervisor=f"{pid}:{started}:{boot}")  # the machine was started again
    lay_job("00000008", has_end=False, supervisor=f"{pid}:{int(started) + 1}:{BOOT}")  # the pid is another's now
    lay_job("00000009", end={"is_final": False}, supervisor=f"{DEAD_PID}:1:{BOOT}")
    lay_job("0000000a", has_end=False, supervisor="1")  # not whole: it never began
    (Path(lay_job("0000000b", has_end=False)) / "about.json").write_text("{")
    (Path(lay_job("0000000c", has_end=False)) / "end.json").write_text("")
    assert states() == {
        "00000001": "exited",
        "00000002": "signalled",
        "00000003": "timed_out",
        "00000004": "killed",
        "00000005": "lost",
        "00000006": "running",
        "00000007": "lost",
        "00000008": "lost",
        "00000009": "lost",
        "0000000c": "lost",
    }
    (Path(lay_job("0000000d", has_end=False, supervisor=this_process())) / "end.json").write_text('{"is_final": true}')
    (Path.home() / ".local/state/codetools/jobs/00000006/end.json").write_text("")
    for place in (Path.home() / ".local/state/codetools/jobs").iterdir():
        (place / "supervisor").write_text(f"{DEAD_PID}:1:{BOOT}")


def test_a_session_sees_its_own_jobs_and_all_on_demand(workspace: Path):
    lay_job("00000001", session="A")
    lay_job("00000002", session="B")
    lay_job("00000003", root=str(workspace))
    lay_job("00000004", root="/elsewhere")

    def ids(all_of_them: bool, session: str | None) -> set[str]:
        jobs = call("jobs_list", {"all": all_of_them}, session=session)["data"]["jobs"]
        return {job["job_id"] for job in jobs}

    assert ids(False, "A") == {"00000001"}
    assert ids(False, None) == {"00000003"}
    assert ids(True, "A") == {"00000001", "00000002", "00000003", "00000004"}


def test_what_a_job_is_for_stands_beside_its_command(workspace: Path):
    job_id = start("true\nfalse", description="build\nall")
    [job] = call("jobs_list")["data"]["jobs"]
    assert (job["job_id"], job["description"]) == (job_id, "build\nall")
    assert call("jobs_list")["text"].endswith("  true…  # build all")


def test_no_jobs_are_said_to_be_none_and_leave_no_trace(workspace: Path, home: Path):
    answer = call("jobs_list")
    assert (answer["ok"], answer["text"], answer["data"]) == (True, "There are no background jobs.", {"jobs": []})
    assert not (home / ".local/state/codetools/jobs").exists()


def test_a_shell_that_exited_before_its_children_is_told(workspace: Path):
    job_id = start("sleep 60 & exit 4")
    job = {}
    while job.get("exit_code") is None:
        [job] = call("jobs_list")["data"]["jobs"]
    assert (job["state"], job["exit_code"]) == ("running", 4)
    assert "running (its shell exited 4)" in call("jobs_list")["text"]
    call("jobs_kill", {"job_id": [job_id]})
    assert wait(job_id)["state"] == "killed"
