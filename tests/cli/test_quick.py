"""What is read without Typer is read as Typer reads it."""

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetools.cli.command import MadeCommand
from codetools.cli.listing import tool_reference
from codetools.cli.quick import read_words
from codetools.cli.values import Given, gather
from codetools.core.errors import Failure
from codetools.engine.built_in import BUILT_IN

TOOLS = ("read", "bash", "exec", "grep", "edit", "delete", "find")
COMMON = [
    "--",
    "-",
    "",
    "x",
    "a b",
    "-h",
    "--help",
    "-x",
    "--none",
    "--json",
    "--yolo",
    "-1",
    "--root",
    "--root=/r",
    "=",
    "-nx",
    "3",
]


def reference_of(name: str):
    tool = BUILT_IN.find(name)
    assert tool is not None
    return tool_reference(tool, tool.words)


def by_typer(name: str, words: list[str]) -> Given | str:
    found: list[Given] = []
    command = MadeCommand(reference_of(name), lambda given: found.append(given) or 0)
    try:
        command.main(words, name, standalone_mode=False)
    except Exception as error:  # noqa: BLE001  whatever it is, the quick reader must have left it to Typer
        return error.message if isinstance(error, Failure) else "refused"
    return found[0] if found else "help"


def quickly(name: str, words: list[str]) -> Given | str | None:
    reference = reference_of(name)
    typed = read_words(reference, words)
    if typed is None:
        return None
    try:
        return gather(reference, typed)
    except Failure as failure:
        return failure.message


def vocabulary(name: str) -> list[str]:
    options = [spelling for one in reference_of(name).options for spelling in (*one.spellings, *one.also)]
    joined = [f"{spelling}=v" for spelling in options] + [f"{spelling}7" for spelling in options]
    return [*COMMON, *options, *joined]


@given(st.data())
def test_it_reads_as_typer_does_or_leaves_it_to_typer(data: Any):
    name = data.draw(st.sampled_from(TOOLS))
    words = data.draw(st.lists(st.sampled_from(vocabulary(name)), max_size=6))
    found = quickly(name, words)
    assert found is None or found == by_typer(name, words)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("bash", ["--yolo", "-t", "3", "ls", "-l"]),
        ("read", ["f", "--offset=3", "--limit", "4"]),
        ("grep", ["-in", "-C3", "pattern", "a", "b", "--", "-c"]),
        ("edit", ["f", "--", "-a", "--b"]),
    ],
)
def test_plain_lines_need_no_typer(name: str, words: list[str]):
    found = quickly(name, words)
    assert (found is None) == (by_typer(name, words) == "refused")


def test_a_plain_line_imports_no_typer(workspace):
    (workspace / "f").write_text("x\n")
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "codetools", "read", "f"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "typer" not in done.stderr
