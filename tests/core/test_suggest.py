"""A suggestion is near what was meant, or there is none."""

import pytest

from codetools.core.suggest import nearest

COMMANDS = ["delete", "edit", "grep", "ls", "mcp", "mkdir", "patch", "permissions", "read", "write"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [("greb", "grep"), ("wirte", "write"), ("raed", "read"), ("perm", "permissions"), ("GREP", "grep")],
)
def test_a_slip_or_a_beginning_finds_its_word(word: str, meant: str):
    assert nearest(word, COMMANDS) == meant


@pytest.mark.parametrize("word", ["cp", "touch", "version", "nope", "", "x"])
def test_another_word_finds_nothing(word: str):
    assert nearest(word, COMMANDS) == ""


def test_the_dashes_of_options_count_for_nothing():
    assert nearest("--timeout", ["--root", "--timeout-seconds"]) == "--timeout-seconds"
    assert nearest("--hidden", ["--deny", "--root"]) == ""
