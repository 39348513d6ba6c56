"""Starting jobs: many at once, and every way in which a start can fail."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from codetools.state.alive import this_process
from tests.calls import call
from tests.cli.typed import CODETOOLS
from tests.jobs import DEAD_PID, jobs_home, lay_job, start, state_of, supervisor_of, until, wait


def failure(command: str, **options) -> dict:
    answer = call("bash", {"command": command, "run_in_background": True}, yolo=True, **options)
    assert not answer["ok"]
    return answer["error"]


def job_directories() -> list[str]:
    return [path.name for path in jobs_home().iterdir() if path.name != "lock"] if jobs_home().exists() else []


def test_fifty_parallel_starts_give_fifty_jobs(workspace: Path):
    def one(number: int) -> str:
        arguments = json.dumps({"command": f"echo job {number}", "run_in_background": True})
        words = [str(CODETOOLS), "call", "bash", arguments, "--yolo"]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        return str(json.loads(done.stdout)["data"]["job_id"])

    with ThreadPoolExecutor(10) as pool:
        ids = list(pool.map(one, range(50)))
    assert len(set(ids)) == 50
    answer = call("jobs_wait", {"job_id": ids, "timeout_seconds": 60})
    assert {job["state"] for job in answer["data"]["jobs"]} == {"exited"}
    for number, job_id in enumerate(ids):
        assert (jobs_home() / job_id / "log").read_text() == f"job {number}\n"


def test_threads_of_one_process_start_jobs_at_the_same_time(workspace: Path):
    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(lambda number: start(f"echo {number}"), range(16)))
    call("jobs_wait", {"job_id": ids, "timeout_seconds": 60})
    assert [(jobs_home() / job_id / "log").read_text() for job_id in ids] == [f"{number}\n" for number in range(16)]


def test_what_keeps_a_command_from_starting_is_the_error_of_the_call(workspace: Path):
    (workspace / "text").write_text("no program")
    (workspace / "text").chmod(0o755)
    answer = call("exec", {"argv": ["./text"], "run_in_background": True}, yolo=True)
    assert (answer["ok"], answer["error"]["kind"]) == (False, "unavailable")
    assert "cannot be started" in answer["error"]["message"]
    assert job_directories() == []


def test_an_unwritable_directory_is_said_to_be_one(workspace: Path):
    jobs_home().parent.mkdir(parents=True)
    jobs_home().write_text("in the way")
    assert failure("true")["kind"] == "io"


def test_a_full_disk_is_an_error_and_nothing_runs(workspace: Path, home: Path):
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000));"
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "from codetools.cli.app import main; sys.exit(main(sys.argv[1:]))"
    )
    words = [sys.executable, "-c", script, "bash", "--yolo", "--run-in-background", "--json", "touch ran"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 74, done.stdout + done.stderr
    assert not (workspace / "ran").exists()
    assert job_directories() == []


def test_too_many_running_jobs_are_refused(workspace: Path, home: Path):
    (home / ".config/codetools").mkdir(parents=True)
    (home / ".config/codetools/config.yaml").write_text("limits: {jobs_running: 2}\n")
    first, _ = start("sleep 60"), start("sleep 60")
    error = failure("sleep 60")
    assert (error["kind"], "limits.jobs_running is 2" in error["message"]) == ("unavailable", True)
    call("jobs_kill", {"job_id": [first]})
    start("true")


def test_old_jobs_make_room_for_new_ones(workspace: Path, home: Path):
    (home / ".config/codetools").mkdir(parents=True)
    (home / ".config/codetools/config.yaml").write_text("limits: {jobs_count: 2, jobs_days: 3, jobs_bytes: 100000}\n")
    for number in range(4):
        lay_job(f"0000000{number}", ended_days_ago=number / 10)
    lay_job("0000000a", has_end=False, supervisor=this_process())
    kept = start("true")
    wait(kept)
    assert set(job_directories()) == {"00000000", "00000001", "0000000a", kept}
    (jobs_home() / "0000000a" / "supervisor").write_text(f"{DEAD_PID}:1:boot")


def test_the_log_of_old_jobs_is_bounded_together(workspace: Path, home: Path):
    (home / ".config/codetools").mkdir(parents=True)
    (home / ".config/codetools/config.yaml").write_text("limits: {jobs_bytes: 100000}\n")
    for number in range(4):
        lay_job(f"0000000{number}", ended_days_ago=number / 10, log=b"x" * 30_000)
    kept = start("true")
    assert set(job_directories()) == {"00000000", "00000001", kept}


def test_a_job_runs_in_its_working_directory_with_the_callers_umask_and_environment(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
):
    (workspace / "below").mkdir()
    monkeypatch.setenv("SOME_TOKEN", "secret")
    monkeypatch.setenv("SOME_WORD", "word")
    job_id = start('pwd; umask; echo "$SOME_WORD,$SOME_TOKEN"; ls -A /proc/self/fd | wc -l', working_dir="below")
    wait(job_id)
    umask = os.umask(0)
    os.umask(umask)
    log = (jobs_home() / job_id / "log").read_text()
    assert log.splitlines()[:3] == [f"{workspace}/below", f"{umask:04o}", "word,"]
    assert int(log.splitlines()[3]) <= 6
    environment = Path(f"/proc/{supervisor_of(start('sleep 60'))}/environ").read_bytes()
    assert b"SOME_TOKEN" not in environment


def test_a_jobs_files_are_private(workspace: Path):
    job_id = start("echo x")
    wait(job_id)
    place = jobs_home() / job_id
    assert place.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in place.iterdir()} == dict.fromkeys(
        ("about.json", "end.json", "log", "supervisor", "turns"), 0o600
    )


def test_a_reading_job_is_allowed_and_enforced_under_read_only_and_others_are_not(workspace: Path):
    (workspace / "f.txt").write_text("one\n")
    answer = call("bash", {"command": "cat f.txt", "run_in_background": True}, read_only=True)
    assert (answer["ok"], answer["data"]["sandbox"]) == (True, "enforced")
    job_id = answer["data"]["job_id"]
    assert wait(job_id)["exit_code"] == 0
    assert call("jobs_output", {"job_id": job_id}, read_only=True)["data"]["output"] == "one\n"
    assert call("bash", {"command": "touch x", "run_in_background": True}, read_only=True, yolo=True)["exit"] == 77


def test_the_timeout_of_a_job_ends_it(workspace: Path):
    job_id = start("echo up; sleep 60", timeout_seconds=0.3)
    assert wait(job_id)["state"] == "timed_out"
    assert call("jobs_output", {"job_id": job_id})["text"] == "up\n[timed out]"
    assert failure_of_timeout(0) == failure_of_timeout(86_401) == "usage"


def failure_of_timeout(seconds: float) -> str:
    answer = call("bash", {"command": "true", "run_in_background": True, "timeout_seconds": seconds}, yolo=True)
    return str(answer["error"]["kind"])


def test_a_codetools_below_a_job_cannot_be_looser_than_the_call_that_started_it(workspace: Path):
    job_id = start(f"env -u CODETOOLS_LOCK {CODETOOLS} bash --yolo 'touch made'; echo $?")
    wait(job_id)
    log = (jobs_home() / job_id / "log").read_text()
    assert "--yolo is locked here" in log
    assert log.endswith("77\n")
    job_id = start(f"env -u CODETOOLS_LOCK {CODETOOLS} read made; echo $?", session="A")
    wait(job_id, session="A")
    assert not (workspace / "made").exists()
    assert "left no word" not in (jobs_home() / job_id / "log").read_text()


def test_nobody_waits_for_a_supervisor(workspace: Path):
    job_id = start("true")
    pid = supervisor_of(job_id)
    wait(job_id)
    until(lambda: not Path(f"/proc/{pid}").exists())
    assert state_of(job_id) == "exited"
