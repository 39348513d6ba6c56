"""The official inspector's command line lists and calls: over pipes in every era, and over HTTP with the token."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.conformance.node import Installed

ERAS = ("legacy", "auto", "modern")
TOKEN = "a-token-for-the-inspector"
SECONDS = 120


def inspect(installed: Installed, directory: Path) -> list[str]:
    """List and call by each way; return what went wrong."""
    workspace, home = directory / "inspected", directory / "inspector-home"
    (workspace / ".git").mkdir(parents=True)
    (workspace / "a.txt").write_text("one\n")
    home.mkdir()
    environment = {**installed.environment, "HOME": str(home), "CODETOOLS_HOME": str(home / "state")}
    serve = [sys.executable, "-m", "codetools", "mcp", "serve", "--root", str(workspace)]
    print("\n== inspector 2.12.0")
    faults: list[str] = []
    for era in ERAS:
        faults += _inspected(installed, environment, f"stdio, {era}", ["--protocol-era", era, *serve])
    variables = {**os.environ, "HOME": str(home), "CODETOOLS_MCP_TOKEN": TOKEN}
    with subprocess.Popen([*serve, "--http", "0"], stderr=subprocess.PIPE, text=True, env=variables) as server:
        assert server.stderr is not None
        url = server.stderr.readline().split()[-1]
        for era in ERAS:
            words = ["--protocol-era", era, url, "--transport", "http"]
            words += ["--header", f"Authorization: Bearer {TOKEN}"]
            faults += _inspected(installed, environment, f"HTTP, {era}", words)
        server.terminate()
    return faults


def _inspected(installed: Installed, environment: dict[str, str], title: str, server: list[str]) -> list[str]:
    listed = _asked(installed, environment, server, "--method", "tools/list")
    call = ("--method", "tools/call", "--tool-name", "read", "--tool-arg", "file_path=a.txt")
    read = _asked(installed, environment, server, *call)
    names = [tool["name"] for tool in _result(listed).get("tools", [])]
    text = [part.get("text") for part in _result(read).get("content", [])]
    faults = []
    if not {"read", "edit", "bash"} <= set(names):
        faults.append(f"inspector, {title}: tools/list gave {str(listed)[:500]}")
    if text != ["1\tone"]:
        faults.append(f"inspector, {title}: tools/call gave {str(read)[:500]}")
    print(f"{title:50} {len(names):>6}  {'WRONG' if faults else 'lists and calls'}")
    return faults


def _result(answer: Any) -> dict[str, Any]:
    if not isinstance(answer, dict):
        return {}
    found = answer.get("result", answer)
    return found if isinstance(found, dict) else {}


def _asked(installed: Installed, environment: dict[str, str], server: list[str], *method: str) -> Any:
    """Return what the inspector printed: JSON, or whatever else it said."""
    command = [*installed.command("mcp-inspector"), "--cli", *server, *method, "--format", "json"]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL, timeout=SECONDS, check=False
    )
    try:
        return json.loads(done.stdout)
    except ValueError:
        return f"exit {done.returncode}: {done.stdout}{done.stderr}"
