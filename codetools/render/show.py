"""The last steps of a typed command: facts about the streams, layout, pager, output, and messages after it."""

import sys

from codetools.core.outcome import Outcome
from codetools.render.human import Frame, render
from codetools.render.pager import page
from codetools.render.terminal import Color, Terminal, terminal_of
from codetools.render.write import write_error, write_out


def show(
    outcome: Outcome, *, color: Color = "auto", subject: str = "", frame: Frame = "whole", roots: tuple[str, ...] = ()
) -> None:
    """Print an outcome for a person or a pipe. `roots` are the workspace's, where no pager of ours is looked for.

    Raises `io` where standard output is closed or full; the messages are printed all the same.
    """
    out = terminal_of(sys.stdout, color)
    rendering = render(outcome, out, terminal_of(sys.stderr, color), subject, frame=frame)
    try:
        show_text(rendering.out, out, roots)
    finally:
        write_error(rendering.error)


def show_text(text: str, out: Terminal, roots: tuple[str, ...] = ()) -> None:
    """Print text that is laid out already, through the pager where it is more than a screen. Raises `io`."""
    if text and not page(text, out, roots):
        write_out(text)
