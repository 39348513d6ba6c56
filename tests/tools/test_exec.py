"""The tool exec through the real engine: words as they are, judged like a command of one program."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.calls import call
from tests.cli.typed import CODETOOLS


def execute(*argv: str, yolo: bool = True, **arguments) -> dict:
    return call("exec", {"argv": list(argv), **arguments}, yolo=yolo)


def test_words_reach_the_program_as_they_are(workspace: Path):
    script = "import sys; print(sys.argv[1:])"
    words = ["$HOME", "*", "a b", "'", '"', "", "a\nb", ";", "--yolo", "é"]
    outcome = execute(sys.executable, "-c", script, *words)
    assert outcome["data"]["stdout"] == f"{words}\n"
    assert outcome["data"]["exit_code"] == 0


def test_a_reading_program_runs_unasked_and_enforced(workspace: Path):
    (workspace / "a b.txt").write_text("one\n")
    outcome = execute("cat", "a b.txt", yolo=False)
    assert (outcome["exit"], outcome["text"]) == (0, "one\n")
    assert (outcome["data"]["verdict"], outcome["data"]["sandbox"]) == ("read_only", "enforced")


def test_nothing_is_expanded_by_a_shell(workspace: Path):
    (workspace / "a.txt").write_text("")
    assert execute("echo", "*", "~", "$(id)", yolo=False)["text"] == "* ~ $(id)\n"


@pytest.mark.parametrize(
    ("argv", "kind"),
    [
        (["touch", "x"], "approval_required"),
        (["cat", "/etc/shadow"], "approval_required"),
        (["sh", "-c", "ls"], "approval_required"),
        (["curl", "x"], "banned"),
        (["/usr/bin/sudo", "ls"], "banned"),
        (["rm", "-rf", "/"], "banned"),
    ],
)
def test_other_programs_ask_or_are_banned_as_in_bash(argv: list[str], kind: str, workspace: Path):
    assert execute(*argv, yolo=False)["error"]["kind"] == kind
    assert list(workspace.glob("x")) == []


def test_a_rule_for_bash_holds_for_exec(workspace: Path):
    outcome = call("exec", {"argv": ["touch", "x"]}, allow=("bash(touch:*)",))
    assert outcome["ok"]
    assert (workspace / "x").exists()


def test_a_program_that_is_not_there_is_not_found(workspace: Path):
    assert execute("no-such-program")["error"]["kind"] == "not_found"
    assert execute("./no-such-program")["ok"] is False


@pytest.mark.parametrize("argv", [[], [""], ["a\0b"]])
def test_no_program_is_a_usage_error(argv: list[str], workspace: Path):
    assert execute(*argv)["error"]["kind"] == "usage"


def test_a_working_directory_and_a_timeout_hold(workspace: Path):
    (workspace / "below").mkdir()
    assert execute("pwd", working_dir="below")["text"] == f"{workspace}/below\n"
    assert execute("sleep", "60", timeout_seconds=0.2)["error"]["kind"] == "timeout"


def test_the_typed_command_ends_with_the_childs_status_and_its_bytes(workspace: Path):
    script = "import sys; sys.stdout.buffer.write(b'\\xff\\0'); sys.stderr.write('e'); sys.exit(7)"
    words = [str(CODETOOLS), "exec", "--yolo", "--", sys.executable, "-c", script]
    done = subprocess.run(words, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (7, b"\xff\0", b"e")
