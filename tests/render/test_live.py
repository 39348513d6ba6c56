"""Output that comes while a command runs is shown once, escaped, under its header."""

from tests.render.ptys import on_terminal

SCRIPT = """
import sys
from codetools.core.path import Path
from codetools.render.human import header_line, render
from codetools.render.live import Live
from codetools.render.show import show
from codetools.render.terminal import terminal_of
from tests.render.outcomes import Lines, outcome
terminal = terminal_of(sys.stdout, "never")
live = Live(header_line("bash", "make", terminal), lambda: print("[wiped]", flush=True))
for chunk in CHUNKS:
    live.emit(chunk)
live.end()
done = outcome(Lines(Path("a"), "".join(CHUNKS)), tool="bash")
show(done, color="never", subject="make", frame="closing" if live.has_shown else "whole")
"""


def drawn(*chunks: str) -> str:
    return on_terminal(SCRIPT.replace("CHUNKS", repr(chunks)))


def test_i9_live_output_is_escaped_and_closed():
    assert drawn("one\r", "\ntwo \x1b[2J", "three") == (
        "[wiped]\nbash make\none\ntwo \\x1b[2Jthree\n✓ Success → 18 bytes, 2 lines\n"
    )


def test_a_carriage_return_alone_is_not_lost():
    assert drawn("10%\r", "20%\r") == "[wiped]\nbash make\n10%\\r20%\\r\n✓ Success → 8 bytes, 1 line\n"


def test_a_silent_command_is_rendered_whole():
    assert drawn("") == "bash make\n✓ Success → 0 bytes, 0 lines\n"
