"""What a resident call costs, beside the official file server driven by the same client; and how soon a list is there.

Calls alternate between the servers, so that a machine that slows down slows both; medians are compared. Run it by the
Python of an environment that codetools is installed in: python tests/benchmarks/mcp.py
"""

import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from tests.conformance.node import install

CALLS = int(os.environ.get("CALLS", "300"))
STARTS = int(os.environ.get("STARTS", "21"))
CODETOOLS = str(Path(sys.executable).with_name("codetools"))
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}
MOST_STARTS = 5.0
MOST_BATCH_SECONDS = 0.001


class Server:
    """One server over pipes; `request` waits for the answer."""

    def __init__(self, command: list[str], environment: dict[str, str], directory: Path) -> None:
        self._ids = itertools.count()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=directory,
        )

    def say(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdout is not None
        id = next(self._ids)
        self.say({"id": id, "method": method, "params": params})
        while True:
            message: dict[str, Any] = json.loads(self.process.stdout.readline())
            if message.get("id") == id and "method" not in message:
                return message

    def greet(self) -> None:
        self.request("initialize", HELLO)
        self.say({"method": "notifications/initialized"})

    def call(self, name: str, arguments: dict[str, Any]) -> float:
        """Return the seconds that a call took."""
        began = time.perf_counter()
        answer = self.request("tools/call", {"name": name, "arguments": arguments})
        elapsed = time.perf_counter() - began
        assert not answer["result"].get("isError"), answer
        return elapsed

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def main() -> None:
    installed = install()
    with tempfile.TemporaryDirectory() as directory:
        workspace, home = Path(directory, "ws"), Path(directory, "home")
        (workspace / ".git").mkdir(parents=True)
        home.mkdir()
        environment = {"PATH": installed.environment["PATH"], "HOME": str(home)}
        compare_calls(installed.command("mcp-server-filesystem"), workspace, environment)
        measure_batch(workspace, environment)
        compare_starts(workspace, environment)


def compare_calls(theirs: list[str], workspace: Path, environment: dict[str, str]) -> None:
    """Read and edit the same files through both servers."""
    (workspace / "small.py").write_text("value = 1\n" * 50)
    (workspace / "large.py").write_text("value = 1\n" * 20_000)
    for name in ("ours.txt", "theirs.txt"):
        (workspace / name).write_text("line\n" * 50 + "number 0\n" + "line\n" * 50)
    mine = Server([CODETOOLS, "mcp", "serve", "--yolo"], environment, workspace)
    other = Server([*theirs, str(workspace)], environment, workspace)
    mine.greet()
    other.greet()
    numbers = itertools.count()

    def edits() -> tuple[float, float]:
        number = next(numbers)
        old, new = f"number {number}\n", f"number {number + 1}\n"
        path = str(workspace / "theirs.txt")
        return (
            mine.call("edit", {"file_path": "ours.txt", "old_string": old, "new_string": new}),
            other.call("edit_file", {"path": path, "edits": [{"oldText": old, "newText": new}]}),
        )

    def reads(name: str) -> tuple[float, float]:
        path = str(workspace / name)
        return mine.call("read", {"file_path": path}), other.call("read_text_file", {"path": path})

    pairs: dict[str, Callable[[], tuple[float, float]]] = {
        "read, 50 lines": lambda: reads("small.py"),
        "read, 20,000 lines (ours shows 2,000)": lambda: reads("large.py"),
        "edit": edits,
    }
    for title, pair in pairs.items():
        pair()
        times = [pair() for _ in range(CALLS)]
        ours, others = (statistics.median(column) * 1000 for column in zip(*times, strict=True))
        verdict = "" if ours < others else "  OVER"
        print(f"{title:40} {ours:7.2f} ms  server-filesystem {others:7.2f} ms  {ours / others:5.2f}{verdict}")
    mine.end()
    other.end()


def measure_batch(workspace: Path, environment: dict[str, str]) -> None:
    """Read a small file again and again through `codetools batch`, one call at a time."""
    process = subprocess.Popen(
        [CODETOOLS, "batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, cwd=workspace
    )
    assert process.stdin is not None
    assert process.stdout is not None
    times = []
    for number in range(CALLS + 1):
        line = json.dumps({"id": number, "tool": "read", "input": {"file_path": "small.py"}}).encode() + b"\n"
        began = time.perf_counter()
        process.stdin.write(line)
        process.stdin.flush()
        answer = process.stdout.readline()
        times.append(time.perf_counter() - began)
        assert json.loads(answer)["ok"]
    process.stdin.close()
    process.wait()
    middle = statistics.median(times[1:])
    verdict = "" if middle < MOST_BATCH_SECONDS else "  OVER"
    print(f"{'batch, read, 50 lines':40} {middle * 1000:7.2f} ms  (at most 1){verdict}")


def compare_starts(workspace: Path, environment: dict[str, str]) -> None:
    """Start the server and have its first list, beside starting a bare interpreter."""
    bare, listed = [], []
    for start in range(STARTS + 1):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], env=environment, check=True)
        bare_end = time.perf_counter()
        server = Server([CODETOOLS, "mcp", "serve"], environment, workspace)
        server.greet()
        assert server.request("tools/list", {})["result"]["tools"]
        end = time.perf_counter()
        server.end()
        if start:  # the first makes the bytecode, and what is kept
            bare.append(bare_end - began)
            listed.append(end - bare_end)
    floor, middle = statistics.median(bare), statistics.median(listed)
    verdict = "" if middle / floor <= MOST_STARTS else "  OVER"
    print(f"{'mcp serve, first tools/list':40} {middle * 1000:7.1f} ms  {middle / floor:5.2f} bare starts{verdict}")


if __name__ == "__main__":
    main()
