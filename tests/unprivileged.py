"""One call by a process without any capability, so that mode bits hold for root as they do for everybody."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests import needs

CODETOOLS = str(Path(sys.executable).with_name("codetools"))
DROP = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")


def call_without_capabilities(tool: str, arguments: dict[str, object], *options: str) -> dict:
    """Return the envelope, with the exit code as `exit`."""
    command = [CODETOOLS, "call", tool, json.dumps(arguments), "--yolo", *options]
    if os.geteuid() == 0:
        needs.program("setpriv")
        command = [*DROP, *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return {**json.loads(done.stdout), "exit": done.returncode}
