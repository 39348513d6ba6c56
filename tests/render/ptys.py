"""Runs a Python program on a terminal of its own and returns what it drew."""

import os
import pty
import subprocess
import sys
import termios
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


def on_terminal(script: str, *, width: int = 80, height: int = 24, keys: bytes = b"", **environment: str) -> str:
    """Run a script with all three streams on a new terminal; `keys` are typed at once."""
    leader, follower = pty.openpty()
    termios.tcsetwinsize(follower, (height, width))
    attributes = termios.tcgetattr(follower)
    attributes[1] &= ~termios.OPOST  # line feeds as they were written
    attributes[3] &= ~termios.ECHO
    termios.tcsetattr(follower, termios.TCSANOW, attributes)
    clean = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        start_new_session=True,
        cwd=REPOSITORY,
        env={**clean, "TERM": "xterm", **environment},
    )
    os.close(follower)
    os.write(leader, keys)
    drawn = b""
    try:
        while chunk := os.read(leader, 65536):
            drawn += chunk
    except OSError:  # Linux says EIO where the last writer has gone
        pass
    finally:
        os.close(leader)
        assert process.wait(timeout=30) == 0, drawn.decode()
    return drawn.decode()
