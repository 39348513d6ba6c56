"""Whatever happens, a typed command ends in one line or one envelope, with its exit code."""

import json
import subprocess
from pathlib import Path

import pytest

from codetools.core.limits import Limits
from codetools.core.tool import Tool
from codetools.engine import built_in
from tests.cli.typed import envelope, process, typed


class Broken:
    """A source of tools that has a bug."""

    def words(self) -> tuple[tuple[str, ...], ...]:
        raise ZeroDivisionError("a bug\nof two lines")

    def load(self, name: str) -> Tool | None:
        raise ZeroDivisionError(name)

    def description(self, tool: Tool, limits: Limits) -> str | None:
        return None


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built_in.BUILT_IN, "_sources", (Broken(),))


@pytest.mark.usefixtures("broken")
def test_a_bug_is_one_line_and_its_traceback_is_kept(workspace: Path, home: Path):
    done = typed("tools", "list")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (70, "", 1)
    assert "ZeroDivisionError" in done.stderr
    (kept,) = (home / ".local" / "state" / "codetools" / "errors").iterdir()
    assert "Traceback" in kept.read_text()
    assert str(kept) in done.stderr


@pytest.mark.usefixtures("broken")
def test_a_bug_is_an_envelope_under_json(workspace: Path):
    done = typed("doctor", "--json")
    assert done.exit_code == 70
    assert json.loads(done.stdout)["error"]["kind"] == "internal"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["read", "absent.txt"], 66),
        (["read", "."], 66),
        (["read", "nul\0.txt"], 2),
        (["read", "a.txt", "--root", "absent"], 66),
        (["read", "a.txt", "--config", "absent.yaml"], 78),
        (["edit", "a.txt", "absent", "x", "--yolo"], 65),
        (["write", "a.txt", "x", "--read-only"], 77),
        (["write", "a.txt", "x"], 75),
        (["read", "a.txt", "--allow", "raed"], 2),
        (["read", "a.txt", "--max-chars", "1"], 2),
        (["read", "a.txt", "--approve", "nothing", "--session", "s"], 0),
    ],
    ids=lambda value: " ".join(value).replace("\0", "NUL") if isinstance(value, list) else str(value),
)
def test_every_failure_has_its_code_and_one_line(words: list[str], code: int, workspace: Path):
    (workspace / "a.txt").write_text("one\n")
    done = typed(*words)
    assert done.exit_code == code, done.output
    assert done.stderr.count("\n") == (1 if code else 0)
    found = envelope(*words)
    assert found["ok"] == (code == 0)
    assert (workspace / "a.txt").read_text() == "one\n"


def test_a_name_cannot_steer_the_terminal_i9(workspace: Path):
    assert "\x1b" not in typed("read", "\x1b[2Jx").stderr
    assert "\x1b" not in typed("\x1b[2Jx").stderr
    assert "\x1b" not in typed("read", "--\x1b[2Jx").stderr


def test_a_command_ends_with_the_status_of_its_child(workspace: Path):
    assert typed("bash", "--yolo", "exit 7").exit_code == 7
    assert typed("bash", "--yolo", "kill -TERM $$").exit_code == 143


def test_a_stream_is_events_and_last_the_outcome(workspace: Path):
    done = typed("bash", "--yolo", "--stream", "echo one; echo two >&2; exit 3")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == 3
    assert "".join(event["text"] for event in events[:-1] if event["event"] == "output") == "one\ntwo\n"
    assert (events[-1]["event"], events[-1]["data"]["exit_code"]) == ("outcome", 3)


def test_call_goes_through_the_app_as_well(workspace: Path):
    (workspace / "a.txt").write_text("one\n")
    done = typed("call", "read", '{"file_path": "a.txt"}')
    assert json.loads(done.stdout)["text"] == "1\tone"


def said(*words: str) -> str:
    done = typed(*words)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    return done.stderr.rstrip("\n")


def test_an_option_without_its_value_names_its_own_help(workspace: Path):
    assert said("read", "a", "-l") == "codetools read: -l needs a value. See: codetools read --help"
    assert said("ls", "--json=1") == "codetools ls: --json takes no value. See: codetools ls --help"
    wanted = "codetools permissions check edit: -C needs a value. See: codetools permissions check edit --help"
    assert said("permissions", "check", "edit", "a", "b", "c", "-C") == wanted


def test_a_group_with_options_alone_names_its_commands(workspace: Path):
    wanted = "config: say which: check, path, show, trust. See: codetools config --help"
    assert said("config", "-x") == f"codetools: {wanted}"
    assert json.loads(typed("config", "--json").stdout)["text"] == wanted


def test_an_option_is_suggested_only_where_it_is_near(workspace: Path):
    assert "Did you mean --head-limit?" in said("grep", "x", "--hed-limit", "3")
    assert "Did you mean" not in said("write", "x", "y", "--null")


def test_a_text_that_is_piped_in_is_told_how_to_get_in(workspace: Path):
    done = process("write", "x.txt", input="hello\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "To take it from standard input: --content-file -." in done.stderr
    assert "standard input" not in process("write", "x.txt", stdin=subprocess.DEVNULL).stderr
    assert "standard input" not in process("edit", "x.txt", input="hello\n").stderr
