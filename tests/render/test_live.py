"""Output that comes while a command runs is shown once, cleaned and escaped, under its header."""

from tests.render.ptys import on_terminal

SCRIPT = """
import sys
from codetools.core.path import Path
from codetools.render.human import header_line, render
from codetools.render.live import Live
from codetools.render.show import show
from codetools.render.terminal import terminal_of
from tests.render.outcomes import Lines, outcome
terminal = terminal_of(sys.stdout, COLOR)
live = Live(header_line("bash", "make", terminal), terminal, lambda: print("[wiped]", flush=True))
for chunk in CHUNKS:
    live.emit(*((chunk, "stdout") if isinstance(chunk, str) else chunk))
live.end()
done = outcome(Lines(Path("a"), ""), tool="bash")
show(done, color=COLOR, subject="make", frame="closing" if live.has_shown else "whole")
"""
CLOSING = "✓ Success → 0 bytes, 0 lines\n"
Chunk = str | tuple[str, str]


def drawn(*chunks: Chunk, color: str = "never") -> str:
    return on_terminal(SCRIPT.replace("CHUNKS", repr(chunks)).replace("COLOR", repr(color)))


def shown(*chunks: Chunk) -> str:
    text = drawn(*chunks)
    assert text.startswith("[wiped]\nbash make\n")
    assert text.endswith(CLOSING)
    return text.removeprefix("[wiped]\nbash make\n").removesuffix(CLOSING)


def test_i9_live_output_is_cleaned_escaped_and_closed():
    assert shown("one\r", "\ntwo \x1b[2", "J\u202ethree\n", "four") == "one\ntwo \\u202ethree\nfour\n"


def test_the_beginning_of_a_line_is_shown_at_once_but_for_one_that_is_written_over():
    assert shown("a", "b") == "ab\n"
    assert shown("10%\r", "20%\r") == "20%\n"


def test_error_output_is_told_apart():
    both: tuple[Chunk, ...] = ("one", ("bad\nworse\n", "stderr"), ("half", "stderr"), "two\n")
    assert shown(*both) == "one\n[stderr] bad\n[stderr] worse\n[stderr] half\ntwo\n"
    assert "one\n\x1b[31mbad\x1b[0m\n\x1b[31mworse\x1b[0m\n\x1b[31mhalf\x1b[0m\ntwo\n" in drawn(*both, color="always")


def test_a_silent_command_is_rendered_whole():
    assert drawn("") == f"bash make\n{CLOSING}"
