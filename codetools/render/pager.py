"""Folds a result of more than one screen into the reader's pager."""

import os
from collections.abc import Mapping

from codetools.render.terminal import Terminal
from codetools.render.width import columns
from codetools.render.write import encoded
from codetools.system.helper_path import find_helper

DEFAULT_PAGER = ("less", "-FRX")


def page(
    text: str, terminal: Terminal, roots: tuple[str, ...] = (), environment: Mapping[str, str] = os.environ
) -> bool:
    """Show text in the pager and return whether it was; a text that fits, a pipe and a dumb terminal need none.

    `$PAGER` is the user's own word and program; else `less` is looked for outside `roots`, the workspace's.
    """
    if not terminal.moves or fits(text, terminal):
        return False
    command = _command(roots, environment)
    return bool(command) and _show(command, text, environment)


def fits(text: str, terminal: Terminal) -> bool:
    """Return whether a text and the prompt after it take no more than a screen."""
    room = terminal.height - 1
    if text.count("\n") > room:
        return False
    rows = sum(max(1, -(-columns(_unstyled(line)) // terminal.width)) for line in text.split("\n")[:-1])
    return rows <= room


def _unstyled(line: str) -> str:
    if "\x1b" not in line:
        return line
    import re

    return re.sub(r"\x1b\[[0-9;]*m", "", line)


def _command(roots: tuple[str, ...], environment: Mapping[str, str]) -> list[str]:
    import shlex

    if "PAGER" in environment:
        try:
            words = shlex.split(environment["PAGER"])
        except ValueError:
            return []
        return [] if words in ([], ["cat"]) else words
    found = find_helper(DEFAULT_PAGER[0], roots)
    return [found, *DEFAULT_PAGER[1:]] if found else []


def _show(command: list[str], text: str, environment: Mapping[str, str]) -> bool:
    import subprocess

    # The secure mode keeps a key press in less from starting a shell or an editor on what a tool printed.
    inherited = {**environment, "LESSSECURE": "1"}
    try:
        pager = subprocess.Popen(command, stdin=subprocess.PIPE, env=inherited)
    except OSError:
        return False
    assert pager.stdin is not None
    try:
        pager.stdin.write(encoded(text))
        pager.stdin.close()
    except (BrokenPipeError, KeyboardInterrupt):
        pass  # the reader has seen enough
    while True:
        try:
            pager.wait()
            return True
        except KeyboardInterrupt:  # Ctrl-C belongs to the pager as long as it is on the screen
            continue
