"""The supervisor: outlives everybody, and when it dies so does the job."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.calls import call
from tests.cli.typed import CODETOOLS
from tests.jobs import jobs_home, start, state_of, supervisor_of, survivors, until, wait

STUBBORN = "trap '' TERM HUP; setsid sleep 1011 & (setsid sleep 1012 &); echo up; sleep 1013"


@pytest.fixture
def marker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    name = f"{os.getpid()}-{request.node.name}"
    monkeypatch.setenv("JOB_MARKER", name)
    return f"JOB_MARKER={name}"


def is_up(job_id: str) -> bool:
    return (jobs_home() / job_id / "log").read_text() == "up\n"


def test_a_killed_supervisor_takes_the_tree_with_it_and_the_job_is_lost_with_its_log(workspace: Path, marker: str):
    job_id = start(STUBBORN)
    until(lambda: is_up(job_id))
    until(lambda: len(survivors(marker)) >= 4)
    os.kill(supervisor_of(job_id), signal.SIGKILL)
    until(lambda: survivors(marker) == [])
    assert state_of(job_id) == "lost"
    answer = call("jobs_output", {"job_id": job_id})
    assert (answer["data"]["output"], answer["data"]["state"]) == ("up\n", "lost")
    assert call("jobs_kill", {"job_id": [job_id]})["data"]["jobs"][0]["state"] == "lost"


def test_a_killed_keeper_takes_the_tree_with_it_and_the_job_is_lost(workspace: Path, marker: str):
    job_id = start(STUBBORN)
    until(lambda: is_up(job_id))
    supervisor = supervisor_of(job_id)
    [keeper] = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split()
    os.kill(int(keeper), signal.SIGKILL)
    until(lambda: survivors(marker) == [])
    until(lambda: state_of(job_id) != "running")
    assert state_of(job_id) == "lost"


def test_a_job_outlives_the_call_and_the_terminal(workspace: Path, home: Path):
    script = (
        "import os, pty, sys, subprocess\n"
        "pid, terminal = pty.fork()\n"
        "if pid == 0:\n"
        "    os.execv(sys.argv[1], [sys.argv[1], 'bash', '--yolo', '--run-in-background', sys.argv[2]])\n"
        "text = b''\n"
        "while True:\n"
        "    try: chunk = os.read(terminal, 4096)\n"
        "    except OSError: break\n"
        "    if not chunk: break\n"
        "    text += chunk\n"
        "os.waitpid(pid, 0); os.close(terminal)\n"
    )
    command = "until [ -e go ]; do sleep 0.05; done; tty; cat /proc/$$/stat | cut -d' ' -f7; echo late"
    subprocess.run([sys.executable, "-c", script, str(CODETOOLS), command], check=True, timeout=60)
    [job] = call("jobs_list")["data"]["jobs"]
    assert job["state"] == "running"
    supervisor = supervisor_of(job["job_id"])
    fields = Path(f"/proc/{supervisor}/stat").read_text().rpartition(")")[2].split()
    assert (fields[3], fields[4], os.readlink(f"/proc/{supervisor}/cwd")) == (str(os.getsid(supervisor)), "0", "/")
    os.kill(supervisor, signal.SIGHUP)
    (workspace / "go").touch()
    assert wait(job["job_id"])["exit_code"] == 0
    log = (jobs_home() / job["job_id"] / "log").read_text()
    assert log == "not a tty\n0\nlate\n"


def test_a_terminated_supervisor_ends_its_job_and_says_so(workspace: Path, marker: str):
    job_id = start(STUBBORN)
    until(lambda: is_up(job_id))
    os.kill(supervisor_of(job_id), signal.SIGTERM)
    assert wait(job_id)["state"] == "killed"
    assert survivors(marker) == []


def test_a_command_ended_by_a_signal_is_signalled(workspace: Path):
    job = wait(start("kill -SEGV $$"))
    assert (job["state"], job["signal"], job["exit_code"]) == ("signalled", "SIGSEGV", None)


def test_a_job_runs_until_nothing_of_it_does(workspace: Path):
    job = wait(start("(sleep 0.4; echo late) & exit 7"))
    assert (job["state"], job["exit_code"]) == ("exited", 7)
    assert (jobs_home() / job["job_id"] / "log").read_text() == "late\n"


def test_memory_stays_small_however_much_a_job_writes(workspace: Path):
    job_id = start("head -c 300000000 /dev/zero; sleep 60")
    until(lambda: (jobs_home() / job_id / "log").stat().st_size == 300_000_000)
    status = Path(f"/proc/{supervisor_of(job_id)}/status").read_text()
    peak = int(status.partition("VmHWM:")[2].split()[0])
    assert peak < 60_000


def test_a_disk_that_fills_up_hides_neither_the_end_of_a_job_nor_that_output_is_missing(workspace: Path):
    command = "head -c 20000 /dev/zero | tr '\\0' x; exit 3"
    words = [
        "bash",
        "-c",
        'ulimit -f 8; exec "$@"',
        "bash",
        str(CODETOOLS),
        "bash",
        "--yolo",
        "--run-in-background",
        command,
    ]
    job_id = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    job = wait(job_id)
    assert (job["state"], job["exit_code"], job["total_bytes"]) == ("exited", 3, 8192)
    assert "the rest of the output could not be kept" in call("jobs_output", {"job_id": job_id})["text"]


def test_a_log_that_the_command_replaced_by_a_link_is_not_followed(workspace: Path, tmp_path: Path):
    (tmp_path / "secret").write_text("secret\n")
    job_id = start(f"ln -sf {tmp_path}/secret {jobs_home()}/*/log")
    wait(job_id)
    answer = call("jobs_output", {"job_id": job_id})
    assert (answer["ok"], answer["error"]["kind"]) == (False, "io")
    assert "secret\n" not in answer["text"]
    assert call("read", {"file_path": str(jobs_home() / job_id / "log")})["exit"] == 75


def test_a_supervisor_without_an_order_does_nothing(workspace: Path):
    script = "import sys; sys.path.append(sys.argv[1]); from codetools.shell.jobs.supervisor import main; main()"
    words = ["bash", "-c", '"$@" 3</', "bash", sys.executable, "-I", "-c", script, str(Path(__file__).parents[3])]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
