"""The whole way to a real terminal: its size, its colours, its escapes."""

import pytest

from tests.render.ptys import on_terminal

SCRIPT = """
import sys
from codetools.core.outcome import Notice
from codetools.core.path import Path
from codetools.render.human import render
from codetools.render.terminal import terminal_of
from codetools.render.write import write_error, write_out
from tests.render.outcomes import Lines, edited, outcome
rendering = render(SAMPLE, terminal_of(sys.stdout, COLOR), terminal_of(sys.stderr, COLOR), "src/" + "日" * 60)
assert "rich" not in sys.modules
write_out(rendering.out)
write_error(rendering.error)
"""
READ = 'outcome(Lines(Path("a"), "x\\x1b[2J\\udce9\\n"), notices=(Notice("cut", "Cut."),))'


def drawn(sample: str, color: str = "auto", **options) -> str:
    return on_terminal(SCRIPT.replace("SAMPLE", sample).replace("COLOR", repr(color)), **options)


def test_width_40_looks_right():
    assert drawn(READ, "never", width=40).splitlines() == [
        "read src/" + "日" * 15 + "…",
        r"x\x1b[2J\xe9",
        "✓ Success → 7 bytes, 1 line",
        "codetools read: note: Cut.",
    ]


def test_width_200_looks_right():
    assert drawn(READ, "never", width=200).splitlines()[0] == "read src/" + "日" * 60


def test_a_terminal_has_colour():
    assert "\x1b[32m+    return 2\x1b[0m\n" in drawn("edited()")


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_color_and_a_dumb_terminal_get_no_escape_at_all(environment: dict[str, str]):
    assert "\x1b" not in drawn("edited()", **environment)
    assert "\x1b" not in drawn(READ, **environment)


def test_color_always_wins():
    assert "\x1b[32m✓ Success\x1b[0m" in drawn(READ, "always", NO_COLOR="1")
