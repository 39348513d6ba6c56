"""A long call says so on a terminal, and wipes what it said."""

import io
import re

from codetools.render.progress import Progress
from codetools.render.terminal import Terminal
from tests.render.ptys import on_terminal

SCRIPT = """
import sys, time
from codetools.render.progress import Progress
from codetools.render.terminal import terminal_of
class Watched:
    # Lets the call go on once the line was drawn.
    def __init__(self): self.drawn = __import__("threading").Event()
    def write(self, text):
        sys.stderr.write(text)
        if len(text) > 4: self.drawn.set()
    def flush(self): sys.stderr.flush()
stream = Watched()
with Progress("web_fetch", stream, terminal_of(sys.stderr), quiet_seconds=QUIET) as progress:
    progress.update(3, 10, "日本語 \\x1b[31m " + "x" * 300)
    stream.drawn.wait(WAIT)
print("result")
"""


def drawn(quiet_seconds: float, wait_seconds: float, **environment: str) -> str:
    script = SCRIPT.replace("QUIET", str(quiet_seconds)).replace("WAIT", str(wait_seconds))
    return on_terminal(script, width=40, **environment)


def test_i9_progress_is_one_escaped_line_that_is_wiped():
    wipe = re.escape("\r\x1b[K")
    line = re.escape("web fetch: 0 s 3/10 日本語 \\x1b[31m xx…")
    assert re.fullmatch(f"({wipe}{line})+{wipe}result\n", drawn(0.01, 20))


def test_a_quick_call_says_nothing():
    assert drawn(60, 0.0) == "result\n"


def test_a_dumb_terminal_sees_nothing():
    assert drawn(0.001, 0.05, TERM="dumb") == "result\n"


def test_a_pipe_sees_nothing_and_no_thread_is_started():
    stream = io.StringIO()
    with Progress("grep", stream, Terminal(), quiet_seconds=0.0) as progress:
        progress.update(1)
        assert progress._thread is None
    assert stream.getvalue() == ""


def test_hide_may_come_before_the_end():
    stream = io.StringIO()
    with Progress("grep", stream, Terminal(moves=True), quiet_seconds=60) as progress:
        progress.hide()
        progress.update(1, 2, "later")
    assert stream.getvalue() == ""
