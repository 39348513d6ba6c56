"""The streams decide how an outcome is shown, and both get theirs."""

import subprocess
import sys

from tests.render.outcomes import DIFF
from tests.render.ptys import REPOSITORY, on_terminal

SCRIPT = """
import sys
from codetools.core.errors import Failure
from codetools.core.outcome import Notice
from codetools.core.path import Path
from codetools.render.show import show
from tests.render.outcomes import Lines, edited, outcome
try:
    show(edited(notices=(Notice("weak", "Not durable."),)), color=COLOR, subject="app.py")
except Failure as failure:
    sys.exit(failure.exit_code)
"""


def run(redirect: str = "", color: str = "auto") -> subprocess.CompletedProcess[str]:
    command = ["sh", "-c", f'"$0" -c "$1" {redirect}', sys.executable, SCRIPT.replace("COLOR", repr(color))]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, cwd=REPOSITORY)


def test_a_pipe_gets_the_patch_and_standard_error_the_note():
    ran = run()
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, DIFF, "codetools edit: note: Not durable.\n")


def test_a_full_disk_fails_and_the_note_is_still_said():
    ran = run("> /dev/full")
    assert (ran.returncode, ran.stderr) == (74, "codetools edit: note: Not durable.\n")


def test_a_small_terminal_pages_and_the_note_comes_last():
    drawn = on_terminal(SCRIPT.replace("COLOR", "'never'"), height=5, PAGER="sed s/^/|/")
    assert drawn.splitlines()[:2] == ["|edit app.py", "|--- a/app.py"]
    assert drawn.splitlines()[-2:] == ["|✓ Success → 1 file, +1 -1 (undo 17)", "codetools edit: note: Not durable."]
