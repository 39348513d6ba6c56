"""Typed commands, in this process through Typer's runner or in one of their own."""

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from codetools.cli.app import app

CODETOOLS = Path(sys.executable).parent / "codetools"
PATIENCE_SECONDS = 30.0


def typed(*words: str, text: str | bytes | None = None) -> Result:
    """Run a command line in this process, its output in a pipe."""
    return CliRunner().invoke(app, list(words), input=text)


def envelope(*words: str) -> dict[str, Any]:
    """Run a command line with --json and return its one document."""
    end = words.index("--") if "--" in words else len(words)
    done = typed(*words[:end], "--json", *words[end:])
    assert done.stdout.count("\n") == 1, done.output
    document: dict[str, Any] = json.loads(done.stdout)
    assert document["ok"] == (done.exit_code in (0, 1))
    return document


def process(*words: str, **how: Any) -> subprocess.CompletedProcess[str]:
    """Run the installed command in a process of its own."""
    return subprocess.run(
        [str(CODETOOLS), *words], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False, **how
    )


class OnTerminal:
    """The installed command on a terminal; what a person types is answered where the screen asks for it."""

    def __init__(self, *words: str, columns: int = 80, **environment: str) -> None:
        self._terminal, theirs = pty.openpty()
        import termios

        termios.tcsetwinsize(theirs, (24, columns))
        self._process = subprocess.Popen(
            [str(CODETOOLS), *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm", **environment},
        )
        os.close(theirs)
        self.screen = ""

    def answer(self, prompt: str, keys: str) -> None:
        """Type keys once the screen shows the prompt."""
        self._read_until(prompt)
        os.write(self._terminal, keys.encode())

    def type(self, keys: str) -> None:
        """Type keys at once, whatever the screen shows."""
        os.write(self._terminal, keys.encode())

    def pause(self, seconds: float) -> None:
        """Type nothing for a while, as somebody does who reads the question."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            select.select([], [], [], deadline - time.monotonic())

    def end(self) -> int:
        """Read what is left and return the exit code."""
        self._read_until(None)
        os.close(self._terminal)
        return self._process.wait(timeout=PATIENCE_SECONDS)

    def _read_until(self, prompt: str | None) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while prompt is None or prompt not in self.screen:
            assert time.monotonic() < deadline, self.screen
            if not select.select([self._terminal], [], [], 0.1)[0]:
                continue
            try:
                chunk = os.read(self._terminal, 65536)
            except OSError:  # Linux says EIO where the last writer has gone
                chunk = b""
            if not chunk:
                assert prompt is None, f"{prompt!r} never came: {self.screen}"
                return
            self.screen += chunk.decode("utf-8", "replace").replace("\r\n", "\n")
