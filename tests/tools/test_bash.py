"""The tool bash through the real engine: verdict, jail, result, failures."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.calls import call


def bash(command: str, yolo: bool = True, **arguments) -> dict:
    return call("bash", {"command": command, **arguments}, yolo=yolo)


def test_a_reading_command_runs_unasked_and_enforced(workspace: Path):
    (workspace / "f.txt").write_text("one\ntwo\n")
    outcome = bash("cat f.txt | tail -n 1", yolo=False)
    assert (outcome["ok"], outcome["exit"], outcome["text"]) == (True, 0, "two\n")
    data = outcome["data"]
    assert (data["exit_code"], data["signal"], data["timed_out"]) == (0, None, False)
    assert (data["stdout"], data["stderr"], data["working_dir"]) == ("two\n", "", ".")
    assert (data["verdict"], data["sandbox"], data["spool"]) == ("read_only", "enforced", None)


@pytest.mark.parametrize("command", ["touch x", "git status", "echo $HOME", "cat /etc/passwd", "cat .env", "ls > x"])
def test_other_commands_ask_and_do_nothing(command: str, workspace: Path):
    (workspace / ".env").write_text("KEY=1\n")
    before = sorted(os.listdir(workspace))
    outcome = bash(command, yolo=False)
    assert (outcome["exit"], outcome["error"]["kind"]) == (75, "approval_required")
    assert sorted(os.listdir(workspace)) == before


def test_an_approved_command_runs_once(workspace: Path):
    approval = bash("touch made", yolo=False)["error"]["details"]["approval"]["id"]
    assert call("bash", {"command": "touch made"}, approve=approval)["ok"]
    assert (workspace / "made").exists()
    assert call("bash", {"command": "touch made"}, approve=approval)["exit"] != 0


@pytest.mark.parametrize(("command", "kind"), [("curl x", "banned"), ("rm -rf /", "banned"), ("sudo ls", "banned")])
def test_banned_commands_do_not_run_even_with_yolo(command: str, kind: str, workspace: Path):
    outcome = bash(command)
    assert (outcome["exit"], outcome["error"]["kind"]) == (77, kind)


def test_a_command_that_fails_is_an_answer(workspace: Path):
    outcome = bash("echo out; echo err >&2; echo more; exit 3")
    assert (outcome["ok"], outcome["exit"]) == (True, 0)
    assert (outcome["data"]["exit_code"], outcome["data"]["stderr"]) == (3, "err\n")
    assert outcome["text"] == "out\n[stderr] err\nmore\n[exit code 3]"


def test_no_match_is_said_to_be_one(workspace: Path):
    (workspace / "f.txt").write_text("one\n")
    assert bash("grep nothing f.txt", yolo=False)["text"] == "[exit code 1: nothing matched]"


def test_no_output_is_said(workspace: Path):
    assert bash("true", yolo=False)["text"] == "[no output]"


def test_a_signal_is_named(workspace: Path):
    outcome = bash("kill -SEGV $$")
    assert (outcome["data"]["exit_code"], outcome["data"]["signal"]) == (None, "SIGSEGV")
    assert outcome["text"] == "[ended by SIGSEGV]"


def test_where_the_shell_ended_is_a_path_that_passes_back(workspace: Path):
    (workspace / "a/b").mkdir(parents=True)
    (workspace / "a/b/f").write_text("here\n")
    for yolo, command in ((False, "cd a && cd b && ls"), (True, "cd a/b; ls | cat; exit 5")):
        outcome = bash(command, yolo=yolo)
        assert outcome["data"]["working_dir"] == "a/b"
    assert bash("cat f", yolo=False, working_dir="a/b")["text"] == "here\n"


def test_the_command_is_run_exactly_as_written(workspace: Path):
    for command in (
        "-n",
        "echo 'a\nb'; # end",
        "echo $LINENO",
        "cat <<'E'\n$x\nE",
        'echo $0 $# "$@"',
        "f() { echo f; }; f",
    ):
        plain = subprocess.run(["bash", "-c", "--", command], capture_output=True, text=True)
        data = bash(command)["data"]
        assert (data["stdout"], data["exit_code"]) == (plain.stdout, plain.returncode)


def test_an_error_of_the_shell_reads_as_ever(workspace: Path):
    assert bash("nosuchprogram")["data"]["stderr"].endswith("line 1: nosuchprogram: command not found\n")
    assert "trap" not in bash("set -x; true")["data"]["stderr"]
    assert bash("trap 'echo bye' EXIT; echo hi")["text"] == "hi\nbye\n"


def test_i6_a_deadline_ends_everything_and_keeps_the_output(workspace: Path):
    outcome = bash("echo partial; setsid sleep 60 & sleep 61", timeout_seconds=0.5)
    assert (outcome["exit"], outcome["error"]["kind"]) == (124, "timeout")
    assert (outcome["data"]["stdout"], outcome["data"]["timed_out"]) == ("partial\n", True)
    assert outcome["text"].startswith("partial\n[")


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), 601])
def test_a_timeout_out_of_range_is_a_usage_error(seconds: float, workspace: Path):
    outcome = bash("touch x", timeout_seconds=seconds)
    assert (outcome["exit"], outcome["error"]["kind"]) == (2, "usage")
    assert not (workspace / "x").exists()


@pytest.mark.parametrize("command", ["", " \n", "a\0b"])
def test_a_command_that_is_none_is_a_usage_error(command: str, workspace: Path):
    assert bash(command)["error"]["kind"] == "usage"


def test_milliseconds_are_not_taken_for_seconds(workspace: Path):
    outcome = call("bash", {"command": "true", "timeout": 120_000})
    assert outcome["error"]["kind"] == "usage"
    assert "timeout_seconds" in outcome["error"]["message"]


@pytest.mark.parametrize("directory", ["none", "f.txt"])
def test_a_working_directory_that_is_none_is_an_error(directory: str, workspace: Path):
    (workspace / "f.txt").write_text("")
    assert bash("ls", working_dir=directory)["exit"] in (2, 66)


def test_a_working_directory_outside_is_asked_about(workspace: Path):
    assert bash("ls", yolo=False, working_dir="..")["exit"] == 75


def test_a_background_process_is_named(workspace: Path):
    outcome = bash("sleep 60 & echo hi")
    left = outcome["data"]["left"]
    os.kill(left[0]["pid"], signal.SIGKILL)
    assert [process["name"] for process in left] == ["sleep"]
    assert outcome["text"].startswith("hi\n[")
    assert f"sleep (pid {left[0]['pid']})" in outcome["text"]


def test_a_failed_command_names_what_was_kept_from_it(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DEPLOY_TOKEN", "x")
    assert bash("echo ${DEPLOY_TOKEN-none}")["text"] == "none\n"
    notices = bash("exit 1")["notices"]
    assert [notice["kind"] for notice in notices] == ["environment"]
    assert "DEPLOY_TOKEN" in notices[0]["message"]
    assert "shell.keep_env" in notices[0]["message"]


def test_output_that_cannot_be_kept_is_shown_and_said(workspace: Path, home: Path):
    state = home / ".local/state/codetools"
    state.mkdir(parents=True)
    (state / "spool").write_text("in the way")
    outcome = bash("seq 200000")
    assert (outcome["data"]["exit_code"], outcome["data"]["spool"]) == (0, None)
    assert outcome["text"].startswith("1\n2\n")
    assert "could not be kept on disk" in outcome["text"]


def test_a_full_disk_costs_the_spool_not_the_command(workspace: Path):
    script = "from tests.calls import call\nimport resource, signal\n" + (
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "outcome = call('bash', {'command': 'seq 100000; ulimit -f unlimited; true'}, yolo=True)\n"
        "print(outcome['data']['exit_code'], outcome['data']['spool'], 'could not be kept' in outcome['text'])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent.parent)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert done.stdout == "0 None True\n", done.stderr


def test_long_output_can_be_read_on(workspace: Path):
    outcome = bash("seq 200000", yolo=False)
    data = outcome["data"]
    assert (data["total_lines"], data["total_bytes"]) == (200_000, 1_288_895)
    following = data["truncated"]["next"]
    again = call(following["tool"], following["arguments"])
    assert again["ok"], again["text"]
    last_of_head = int(outcome["text"].partition("\n[…")[0].rpartition("\n")[2])
    assert again["text"].split("\t", 1)[1].startswith(f"{last_of_head + 1}\n")


def test_memory_is_bounded_and_so_is_the_result(workspace: Path):
    (workspace.parent / "config.yaml").write_text("limits: {spool_bytes: 20000000}\n")
    script = "from tests.calls import call\n" + (
        "for command in ('yes', 'head -c 400000000 /dev/zero'):\n"
        "    outcome = call('bash', {'command': command, 'timeout_seconds': 3}, yolo=True, config='../config.yaml')\n"
        "    assert len(outcome['text']) < 300_000, len(outcome['text'])\n"
        "    print(outcome['data']['total_bytes'] > 100_000_000)\n"
        "status = open('/proc/self/status').read()\n"
        "print(int(status.partition('VmHWM:')[2].split()[0]) < 100_000)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent.parent)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert done.stdout == "True\nTrue\nTrue\n", done.stderr


def test_there_is_no_terminal_and_no_input(workspace: Path):
    assert bash("cat; tty; test -t 1 || echo none")["data"]["stdout"] == "not a tty\nnone\n"


def test_input_is_what_is_given(workspace: Path):
    assert bash("cat; echo end", stdin="one\ntwo\n")["data"]["stdout"] == "one\ntwo\nend\n"
    assert bash("wc -c", stdin="é" * 300_000, yolo=False)["data"]["stdout"] == "600000\n"
    words = [sys.executable, "-m", "codetools", "bash", "--stdin-file", "-", "cat"]
    done = subprocess.run(words, input=b"typed\n", capture_output=True, timeout=20)
    assert (done.stdout, done.stderr) == (b"typed\n", b"")


def test_a_required_sandbox_that_cannot_be_had_is_unavailable(home: Path, monkeypatch: pytest.MonkeyPatch):
    """The home directory is too wide to be a workspace, so nothing could be hidden in it."""
    monkeypatch.setenv("CODETOOLS_HOME", f"{home}-state")
    monkeypatch.chdir(home)
    for command in ("touch made", 'python3 -c \'open("made", "w")\''):
        outcome = bash(command, sandbox="require")
        assert (outcome["exit"], outcome["error"]["kind"]) == (69, "unavailable")
    assert not (home / "made").exists()
    assert bash("touch made", sandbox="workspace")["data"]["sandbox"] == "none"


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: Path(path).write_text("")], ids=["fifo", "file"])
def test_a_working_directory_that_is_something_else_is_said(make, workspace: Path):
    make(workspace / "f")
    outcome = bash("true", working_dir="f")
    assert (outcome["exit"], outcome["error"]["message"]) == (2, "working_dir f is not a directory.")


def test_of_a_search_the_head_is_shown_of_a_build_the_end_too(workspace: Path):
    (workspace / "f").write_text("".join(f"{number}\n" for number in range(200_000)))
    assert bash("cat f", yolo=False)["data"]["stdout"].rstrip().endswith("]")
    assert bash("for i in 1; do seq 199999; done")["data"]["stdout"].endswith("\n199999\n")


def codetools(*words: str, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "codetools", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
        start_new_session=True,
    )


@pytest.mark.parametrize(("script", "status"), [("exit 7", 7), ("kill -TERM $$", 143), ("true", 0), ("grep x f", 1)])
def test_the_typed_command_ends_as_the_child_did(script: str, status: int, workspace: Path):
    (workspace / "f").write_text("y\n")
    assert codetools("bash", "--yolo", script).wait() == status


def test_call_ends_by_its_own_table(workspace: Path):
    process = codetools("call", "bash", json.dumps({"command": "false"}))
    output, _ = process.communicate()
    assert process.returncode == 0
    assert json.loads(output)["data"]["exit_code"] == 1


def test_an_interrupt_ends_the_tree_and_prints_the_envelope(workspace: Path):
    command = "echo partial; echo > ready; setsid sleep 60 & sleep 61"
    process = codetools("call", "bash", json.dumps({"command": command}), "--yolo", COOKIE="interrupt")
    until = time.monotonic() + 20
    while not (workspace / "ready").exists() and time.monotonic() < until:
        select.select([], [], [], 0.02)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=20)
    envelope = json.loads(output)
    assert (process.returncode, envelope["error"]["kind"]) == (130, "interrupted")
    assert envelope["data"]["stdout"] == "partial\n"


@pytest.mark.parametrize("name", [".ENV.local", "ID_RSA", "server.PEM", ".Docker/config.json"])
def test_a_search_of_a_tree_passes_over_secrets_in_any_case(workspace: Path, name: str):
    path = workspace / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("SECRET\n")
    for command in ("grep -r SECRET .", "rg SECRET", "diff -r . ."):
        assert "SECRET" not in json.dumps(call("bash", {"command": command})["data"] or {})


@pytest.mark.parametrize("command", ["cd conf; grep -r SECRET", "cd conf; rg SECRET", "grep -r SECRET conf/sub"])
def test_a_search_within_a_denied_place_is_never_run_unasked(workspace: Path, command: str):
    (workspace / "conf/sub").mkdir(parents=True)
    (workspace / "conf/x.txt").write_text("SECRET\n")
    (workspace / "conf/sub/x.txt").write_text("SECRET\n")
    for rule in ("read(conf/**)", "read(conf/*.txt)", "read(conf/sub/*.txt)"):
        assert call("bash", {"command": command}, deny=(rule,))["exit"] in (75, 77)


def test_a_pipe_gets_the_childs_bytes_and_nothing_else(workspace: Path):
    """Colours, carriage returns, NULs and bytes that are no text; what we say goes to standard error."""
    script = r"printf 'a\r\n\033[31mred\033[0m\377\0x'; printf 'wr\377ong\n' >&2; sleep 60 & exit 3"
    process = codetools("bash", "--yolo", script)
    output, error = process.communicate(timeout=20)
    assert (process.returncode, output) == (3, b"a\r\n\x1b[31mred\x1b[0m\xff\0x")
    first, _, said = error.partition(b"\n")
    assert (first, b"sleep (pid" in said) == (b"wr\xffong", True)
    os.kill(int(said.partition(b"(pid ")[2].partition(b")")[0]), signal.SIGKILL)


def test_a_pipe_gets_all_of_long_output_each_stream_apart(workspace: Path):
    script = "for i in $(seq 30000); do echo $i; test $((i % 3)) = 0 && echo error $i >&2; done"
    script += "; head -c 300000 /dev/zero"
    output, error = codetools("bash", "--yolo", script).communicate(timeout=60)
    assert output == b"".join(b"%d\n" % number for number in range(1, 30_001)) + b"\0" * 300_000
    assert error == b"".join(b"error %d\n" % number for number in range(3, 30_001, 3))


def test_i6_what_a_pipe_does_not_get_is_said_on_standard_error(workspace: Path):
    (workspace.parent / "config.yaml").write_text("limits: {spool_bytes: 300000}\n")
    words = ("--yolo", "--config", "../config.yaml", "head -c 1000000 /dev/zero")
    output, error = codetools("bash", *words).communicate(timeout=60)
    assert output == b"\0" * 300_000
    assert b"only the first 300,000 of 1,000,000 bytes of output" in error


def test_the_output_of_a_command_that_was_ended_is_exact_too(workspace: Path):
    process = codetools("bash", "--yolo", "-t", "0.5", "printf partial; sleep 60")
    output, error = process.communicate(timeout=20)
    assert (process.returncode, output) == (124, b"partial")
    assert b"0.5 seconds" in error


@pytest.mark.parametrize(("given", "is_told"), [(b"hello\n", True), (b"", False)])
def test_input_that_no_command_gets_is_told(given: bytes, is_told: bool, workspace: Path):
    words = [sys.executable, "-m", "codetools", "bash", "--yolo", "cat"]
    done = subprocess.run(words, input=given, capture_output=True, timeout=20)
    assert (done.returncode, done.stdout, b"standard input" in done.stderr) == (0, b"", is_told)


def test_a_call_that_takes_its_arguments_from_standard_input_is_told_nothing(workspace: Path):
    words = [sys.executable, "-m", "codetools", "call", "bash"]
    done = subprocess.run(words, input=b'{"command": "echo hi"}', capture_output=True, timeout=20)
    assert json.loads(done.stdout)["notices"] == []


def test_a_timeout_in_other_units_is_refused_with_what_to_give(workspace: Path):
    answer = call("bash", {"command": "ls", "timeout": 120000})
    assert (answer["error"]["kind"], "timeout_seconds takes seconds" in answer["text"]) == ("usage", True)


def test_a_search_that_finds_nothing_tells_of_the_secrets_it_passed_over(workspace: Path):
    (workspace / ".env").write_text("KEY=1\n")
    answer = call("bash", {"command": "grep -r KEY ."})
    assert (answer["data"]["exit_code"], [notice["kind"] for notice in answer["notices"]]) == (1, ["withheld"])
    assert "secrets were not searched" in answer["text"]
