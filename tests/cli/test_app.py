"""The front page, suggestions, help and version."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from codetools import __version__
from codetools.cli.catalogue import catalogue
from codetools.engine.built_in import BUILT_IN
from tests.cli.typed import OnTerminal, envelope, typed

COMMANDS = catalogue().commands


def test_bare_codetools_fits_a_screen_and_shows_three_examples():
    done = typed()
    lines = done.stdout.splitlines()
    assert done.exit_code == 0
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80
    assert len([line for line in lines if line.startswith("  codetools ")]) == 3
    for words in BUILT_IN.words():
        assert words[0] in done.stdout


def test_version():
    assert typed("--version").stdout == f"codetools {__version__}\n"


def test_help_lists_every_command():
    shown = typed("--help").stdout
    for word, _ in catalogue().groups[0].below:
        assert f"\n  {word} " in shown


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command.words))
def test_every_help_ends_with_two_examples(command):
    for words in ((*command.words, "--help"), (*command.words, "-h")):
        shown = typed(*words)
        assert shown.exit_code == 0, shown.output
        if command.words != ("permissions", "check"):
            assert shown.stdout.splitlines()[-3:] == ["Examples:", *(f"  {one}" for one in command.examples)]
            assert len(command.examples) == 2
        assert max(map(len, shown.stdout.splitlines())) <= 100


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command.words))
def test_help_names_every_option(command):
    shown = typed("help", *command.words).stdout
    for option in command.options:
        assert all(spelling in shown for spelling in option.spellings)


def test_help_of_a_tool_by_its_name_is_the_page_of_its_command():
    assert typed("help", "read").stdout == typed("read", "--help").stdout


def test_help_of_a_group_lists_its_commands():
    assert typed("help", "config").stdout == typed("config", "--help").stdout
    assert "trust" in typed("config", "--help").stdout


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["raed"], "codetools read"),
        (["tools", "shema"], "codetools tools schema"),
        (["confg", "show"], "codetools config"),
    ],
)
def test_a_misspelt_command_is_suggested(words: list[str], meant: str):
    done = typed(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert f"Did you mean {meant}?" in done.stderr


def test_a_misspelt_topic_is_suggested():
    assert "Did you mean grep?" in typed("help", "gerp").stderr


def test_a_misspelt_option_is_suggested(workspace: Path):
    done = typed("read", "x", "--ofset", "3")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "Did you mean --offset?" in done.stderr


def test_a_group_without_a_command_says_which_there_are():
    done = typed("tools")
    assert done.exit_code == 2
    assert "activate, list, reset, schema, search, show" in done.stderr


@pytest.mark.parametrize(
    "words",
    [["raed"], ["read"], ["read", "--ofset", "1"], ["read", "a", "--limit", "x"], ["read", "a", "b"], ["tools"]],
)
def test_usage_errors_are_an_envelope_under_json(words: list[str], workspace: Path):
    found = envelope(*words)
    assert (found["ok"], found["error"]["kind"]) == (False, "usage")
    assert found["text"]
    assert found["error"]["hint"]


def test_json_as_a_value_is_no_wish_for_json(workspace: Path):
    done = typed("write", "--content", "--json")
    assert (done.exit_code, done.stdout) == (2, "")


def test_one_command_loads_no_other(workspace: Path):
    (workspace / "a.txt").write_text("x\n")
    program = (
        "import sys; from codetools.cli.app import main; main(['read', 'a.txt'])\n"
        "print(*(name for name in sys.modules if name.startswith(('codetools.tools.', 'codetools.cli.commands.'))))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["1\tx", "codetools.tools.read"]


def test_nothing_heavy_is_loaded_in_a_pipe(workspace: Path):
    (workspace / "a.txt").write_text("x\n")
    program = (
        "import sys; from codetools.cli.app import main; main(['read', 'a.txt'])\n"
        "heavy = {'rich', 'yaml', 'sqlite3', 'pathspec', 'wcmatch', 'tree_sitter', 'pydantic'}\n"
        "print(*sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["1\tx", ""]


@pytest.mark.parametrize("words", [("read", "--help"), ("help", "read")])
def test_help_is_styled_on_a_terminal_and_plain_without_colour(words: tuple[str, ...], workspace: Path):
    styled = OnTerminal(*words, PAGER="cat")
    assert styled.end() == 0
    assert "\x1b[1mUsage: \x1b[0m" in styled.screen
    plain = OnTerminal(*words, NO_COLOR="1", PAGER="cat", columns=200)
    assert plain.end() == 0
    assert "\x1b[" not in plain.screen
    assert typed("read", "--help").stdout.splitlines()[0] == plain.screen.splitlines()[0]


@pytest.mark.parametrize("words", [("grep", "--help"), ("help", "grep")])
def test_help_longer_than_the_screen_goes_to_the_pager(words: tuple[str, ...], workspace: Path):
    shown = OnTerminal(*words, PAGER="sed s/^/paged:/")
    assert shown.end() == 0
    assert "paged:\x1b[1mUsage: \x1b[0m" in shown.screen


@pytest.mark.parametrize("words", [("doctor", "--help"), ("help", "doctor"), ()])
def test_help_that_fits_the_screen_does_not(words: tuple[str, ...], workspace: Path):
    shown = OnTerminal(*words, PAGER="sed s/^/paged:/")
    assert shown.end() == 0
    assert "Usage: " in shown.screen
    assert "paged:" not in shown.screen


def test_help_as_json_is_plain(workspace: Path):
    shown = OnTerminal("help", "grep", "--json")
    assert shown.end() == 0
    assert json.loads(shown.screen)["data"]["page"].startswith("Usage: codetools grep ")


@pytest.mark.parametrize("words", [("grep", "--help"), ("help", "grep"), ("config", "--help"), ()])
@pytest.mark.parametrize("columns", [40, 100, 200])
def test_help_fits_the_terminal(words: tuple[str, ...], columns: int, workspace: Path):
    shown = OnTerminal(*words, columns=columns, NO_COLOR="1", PAGER="cat")
    assert shown.end() == 0
    assert [line for line in shown.screen.splitlines() if len(line) > columns] == []


def test_an_example_broken_on_a_narrow_terminal_is_still_one_command(workspace: Path):
    shown = OnTerminal("write", "--help", columns=40, NO_COLOR="1", PAGER="cat")
    assert shown.end() == 0
    examples = shown.screen.partition("Examples:\n")[2].replace("\\\n", "").splitlines()
    wanted = typed("write", "--help").stdout.partition("Examples:\n")[2].splitlines()
    assert [shlex.split(line) for line in examples] == [shlex.split(line) for line in wanted]


def test_no_variable_of_the_environment_starts_a_completion(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("_CODETOOLS_COMPLETE", "bash_source")
    assert "codetools()" not in typed("--version").stdout


@pytest.mark.parametrize(
    ("word", "meant"), [("rm", "delete"), ("mv", "move"), ("cat", "read"), ("view", "read"), ("replace", "edit")]
)
def test_a_command_known_by_another_name_is_named(word: str, meant: str):
    done = typed(word, "a")
    assert (done.exit_code, f"Did you mean codetools {meant}?" in done.stderr) == (2, True)
