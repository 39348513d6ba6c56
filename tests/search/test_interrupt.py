"""Ctrl-C ends a search, whichever engine runs, and leaves no process and no traceback behind."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.search.engines import make

WITHOUT = "import codetools.search.ripgrep as r; r.find_ripgrep = lambda inside: None;"
START = "import sys; {} from codetools.__main__ import main; main()"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("engine", ["", WITHOUT], ids=["ripgrep", "python"])
def test_an_interrupt_leaves_no_engine_and_no_traceback_i6(engine: str, workspace: Path):
    make(workspace, {f"d{number % 50}/f{number}": "a" * 3000 + "\n" for number in range(400)})
    pattern = r"(a|aa)+$x" if engine else r"(?:a?){300}(?:\w{0,200}){50}z"
    words = [sys.executable, "-c", START.format(engine), "grep", pattern]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as running:
        children: list[str] = []
        while not children and running.poll() is None:
            children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
        assert children
        watched = [os.pidfd_open(int(child)) for child in children]
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
        for descriptor in watched:
            assert select.select([descriptor], [], [], 30)[0]
            os.close(descriptor)
    assert running.returncode in (130, -signal.SIGINT)
    assert b"Traceback" not in out + err
