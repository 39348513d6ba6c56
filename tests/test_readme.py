"""The README cannot lie: its console blocks are run, and its commands are those of the gate."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parent.parent
README = (CHECKOUT / "README.md").read_text()
BLOCKS = re.findall(r"^```console\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def steps() -> list[tuple[str, str]]:
    """Return (command, output) pairs in order."""
    found = []
    for block in BLOCKS:
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = step.partition("\n")
            found.append((command, output))
    return found


def as_pattern(output: str) -> str:
    """`…` stands for anything on its line."""
    return "".join(".*" if part == "…" else re.escape(part) for part in re.split("(…)", output))


def test_every_console_block_of_the_readme_shows_what_happens(workspace: Path, home: Path):
    (workspace / "app.py").write_text('def greet(name):\n    return "Hello, " + name\n')
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(home)}
    assert len(steps()) >= 9
    for command, output in steps():
        done = subprocess.run(
            ["bash", "-c", command + " 2>&1"],
            cwd=workspace,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert re.fullmatch(as_pattern(output), done.stdout), f"$ {command}\n{done.stdout}"


def test_the_first_screen_says_it_all():
    screen = "\n".join(README.splitlines()[:25])
    for piece in ("pip install", "codetools grep", "codetools edit", "codetools undo", "codetools call", '"v": 1'):
        assert piece in screen
    assert "permissions check" in screen
    assert "tools schema" in screen


def test_the_gate_runs_the_readmes_own_test_command():
    gate = (CHECKOUT / ".ci/run").read_text()
    assert """grep -F "'.[test]'" README.md""" in gate
    assert len(re.findall(r".*'\.\[test\]'.*", README)) == 1


@pytest.mark.parametrize("number", [1, 2])
def test_the_readmes_commands_are_one_line_each(number: int):
    commands = re.search(r"```sh\n(.*?)\n(.*?)\n```", README)
    assert commands is not None
    assert commands[number].startswith("python3 -m venv .venv && .venv/bin/pip install -q ")
