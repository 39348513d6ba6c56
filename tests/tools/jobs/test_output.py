"""jobs output: from a cursor, the tail, as it comes; clean in the result, raw in the log."""

import os
import pty
import time
from pathlib import Path

import pytest

from tests.calls import call
from tests.cli.typed import CODETOOLS
from tests.jobs import jobs_home, lay_job, start, until, wait


def output(job_id: str, **arguments) -> dict:
    return call("jobs_output", {"job_id": job_id, **arguments})


def test_both_streams_are_shown_in_order_and_marked(workspace: Path):
    job_id = start("echo one; sleep 0.05; echo two >&2; sleep 0.05; echo three")
    wait(job_id)
    answer = output(job_id)
    assert answer["data"]["output"] == "one\n[stderr] two\nthree\n"
    assert answer["text"] == "one\n[stderr] two\nthree\n[exited 0]"
    assert (answer["data"]["cursor"], answer["data"]["total_bytes"]) == (14, 14)


def test_a_cursor_goes_on_where_the_last_call_ended(workspace: Path):
    job_id = start("echo first; until [ -e go ]; do sleep 0.02; done; echo second")
    until(lambda: output(job_id)["data"]["output"])
    answer = output(job_id)
    assert answer["data"]["state"] == "running"
    cursor = answer["data"]["cursor"]
    assert f'jobs_output {{"job_id": "{job_id}", "cursor": {cursor}}}' in answer["text"]
    assert output(job_id, cursor=cursor)["text"].startswith("[nothing new; running")
    (workspace / "go").touch()
    wait(job_id)
    assert output(job_id, cursor=cursor)["data"]["output"] == "second\n"
    assert output(job_id, cursor=10_000)["error"]["kind"] == "usage"


def test_following_shows_all_until_the_end(workspace: Path):
    job_id = start("for i in 1 2 3; do echo $i; sleep 0.1; done; exit 2")
    answer = output(job_id, follow=True)
    assert (answer["data"]["output"], answer["data"]["state"], answer["data"]["exit_code"]) == (
        "1\n2\n3\n",
        "exited",
        2,
    )


def test_a_person_sees_a_followed_job_as_it_comes(workspace: Path):
    job_id = start("echo first; until [ -e go ]; do sleep 0.02; done; echo second")
    seen = ""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(str(CODETOOLS), [str(CODETOOLS), "jobs", "output", "--follow", job_id])
    while chunk := _read(terminal):
        seen += chunk
        if "first" in seen:
            (workspace / "go").touch()
    os.close(terminal)
    assert os.waitpid(pid, 0)[1] == 0
    lines = [line.strip() for line in seen.splitlines()]
    assert lines[1:3] == ["first", "second"]
    assert f"job {job_id}: exited" in lines[-1]


def _read(terminal: int) -> str:
    try:
        return os.read(terminal, 4096).decode()
    except OSError:  # the other end is closed
        return ""


def test_following_ends_at_its_deadline_and_the_job_goes_on(workspace: Path):
    job_id = start("echo up; sleep 60")
    began = time.monotonic()
    answer = output(job_id, timeout_seconds=0.5)
    assert 0.4 < time.monotonic() - began < 10
    assert (answer["ok"], answer["data"]["output"], answer["data"]["state"]) == (True, "up\n", "running")


def test_the_tail_is_the_last_lines(workspace: Path):
    lay_job(log=b"".join(b"line %d\n" % number for number in range(100_000)))
    assert output("3f9a1c2e", tail=2)["data"]["output"] == "line 99998\nline 99999\n"
    lay_job("00000001", log=b"a\nb\nunfinished")
    assert output("00000001", tail=2)["data"]["output"] == "b\nunfinished"
    assert output("00000001", tail=9)["data"]["output"] == "a\nb\nunfinished"
    lay_job("00000002", log=b"")
    assert output("00000002", tail=1)["text"] == "[no output; exited 0]"


def test_escapes_are_cleaned_in_the_result_and_kept_in_the_log(workspace: Path):
    job_id = start(r"printf '\033[31mred\033[0m\r\n 10%%\r100%%\n\a'")
    wait(job_id)
    assert output(job_id)["data"]["output"] == "red\n100%\n"
    log = jobs_home() / job_id / "log"
    assert log.read_bytes() == b"\x1b[31mred\x1b[0m\r\n 10%\r100%\n\a"
    assert call("read", {"file_path": str(log)})["ok"], "job logs are read unasked"
    assert call("read", {"file_path": str(log.parent / "about.json")})["exit"] == 75


def test_half_a_character_waits_for_the_rest(workspace: Path):
    job_id = start(r"printf '\xc3'; until [ -e go ]; do sleep 0.02; done; printf '\xa9\n'")
    until(lambda: output(job_id)["data"]["total_bytes"] == 1)
    assert output(job_id)["data"]["cursor"] == 0
    (workspace / "go").touch()
    wait(job_id)
    assert output(job_id)["data"]["output"] == "é\n"


def test_of_much_output_both_ends_are_shown_and_how_to_read_on(workspace: Path):
    lay_job(log=b"".join(b"line %06d\n" % number for number in range(100_000)))
    for cursor, lines in ((0, 100_000), (12 * 1000, 99_000)):
        answer = output("3f9a1c2e", cursor=cursor)
        shown = answer["data"]["output"]
        assert shown.startswith(f"line {100_000 - lines:06d}\n")
        assert shown.endswith("line 099999\n")
        reading = answer["data"]["truncated"]["next"]
        assert reading["tool"] == "read"
        missing = call("read", {**reading["arguments"], "limit": 1})["text"]
        first_missing = shown[: shown.index("[…")].splitlines()[-1]
        assert int(missing.split("line ")[1][:6]) == int(first_missing.split()[1]) + 1


@pytest.mark.parametrize("job_id", ["../x", "", "3f9a1c2", "3F9A1C2E", "3f9a1c2e/", ".", "3f9a1c2g", "..", "lock"])
def test_what_is_no_id_is_a_usage_error(job_id: str, workspace: Path):
    assert output(job_id)["error"]["kind"] == "usage"


def test_a_job_that_is_not_there_is_not_found(workspace: Path):
    answer = output("3f9a1c2e")
    assert (answer["exit"], answer["error"]["kind"]) == (66, "not_found")


def test_other_agents_names_are_understood(workspace: Path):
    lay_job()
    for tool, name in (("job_output", "shell_id"), ("BashOutput", "bash_id"), ("TaskOutput", "task_id")):
        answer = call(tool, {name: "3f9a1c2e"})
        assert (answer["tool"], answer["data"]["output"]) == ("jobs_output", "kept\n")


def test_a_log_that_is_capped_says_so(workspace: Path, home: Path):
    (home / ".config/codetools").mkdir(parents=True)
    (home / ".config/codetools/config.yaml").write_text("limits: {spool_bytes: 10000}\n")
    job_id = start("head -c 50000 /dev/zero | tr '\\0' x")
    wait(job_id)
    assert (jobs_home() / job_id / "log").stat().st_size == 10_000
    assert "only the first 10,000 bytes of output were kept" in output(job_id)["text"]


def test_a_job_of_another_session_is_asked_about(workspace: Path):
    lay_job("00000001", session="A")
    assert call("jobs_output", {"job_id": "00000001"}, session="A")["ok"]
    assert call("jobs_output", {"job_id": "00000001"}, session="B")["exit"] == 75
    assert call("jobs_output", {"job_id": "00000001"})["exit"] == 75
    assert call("jobs_output", {"job_id": "00000001"}, session="B", allow=("jobs_output",))["ok"]
    lay_job("00000002")
    assert call("jobs_output", {"job_id": "00000002"}, session="B")["ok"], "it is nobody's"
