"""The workspace sandbox through the real engine: what a command can still do, and what it cannot."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from codetools.shell.walls.bubblewrap import find_bubblewrap
from tests import jobs, needs
from tests.calls import call

UNREAD = ": $HOME"  # a command that holds it is not known to only read


@pytest.fixture(autouse=True)
def bubblewrap() -> None:
    needs.program("bwrap")
    if find_bubblewrap(()) is None:
        needs.missing("allow user namespaces: bubblewrap cannot work here")


@pytest.fixture
def room(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace whose user wants the sandbox."""
    settings = workspace.parent / "config.yaml"
    settings.write_text("shell: {sandbox: workspace}\n")
    monkeypatch.setenv("CODETOOLS_CONFIG", str(settings))
    (workspace / ".git/hooks").mkdir()
    (workspace / ".git/config").write_text("[core]\n")
    return workspace


def bash(command: str, **options) -> dict:
    return call("bash", {"command": command, **options}, yolo=True)


def run_unjudged(room: Path, script: str) -> dict:
    """Run a script whose text the analysis does not see: only the sandbox stands in its way."""
    (room / "script").write_text(script)
    return bash(". ./script")


def names(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


def test_the_workspace_is_written_and_nothing_else(room: Path):
    script = (
        "echo one > made; mkdir d; for f in /etc/x /usr/x /x /work/x; do touch $f 2>/dev/null && echo $f; done; true"
    )
    outcome = bash(script)
    assert (outcome["data"]["sandbox"], outcome["data"]["exit_code"], outcome["text"]) == ("enforced", 0, "[no output]")
    assert (room / "made").read_text() == "one\n"


def test_what_is_written_to_the_private_home_and_temporary_directories_is_gone(room: Path, home: Path):
    name = f"codetools-test-{os.getpid()}"  # /tmp is everybody's
    script = f"touch ~/{name} /tmp/{name} {room.parent}/{name} && ls ~/{name} /tmp/{name} | wc -l"
    assert bash(script)["data"]["stdout"] == "2\n"
    assert [path for path in (home / name, Path("/tmp") / name, room.parent / name) if path.exists()] == []


@pytest.mark.parametrize(
    "path",
    [
        ".git/hooks/pre-commit",
        ".git/config",
        ".git/x",
        ".codetools/config.yaml",
        ".envrc",
        ".mcp.json",
        ".vscode/tasks.json",
        ".husky/pre-commit",
        ".pre-commit-config.yaml",
        "sub/.git/config",
    ],
)
def test_protected_names_are_read_only(room: Path, path: str):
    (room / path).parent.mkdir(parents=True, exist_ok=True)
    (room / path).write_text("images: true\n")
    run_unjudged(room, f"echo after > {path}; rm -rf {path}; mv {path} moved; mv {os.path.dirname(path) or path} moved")
    assert (room / path).read_text() == "images: true\n"


@pytest.mark.parametrize(
    "path", [".git/hooks/x", ".codetools/config.yaml", ".envrc", ".mcp.json", ".vscode/tasks.json"]
)
def test_protected_names_do_not_come_into_being(room: Path, path: str):
    (room / "script").touch()
    before = names(room)
    outcome = run_unjudged(room, f"mkdir -p $(dirname {path}); echo x > {path} || echo refused")
    assert outcome["data"]["stdout"] == "refused\n"
    assert names(room) == before


def test_a_repository_cannot_be_exchanged_or_made(room: Path):
    assert run_unjudged(room, "mv .git other && mkdir .git")["data"]["exit_code"] == 1
    for path in (".git/hooks", ".git/config"):
        (room / path).unlink() if (room / path).is_file() else (room / path).rmdir()
    (room / ".git").rmdir()
    assert run_unjudged(room, "mkdir -p .git/hooks && echo made")["data"]["stdout"] == ""
    assert names(room) == ["script"]


def test_home_state_and_the_temporary_directories_are_hidden(room: Path, home: Path):
    (home / ".ssh").mkdir()
    (home / ".ssh/id_ed25519").write_text("secret\n")
    (room.parent / "beside").write_text("secret\n")
    outcome = bash(f"{UNREAD}; cat ~/.ssh/id_ed25519 {room.parent}/beside; ls -A ~ /run/user; ls -A /root /home")
    assert "secret" not in outcome["text"]
    state = home / ".local/state/codetools"
    assert state.is_dir()
    assert bash(f"{UNREAD}; ls -A {state}")["data"]["stdout"] == ""


def test_toolchains_in_the_home_directory_are_seen(room: Path, home: Path):
    (home / ".cargo/bin").mkdir(parents=True)
    tool = home / ".cargo/bin/tool"
    tool.write_text("#!/bin/sh\necho ran\n")
    tool.chmod(0o755)
    (home / ".cargo/credentials.toml").write_text("secret\n")
    assert bash("~/.cargo/bin/tool; cat ~/.cargo/credentials.toml; touch ~/.cargo/bin/x")["data"]["stdout"] == "ran\n"
    assert not (home / ".cargo/bin/x").exists()


def test_a_python_environment_on_the_path_runs(room: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", f"{sys.prefix}/bin:/usr/bin:/bin")
    outcome = call("exec", {"argv": ["python", "-c", "import sys, rich; print('ran')"]}, yolo=True)
    assert outcome["data"]["stdout"] == "ran\n", outcome


def test_there_is_no_network_unless_allowed(room: Path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        connect = f"(: > /dev/tcp/127.0.0.1/{server.getsockname()[1]}) 2>/dev/null && echo reached || echo closed"
        assert bash(connect)["data"]["stdout"] == "closed\n"
        (room.parent / "config.yaml").write_text("shell: {sandbox: workspace, network: true}\n")
        assert bash(connect)["data"]["stdout"] == "reached\n"


def test_other_processes_are_not_seen(room: Path):
    outcome = bash(f"kill -0 {os.getpid()} && echo seen; ls -d /proc/[0-9]* | wc -l")
    assert "seen" not in outcome["data"]["stdout"]
    assert int(outcome["data"]["stdout"]) < 6


def test_results_are_as_without_a_sandbox(room: Path):
    (room / "sub").mkdir()
    data = bash("echo out; echo err >&2; cd sub; cat; exit 3")["data"]
    assert (data["stdout"], data["stderr"], data["exit_code"], data["working_dir"]) == ("out\n", "err\n", 3, "sub")
    data = bash("sleep 60 & echo hi")["data"]
    for process in data["left"]:
        os.kill(process["pid"], signal.SIGKILL)
    assert (data["stdout"], [process["name"] for process in data["left"]]) == ("hi\n", ["sleep"])


def test_i6_a_deadline_gives_a_grace_and_ends_everything(room: Path):
    began = time.monotonic()
    outcome = bash("trap 'echo bye; exit 9' TERM; echo hi; setsid sleep 60 & wait", timeout_seconds=0.7)
    assert (outcome["exit"], outcome["data"]["stdout"]) == (124, "hi\nbye\n")
    assert time.monotonic() - began < 15
    assert outcome["data"]["left"] == []


def test_placeholders_stay_while_another_command_runs(room: Path):
    script = "echo ready > ready; while [ ! -e go ]; do sleep 0.02; done; mkdir -p .vscode/x && echo made"
    (room / "script").write_text(script)
    words = [sys.executable, "-m", "codetools", "call", "bash", '{"command": ". ./script"}', "--yolo"]
    slow = subprocess.Popen(words, stdout=subprocess.PIPE)
    until = time.monotonic() + 20
    while not (room / "ready").exists() and time.monotonic() < until:
        select.select([], [], [], 0.02)
    assert bash(f"{UNREAD}; echo done")["data"]["stdout"] == "done\n"
    assert (room / ".vscode").is_dir()
    (room / "go").touch()
    output, _ = slow.communicate(timeout=30)
    assert "made" not in json.loads(output)["data"]["stdout"].split()
    assert not (room / ".vscode").exists()


def test_a_background_job_is_held_too(room: Path):
    (room / "script").write_text("while [ ! -e go ]; do sleep 0.02; done; mkdir -p .vscode/x /usr/x; echo $?")
    started = call("bash", {"command": ". ./script", "run_in_background": True}, yolo=True, session="s")
    job_id = started["data"]["job_id"]
    assert (room / ".vscode").is_dir()
    (room / "go").touch()
    waited = call("jobs_wait", {"job_id": job_id, "timeout_seconds": 20}, session="s")
    assert waited["data"]["jobs"][0]["exit_code"] == 0, waited
    shown = call("jobs_output", {"job_id": job_id}, session="s")
    assert shown["text"].count("cannot create directory") == 2, shown
    until = time.monotonic() + 20
    while (room / ".vscode").exists() and time.monotonic() < until:
        select.select([], [], [], 0.02)
    assert names(room) == [".git", ".git/config", ".git/hooks", "go", "script"]


def test_nothing_of_a_job_survives_its_supervisor_and_its_keeper_killed_at_once(
    room: Path, monkeypatch: pytest.MonkeyPatch
):
    marker = f"killed-at-once-{os.getpid()}"
    monkeypatch.setenv("JOB_MARKER", marker)
    job_id = jobs.start("echo up; (setsid sleep 60 &); : $HOME; sleep 60")
    jobs.until(lambda: (jobs.jobs_home() / job_id / "log").read_text() == "up\n")
    supervisor = jobs.supervisor_of(job_id)
    [keeper] = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split()
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in (supervisor, int(keeper)):
            os.kill(pid, number)
    jobs.until(lambda: jobs.survivors(marker) == [])


def test_what_a_killed_run_left_is_taken_away_by_the_next(room: Path):
    words = [sys.executable, "-m", "codetools", "call", "bash", '{"command": "echo > ready; sleep 60"}', "--yolo"]
    slow = subprocess.Popen(words, stdout=subprocess.PIPE)
    until = time.monotonic() + 20
    while not (room / "ready").exists() and time.monotonic() < until:
        select.select([], [], [], 0.02)
    slow.send_signal(signal.SIGKILL)
    slow.communicate()
    until = time.monotonic() + 20
    while (room / ".vscode").exists() and time.monotonic() < until:
        bash(UNREAD)
    assert names(room) == [".git", ".git/config", ".git/hooks", "ready"]


def test_leaving_the_sandbox_is_asked_about_even_under_yolo(room: Path):
    outcome = call("bash", {"command": "touch ../outside", "sandbox": "none"}, yolo=True, allow=("bash(touch:*)",))
    assert (outcome["exit"], (room.parent / "outside").exists()) == (75, False)
    approval = outcome["error"]["details"]["approval"]["id"]
    outcome = call("bash", {"command": "touch ../outside", "sandbox": "none"}, approve=approval)
    assert (outcome["ok"], outcome["data"]["sandbox"], (room.parent / "outside").exists()) == (True, "none", True)


def test_a_flag_asks_for_the_sandbox_without_a_setting(room: Path):
    (room.parent / "config.yaml").write_text("")
    assert bash("touch /usr/x || echo refused", sandbox="workspace")["data"]["stdout"] == "refused\n"
    assert bash("touch ../x; echo done")["data"]["sandbox"] == "none"


def test_a_reading_command_keeps_its_own_jail(room: Path):
    (room / "f").write_text("text\n")
    before = names(room)
    data = call("bash", {"command": "cat f"})["data"]
    assert (data["stdout"], data["verdict"], data["sandbox"]) == ("text\n", "read_only", "enforced")
    assert names(room) == before


def test_a_link_in_a_protected_place_makes_it_partial(room: Path):
    (room / ".vscode").symlink_to("elsewhere")
    assert bash(UNREAD)["data"]["sandbox"] == "partial"


def test_no_setting_of_the_kernel_is_opened_for_writing(room: Path):
    script = (
        "for f in /proc/sys/kernel/core_pattern /proc/sys/vm/swappiness /proc/sysrq-trigger /sys/kernel/profiling; do\n"
        "  (: >> $f) 2>/dev/null && echo $f\ndone\necho out > /dev/stdout; echo fd > /proc/self/fd/1; cat <(echo pipe)"
    )
    assert run_unjudged(room, script)["data"]["stdout"] == "out\nfd\npipe\n"
