"""The facts about a stream come from the flag, the environment and the stream, in that order."""

import io
import os
import pty
import termios
from collections.abc import Iterator
from typing import TextIO

import pytest

from codetools.render.terminal import Terminal, terminal_of


@pytest.fixture
def tty() -> Iterator[TextIO]:
    leader, follower = pty.openpty()
    termios.tcsetwinsize(follower, (30, 100))
    with open(follower, "w") as stream:
        yield stream
    os.close(leader)


XTERM = {"TERM": "xterm-256color"}


def test_a_terminal_has_colour_and_its_own_size(tty: TextIO):
    assert terminal_of(tty, "auto", XTERM) == Terminal(True, True, 100, 30, True)


def test_a_pipe_a_closed_stream_and_none_have_neither(tty: TextIO):
    closed = io.StringIO()
    closed.close()
    for stream in (io.StringIO(), closed, None):
        assert terminal_of(stream, "auto", XTERM) == Terminal()


@pytest.mark.parametrize(
    ("color", "environment", "wanted"),
    [
        ("auto", {}, True),
        ("auto", {"NO_COLOR": "1"}, False),
        ("auto", {"NO_COLOR": ""}, True),
        ("auto", {"TERM": "dumb"}, False),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        ("auto", {"FORCE_COLOR": "0"}, False),
        ("never", {"FORCE_COLOR": "1"}, False),
        ("always", {"NO_COLOR": "1"}, True),
        ("always", {"TERM": "dumb"}, True),
    ],
)
def test_colour_on_a_terminal(tty: TextIO, color, environment: dict[str, str], wanted: bool):
    assert terminal_of(tty, color, XTERM | environment).color is wanted


@pytest.mark.parametrize(
    ("color", "environment", "wanted"),
    [("auto", {}, False), ("auto", {"FORCE_COLOR": "1"}, True), ("always", {}, True), ("never", {}, False)],
)
def test_colour_in_a_pipe(color, environment: dict[str, str], wanted: bool):
    found = terminal_of(io.StringIO(), color, XTERM | environment)
    assert (found.color, found.is_terminal, found.moves) == (wanted, False, False)


def test_a_dumb_terminal_is_not_moved_on(tty: TextIO):
    found = terminal_of(tty, "auto", {"TERM": "dumb"})
    assert (found.is_terminal, found.moves) == (True, False)


@pytest.mark.parametrize(
    ("environment", "width", "height"),
    [({"COLUMNS": "40", "LINES": "7"}, 40, 7), ({"COLUMNS": "1"}, 20, 30), ({"COLUMNS": "x", "LINES": "0"}, 100, 30)],
)
def test_columns_and_lines_decide_over_the_terminal(tty: TextIO, environment: dict[str, str], width: int, height: int):
    found = terminal_of(tty, "auto", XTERM | environment)
    assert (found.width, found.height) == (width, height)
