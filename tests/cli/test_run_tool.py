"""A typed command that runs a program shows its output as it comes, and how it ended."""

import os
from pathlib import Path

from tests.cli.typed import OnTerminal

WAITING = "echo first; echo bad >&2; read line < go; echo $line"


def test_output_is_on_the_terminal_before_the_command_has_ended(workspace: Path):
    os.mkfifo(workspace / "go")
    shown = OnTerminal("bash", "--yolo", WAITING, NO_COLOR="1", columns=200)
    shown.answer("[stderr] bad\n", "")
    assert "first\n" in shown.screen
    assert "Success" not in shown.screen
    (workspace / "go").write_text("last\n")
    assert shown.end() == 0
    lines = shown.screen.splitlines()
    assert lines[0] == f"bash {WAITING}"
    assert (sorted(lines[1:3]), lines[3]) == (["[stderr] bad", "first"], "last")
    assert lines[4:] == ["✓ Success → 15 bytes, 3 lines"]


def test_a_command_that_was_ended_shows_what_it_had_written_once(workspace: Path):
    shown = OnTerminal("bash", "--yolo", "-t", "0.5", "echo first; sleep 60", NO_COLOR="1")
    assert shown.end() == 124
    assert shown.screen.count("\nfirst\n") == 1
    assert "✗ timeout → " in shown.screen
