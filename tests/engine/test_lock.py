"""Below one of our own commands nothing is looser than its parent, whatever the child does to its environment."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.calls import call

CODETOOLS = str(Path(sys.executable).with_name("codetools"))


def below(script: str, *options: str) -> dict[str, Any]:
    """Run a script by an approved `bash` call and return the envelope that the codetools in it printed."""
    environment = {**os.environ, "PATH": f"{Path(CODETOOLS).parent}:/usr/bin:/bin"}
    arguments = json.dumps({"command": script})
    done = subprocess.run(
        [CODETOOLS, "call", "bash", arguments, "--yolo", *options], env=environment, capture_output=True, check=True
    )
    found: dict[str, Any] = json.loads(json.loads(done.stdout)["data"]["stdout"])
    return found


READ = """codetools call read '{"file_path": "a.txt"}'"""


@pytest.fixture(autouse=True)
def file(workspace: Path) -> None:
    (workspace / "a.txt").write_text("one\n")


def test_a_call_below_a_command_may_do_what_needs_no_word():
    assert below(READ)["ok"] is True


@pytest.mark.parametrize("flag", ["--yolo", "--approve x", "--allow read", "--config /dev/null"])
@pytest.mark.parametrize("escape", ["", "env -u CODETOOLS_LOCK ", "setsid -w env -u CODETOOLS_LOCK "])
def test_i2_a_child_cannot_loosen_even_without_the_variable(flag: str, escape: str):
    assert below(f"{escape}{READ} {flag}")["error"]["kind"] == "denied"


@pytest.mark.parametrize("variable", ["CODETOOLS_YOLO=1", "CODETOOLS_HOME=/tmp/x", "HOME=/tmp", "XDG_CONFIG_HOME=/tmp"])
def test_i2_a_child_cannot_choose_other_settings(variable: str):
    assert below(f"{variable} {READ}")["error"]["kind"] == "denied"


def test_a_child_cannot_use_an_approval_that_a_person_gave(workspace: Path):
    arguments = {"file_path": "a.txt", "old_string": "one", "new_string": "two"}
    approval = call("edit", arguments)["error"]["details"]["approval"]["id"]
    inner = f"env -u CODETOOLS_LOCK codetools call edit '{json.dumps(arguments)}' --approve {approval}"
    assert below(inner)["error"]["kind"] == "denied"
    assert (workspace / "a.txt").read_text() == "one\n"


ESCAPED = "env -u CODETOOLS_LOCK "
READ_SUB = f"""{ESCAPED}codetools call read '{{"file_path": "sub/b.txt"}}'"""
READ_NESTED = f"""cd sub && {ESCAPED}codetools call read '{{"file_path": "b.txt"}}'"""


@pytest.fixture
def nested(workspace: Path) -> Path:
    """A repository in the workspace, which a call from within it takes for the workspace."""
    (workspace / "sub" / ".git").mkdir(parents=True)
    (workspace / "sub" / "b.txt").write_text("two\n")
    return workspace / "sub"


@pytest.mark.parametrize("script", [READ_SUB, READ_NESTED])
def test_i2_a_child_is_held_to_the_denials_of_its_parent(nested: Path, tmp_path: Path, script: str):
    settings = tmp_path / "strict.yaml"
    settings.write_text('denied_tools: ["read(sub/**)"]\n')
    assert below(script)["ok"] is True
    assert below(script, "--deny", "read(sub/**)")["error"]["kind"] == "denied"
    assert below(script, "--config", str(settings))["error"]["kind"] == "denied"


def test_i2_a_child_knows_the_secrets_of_its_parents_project(nested: Path, workspace: Path):
    assert below(READ_NESTED)["ok"] is True
    (workspace / ".codetools").mkdir()
    (workspace / ".codetools" / "config.yaml").write_text("secrets: ['b.txt', '!*.pem']\n")
    assert below(READ_NESTED)["error"]["kind"] == "approval_required"


def test_i2_a_child_cannot_widen_the_workspace(workspace: Path, tmp_path: Path):
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    (other / "c.txt").write_text("three\n")
    read = f"""codetools call read '{{"file_path": "{other}/c.txt"}}'"""
    for script in (
        f"{read} --add-dir {other}",
        f"{read} --root {other}",
        f"cd {other} && {read}",
        f"{read} -C {other}",
    ):
        assert below(script)["error"]["kind"] == "approval_required", script
    assert below(read, "--add-dir", str(other))["error"]["kind"] == "approval_required"
    assert below(f"{read} --add-dir {other}", "--add-dir", str(other))["ok"] is True


def test_i2_a_child_of_a_child_is_held_to_both(nested: Path):
    inner = json.dumps({"command": READ_SUB})
    script = f"codetools call bash {shlex.quote(inner)}"
    assert below(script, "--deny", "read(sub/**)")["error"]["kind"] == "approval_required"
    (Path(os.environ["HOME"]) / ".config" / "codetools").mkdir(parents=True)
    (Path(os.environ["HOME"]) / ".config" / "codetools" / "config.yaml").write_text("allowed_tools: [bash]\n")
    assert json.loads(below(script)["data"]["stdout"])["ok"] is True
    assert json.loads(below(script, "--deny", "read(sub/**)")["data"]["stdout"])["error"]["kind"] == "denied"


def test_i2_a_child_that_removes_what_holds_it_may_do_nothing(workspace: Path):
    assert below(f'rm -rf "$HOME/.local/state/codetools/floors"; {READ}')["error"]["kind"] == "denied"


def test_floors_of_processes_that_ended_go(workspace: Path, home: Path):
    for _ in range(3):
        below(READ)
    assert len(list((home / ".local" / "state" / "codetools" / "floors").iterdir())) == 1
