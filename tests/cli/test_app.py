"""The front page, suggestions, help and version."""

import subprocess
import sys
from pathlib import Path

import pytest

from codetools import __version__
from codetools.cli.catalogue import catalogue
from codetools.engine.registry import command_words
from tests.cli.typed import OnTerminal, envelope, typed

COMMANDS = catalogue().commands


def test_bare_codetools_fits_a_screen_and_shows_three_examples():
    done = typed()
    lines = done.stdout.splitlines()
    assert done.exit_code == 0
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80
    assert len([line for line in lines if line.startswith("  codetools ")]) == 3
    for words in command_words():
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
    assert "list, schema, show" in done.stderr


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


def test_help_is_styled_on_a_terminal_and_plain_without_colour(workspace: Path):
    styled = OnTerminal("read", "--help")
    assert styled.end() == 0
    assert "\x1b[1mUsage: \x1b[0m" in styled.screen
    plain = OnTerminal("read", "--help", NO_COLOR="1")
    assert plain.end() == 0
    assert "\x1b[" not in plain.screen
    assert plain.screen == typed("read", "--help").stdout


@pytest.mark.parametrize("columns", [40, 200])
def test_help_fits_the_terminal(columns: int, workspace: Path):
    shown = OnTerminal("grep", "--help", columns=columns, NO_COLOR="1")
    assert shown.end() == 0
    examples = shown.screen.index("Examples:")
    long = [line for line in shown.screen[:examples].splitlines() if len(line) > columns]
    assert not long


def test_no_variable_of_the_environment_starts_a_completion(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("_CODETOOLS_COMPLETE", "bash_source")
    assert "codetools()" not in typed("--version").stdout
