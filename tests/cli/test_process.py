"""What only real processes show: planted modules, closed and full output, terminals, signals."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.typed import CODETOOLS, PATIENCE_SECONDS, OnTerminal, process

DOORS = [[str(CODETOOLS)], [sys.executable, "-P", "-m", "codetools"]]
PLANTED = ("yaml", "json", "sitecustomize", "usercustomize", "codetools", "typer", "rich", "re", "enum")


@pytest.fixture
def planted(workspace: Path) -> Path:
    for name in PLANTED:
        (workspace / f"{name}.py").write_text(f"open('ran', 'a').write('{name} ')\n")
    (workspace / ".codetools").mkdir()
    (workspace / ".codetools" / "config.yaml").write_text("denied_tools: [write]\n")
    (workspace / "a.txt").write_text("one\n")
    return workspace


@pytest.mark.parametrize("door", DOORS, ids=["script", "module"])
@pytest.mark.parametrize(
    "words",
    [
        ["read", "a.txt"],
        ["call", "read", '{"file_path": "a.txt"}'],
        ["grep", "one"],
        ["config", "show"],
        ["doctor"],
        [],
    ],
    ids=" ".join,
)
def test_nothing_is_imported_from_the_current_directory_i1(door: list[str], words: list[str], planted: Path):
    done = subprocess.run([*door, *words], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    assert done.returncode in (0, 1), done.stderr
    assert not (planted / "ran").exists()


def test_a_reader_that_leaves_ends_it_quietly(workspace: Path):
    (workspace / "big.txt").write_text("line\n" * 2000)
    shell = f"'{CODETOOLS}' read big.txt | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("1\tline\n", "", 0)


@pytest.mark.parametrize("words", [["read", "a.txt"], ["read", "a.txt", "--json"], ["config", "path"]], ids=" ".join)
def test_a_full_output_is_an_error_i4(words: list[str], workspace: Path):
    (workspace / "a.txt").write_text("one\n")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [str(CODETOOLS), *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=30, check=False
        )
    assert done.returncode == 74
    assert (done.stderr.count("\n"), "Traceback" in done.stderr) == (1, False)


def test_a_closed_output_is_an_error_i4(workspace: Path):
    (workspace / "a.txt").write_text("one\n")
    done = subprocess.run(
        ["bash", "-c", f"'{CODETOOLS}' read a.txt >&-"], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 74
    assert done.stderr.count("\n") == 1


def test_help_into_a_full_output_shows_no_traceback(workspace: Path):
    with open("/dev/full", "w") as full:
        done = subprocess.run([str(CODETOOLS), "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 74
    assert "Traceback" not in done.stderr


def test_a_deleted_working_directory_is_said_in_one_line(workspace: Path, tmp_path: Path):
    gone = tmp_path / "gone"
    gone.mkdir()
    shell = f"cd '{gone}' && rmdir '{gone}' && '{CODETOOLS}' read a.txt"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 66
    assert done.stderr.count("\n") == 1
    assert "no longer exists" in done.stderr


def test_paths_that_are_printed_pass_back_from_a_subdirectory(workspace: Path):
    (workspace / "lib").mkdir()
    (workspace / "top.txt").write_text("needle\n")
    (workspace / "lib" / "low.txt").write_text("needle\n")
    for argument in (".", "..", str(workspace)):
        found = json.loads(process("grep", "needle", argument, "-l", "--json", cwd=workspace / "lib").stdout)
        assert found["data"]["files"]
        for row in found["data"]["files"]:
            assert process("read", row["path"], cwd=workspace / "lib").stdout == "1\tneedle\n"


def test_typed_text_can_come_from_a_pipe(workspace: Path):
    done = process("write", "a.txt", "--content-file", "-", "--yolo", input="one\ntwo")
    assert done.returncode == 0, done.stderr
    assert (workspace / "a.txt").read_text() == "one\ntwo"


def test_a_wait_is_ended_by_ctrl_c(workspace: Path):
    asked = json.loads(process("write", "a.txt", "x", "--json").stdout)["error"]["details"]["approval"]["id"]
    waiting = subprocess.Popen(
        [str(CODETOOLS), "permissions", "wait", asked, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    home = Path(os.environ["HOME"])
    assert home.exists()
    # the store is open once its log is mapped into the waiting process
    maps = Path(f"/proc/{waiting.pid}/maps")
    while "store.sqlite-shm" not in maps.read_text():
        assert waiting.poll() is None
    waiting.send_signal(signal.SIGINT)
    out, errors = waiting.communicate(timeout=PATIENCE_SECONDS)
    assert (waiting.returncode, errors) == (130, b"")
    assert json.loads(out)["error"]["kind"] == "interrupted"


def test_an_outcome_on_a_terminal_has_a_header_and_a_status(workspace: Path):
    (workspace / "a.txt").write_text("one\n")
    shown = OnTerminal("read", "a.txt", NO_COLOR="1")
    assert shown.end() == 0
    assert shown.screen.splitlines()[0] == "read a.txt"
    assert "✓ Success →" in shown.screen.splitlines()[-1]


def test_colour_can_be_forced_and_refused(workspace: Path):
    (workspace / "a.txt").write_text("one\n")
    assert "\x1b[" in process("grep", "one", "--color", "always").stdout
    never = OnTerminal("grep", "one", "--color", "never")
    assert never.end() == 0
    assert "\x1b[" not in never.screen
    assert process("grep", "one", "--color", "sometimes").returncode == 2
