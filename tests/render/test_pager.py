"""More than a screen goes to the pager, on a terminal only."""

import sys
from pathlib import Path

import pytest

from codetools.render.pager import fits, page
from codetools.render.terminal import Terminal
from tests.render.ptys import on_terminal

SMALL = Terminal(is_terminal=True, width=20, height=5, moves=True)
SCRIPT = """
import sys
from codetools.render.pager import page
from codetools.render.terminal import terminal_of
from codetools.render.write import write_out
text = "".join(f"line {number}\\n" for number in range(LINES))
if not page(text, terminal_of(sys.stdout)):
    write_out(text)
    write_out("no pager\\n")
"""


@pytest.fixture
def pager(tmp_path: Path) -> str:
    program = tmp_path / "my pager.py"
    program.write_text(
        "import os, sys\ntext = sys.stdin.read()\n"
        "print('PAGED', len(text.splitlines()), *sys.argv[1:], os.environ['LESSSECURE'])\n"
    )
    return f"'{sys.executable}' '{program}' -R"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", True),
        ("a\n" * 4, True),
        ("a\n" * 5, False),
        ("x" * 80 + "\n", True),
        ("x" * 81 + "\n", False),
        ("日" * 40 + "\n", True),
        ("日" * 41 + "\n", False),
        ("\x1b[31m" + "x" * 80 + "\x1b[0m\n", True),
    ],
)
def test_a_screen_is_counted_in_rows(text: str, wanted: bool):
    assert fits(text, SMALL) is wanted


def test_a_long_result_goes_to_the_users_own_pager(pager: str):
    drawn = on_terminal(SCRIPT.replace("LINES", "100"), PAGER=pager)
    assert drawn == "PAGED 100 -R 1\n"


def test_a_result_of_one_screen_does_not(pager: str):
    assert on_terminal(SCRIPT.replace("LINES", "23"), PAGER=pager).endswith("line 22\nno pager\n")


@pytest.mark.parametrize("name", ["", "cat", "/no/such/pager", "unbalanced '"])
def test_without_a_pager_that_runs_the_text_is_written(name: str):
    assert on_terminal(SCRIPT.replace("LINES", "100"), PAGER=name).endswith("line 99\nno pager\n")


def test_i8_less_in_the_workspace_is_not_run(tmp_path: Path):
    planted = tmp_path / "less"
    planted.write_text("#!/bin/sh\necho PLANTED\n")
    planted.chmod(0o755)
    script = SCRIPT.replace("LINES", "100").replace("(sys.stdout)", f"(sys.stdout), ({str(tmp_path)!r},)")
    drawn = on_terminal(script, PATH=f"{tmp_path}:/usr/bin:/bin", keys=b"q")
    assert "line 0" in drawn
    assert "PLANTED" not in drawn


def test_a_pager_that_leaves_early_is_no_error():
    assert on_terminal(SCRIPT.replace("LINES", "100000"), PAGER="true") == ""


@pytest.mark.parametrize("terminal", [Terminal(), SMALL.but(moves=False)])
def test_a_pipe_and_a_dumb_terminal_need_no_pager(terminal: Terminal, pager: str):
    assert page("x\n" * 100, terminal, (), {"PAGER": pager}) is False
