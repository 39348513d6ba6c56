"""The completion scripts, each driven in its own shell."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codetools.cli.catalogue import catalogue
from codetools.cli.generated import COMPLETION_FILES, completion_script
from tests import needs
from tests.cli.shells import Zsh, bash_offers, fish_offers

Offers = Callable[[str], set[str]]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    here = tmp_path / "here"
    (here / "sub dir").mkdir(parents=True)
    (here / "a file.txt").write_text("")
    (here / "plain.txt").write_text("")
    return here


@pytest.fixture(params=["bash", "zsh", "fish"])
def offers(request: pytest.FixtureRequest, directory: Path, tmp_path: Path) -> Iterator[Offers]:
    """Return what a shell offers at the end of a line, files as they are called."""
    shell = request.param
    needs.program(shell)
    script = tmp_path / Path(COMPLETION_FILES[shell]).name
    script.write_text(completion_script(shell))
    if shell == "bash":
        yield lambda line: _bare(bash_offers(script, line.split(" "), directory))
    elif shell == "fish":
        yield lambda line: _bare(fish_offers(script, line, directory))
    else:
        zsh = Zsh(script, directory, tmp_path)
        yield lambda line: _bare(zsh.offers(line))
        zsh.close()


def _bare(found: set[str]) -> set[str]:
    return {word.replace("\\ ", " ").rstrip("/=") for word in found}


def test_every_command_is_offered(offers: Offers):
    assert offers("codetools ") == {word for word, _ in catalogue().groups[0].below}


def test_a_command_is_completed(offers: Offers):
    assert offers("codetools rea") == {"read"}


def test_the_commands_of_a_group_are_offered(offers: Offers):
    assert offers("codetools tools ") == {"activate", "list", "reset", "schema", "search", "show"}


def test_long_options_are_completed(offers: Offers):
    assert offers("codetools read --off") == {"--offset"}


def test_choices_of_an_option_are_offered(offers: Offers):
    assert offers("codetools tools schema --format open") == {"openai", "openai-responses", "openai-strict"}


def test_choices_after_an_equals_sign_are_offered(offers: Offers, request: pytest.FixtureRequest):
    is_bash = "bash" in request.node.name
    line = "codetools read --color = al" if is_bash else "codetools read --color=al"  # bash splits words at "="
    assert {word.removeprefix("--color=") for word in offers(line)} == {"always"}


def test_choices_of_an_argument_are_offered(offers: Offers):
    assert offers("codetools completions ") == {"bash", "zsh", "fish"}


def test_files_are_offered_for_a_path(offers: Offers):
    assert offers("codetools read p") == {"plain.txt"}
    assert offers("codetools read a") == {"a file.txt"}


def test_files_are_offered_after_an_option_with_its_value(offers: Offers):
    assert offers("codetools read --limit 5 p") == {"plain.txt"}


def test_only_directories_are_offered_for_a_directory(offers: Offers):
    assert offers("codetools read -C ") == {"sub dir"}


def test_tools_are_offered_where_a_tool_is_named(offers: Offers):
    assert offers("codetools tools show rea") == {"read"}


def test_what_follows_a_checked_tool_is_what_the_tool_takes(offers: Offers):
    assert offers("codetools permissions check rea") == {"read"}
    assert offers("codetools permissions check read --off") == {"--offset"}
    assert offers("codetools permissions check read p") == {"plain.txt"}


def test_topics_of_help_are_offered(offers: Offers):
    assert offers("codetools help comp") == {"completions"}


def test_file_types_are_offered(offers: Offers):
    assert offers("codetools grep -t pyt") == {"python"}


def test_fish_describes_the_tools_of_a_call(directory: Path, tmp_path: Path):
    needs.program("fish")
    script = tmp_path / "codetools.fish"
    script.write_text(completion_script("fish"))
    command = f"source {script}; complete -C 'codetools call rea'"
    done = subprocess.run(["fish", "--no-config", "-c", command], capture_output=True, text=True, cwd=directory)
    (summary,) = (one.summary for one in catalogue().commands if one.words == ("read",))
    assert done.stdout == f"read\t{summary}\n"
