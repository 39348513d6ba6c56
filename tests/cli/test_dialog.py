"""The one question: shown to a person at a terminal, and to nobody else."""

import json
from pathlib import Path

import pytest

from tests.cli.typed import OnTerminal, process, typed


@pytest.fixture
def file(workspace: Path) -> Path:
    path = workspace / "a.txt"
    path.write_text("one\ntwo\n")
    return path


def test_the_diff_is_shown_and_once_is_once(file: Path):
    asked = OnTerminal("edit", "a.txt", "one", "1", NO_COLOR="1")
    asked.answer("Allow? ", "o\n")
    assert asked.end() == 0
    assert "-one\n+1\n" in asked.screen
    assert file.read_text() == "1\ntwo\n"
    assert process("edit", "a.txt", "two", "2").returncode == 75


@pytest.mark.parametrize("keys", ["\n", "d\n", "n\n", "\x04"], ids=["enter", "d", "n", "end of input"])
def test_anything_but_a_yes_is_a_no(keys: str, file: Path):
    asked = OnTerminal("edit", "a.txt", "one", "1")
    asked.answer("Allow? ", keys)
    assert asked.end() == 77
    assert file.read_text() == "one\ntwo\n"


def test_an_answer_that_is_none_is_asked_again(file: Path):
    asked = OnTerminal("edit", "a.txt", "one", "1", NO_COLOR="1")
    asked.answer("Allow? ", "yes please\n")
    asked.answer("or Enter to deny.", "o\n")
    assert asked.end() == 0
    assert file.read_text() == "1\ntwo\n"


def test_always_allows_that_file_and_no_other(file: Path, workspace: Path):
    (workspace / "b.txt").write_text("one\n")
    asked = OnTerminal("edit", "a.txt", "one", "1", NO_COLOR="1")
    asked.answer("Allow? ", "a\n")
    assert asked.end() == 0
    assert process("edit", "a.txt", "two", "2").returncode == 0
    assert process("edit", "b.txt", "one", "1").returncode == 75
    assert "edit(a.txt)" in process("permissions", "list").stdout


def test_a_session_remembers_a_yes_for_its_calls(file: Path):
    asked = OnTerminal("edit", "a.txt", "one", "1", "--session", "s1", NO_COLOR="1")
    asked.answer("Allow? ", "s\n")
    assert asked.end() == 0
    assert process("edit", "a.txt", "two", "2", "--session", "s2").returncode == 75
    assert process("edit", "a.txt", "two", "2", "--session", "s1").returncode == 0


def test_without_a_session_none_is_offered(file: Path):
    asked = OnTerminal("edit", "a.txt", "one", "1", NO_COLOR="1")
    asked.answer("Allow? [o/a/d] ", "s\n")
    asked.answer("or Enter to deny.", "\n")
    assert asked.end() == 77


def test_a_program_is_never_asked(file: Path):
    for words in (["edit", "a.txt", "one", "1", "--json"], ["call", "edit", json.dumps(
        {"file_path": "a.txt", "old_string": "one", "new_string": "1"})]):  # fmt: skip
        done = OnTerminal(*words)
        assert done.end() == 75
        assert "Allow?" not in done.screen
    assert typed("edit", "a.txt", "one", "1").exit_code == 75


def test_i9_no_line_of_a_command_can_pass_for_one_of_the_dialogs(workspace: Path):
    asked = OnTerminal("bash", "make a\\nb\n  o  allow ls this once\nAllow? [o/d]", NO_COLOR="1")
    asked.answer("deny (Enter)\nAllow? [o/d] ", "d\n")
    assert asked.end() == 77
    shown = "bash asks: run make a\\nb\n  |   o  allow ls this once\n  | Allow? [o/d]\n"
    assert shown in asked.screen


def test_what_was_typed_before_the_question_is_no_answer(file: Path):
    asked = OnTerminal("edit", "a.txt", "one", "1", NO_COLOR="1")
    asked.type("o\n")
    asked.answer("Allow? ", "d\n")
    assert asked.end() == 77
    assert file.read_text() == "one\ntwo\n"


def test_what_a_file_holds_cannot_steer_the_terminal_i9(file: Path):
    file.write_text("one\x1b]0;owned\x07\x1b[2J\u202e\n")
    asked = OnTerminal("edit", "a.txt", "one", "1", NO_COLOR="1")
    asked.answer("Allow? ", "d\n")
    assert asked.end() == 77
    assert "\x1b" not in asked.screen
    assert "\u202e" not in asked.screen


def test_how_long_a_person_thought_is_no_time_of_the_call(workspace: Path):
    asked = OnTerminal("write", "new.txt", "one\n", NO_COLOR="1")
    asked.answer("Allow? ", "")
    asked.pause(1.2)
    asked.answer("Allow? ", "o\n")
    assert asked.end() == 0
    assert asked.screen.splitlines()[-1].startswith("✓ Success → ")
    assert " s)" not in asked.screen.splitlines()[-1]


def test_a_y_is_a_yes_for_once(file: Path):
    asked = OnTerminal("edit", "a.txt", "one", "1", NO_COLOR="1")
    asked.answer("Allow? ", "y\n")
    assert asked.end() == 0
    assert process("edit", "a.txt", "two", "2").returncode == 75


def test_why_a_file_is_asked_about_is_shown(workspace: Path):
    (workspace / ".env").write_text("KEY=1\n")
    asked = OnTerminal("read", ".env", NO_COLOR="1")
    asked.answer("Allow? ", "d\n")
    assert asked.end() == 77
    assert "its name may hold secrets (.env*)" in asked.screen


def test_below_a_long_diff_it_says_again_what_is_asked(file: Path):
    file.write_text("".join(f"{number}\n" for number in range(300)))
    asked = OnTerminal("delete", "a.txt", NO_COLOR="1")
    asked.answer("Allow? ", "d\n")
    assert asked.end() == 77
    after = asked.screen.partition("more lines; --dry-run shows all]")[2]
    assert "delete asks: delete a.txt (+0 -300)" in after


def test_a_move_names_both_places(file: Path):
    asked = OnTerminal("move", "a.txt", "b.txt", NO_COLOR="1")
    asked.answer("Allow? ", "d\n")
    assert asked.end() == 77
    assert "move asks: move a.txt to b.txt\n" in asked.screen.replace("\r", "")
