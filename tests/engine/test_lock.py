"""Below one of our own commands nothing is looser than its parent, whatever the child does to its environment."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.calls import call

CODETOOLS = str(Path(sys.executable).with_name("codetools"))


def below(script: str) -> dict[str, Any]:
    """Run a script by an approved `bash` call and return the envelope that the codetools in it printed."""
    environment = {**os.environ, "PATH": f"{Path(CODETOOLS).parent}:/usr/bin:/bin"}
    arguments = json.dumps({"command": script})
    done = subprocess.run(
        [CODETOOLS, "call", "bash", arguments, "--yolo"], env=environment, capture_output=True, check=True
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
