"""What a one-shot call of an MCP server's tool costs beyond the server itself, as multiples of `python -c pass`.

The server is the scripted one of the tests, started once alone with the same messages and once by `codetools call`, in
turn; medians are compared. Run it by the Python of an environment that codetools is installed in, from the checkout:
python -m tests.benchmarks.mcp
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.mcp import scripted

STARTS = int(os.environ.get("STARTS", "21"))
CODETOOLS = str(Path(sys.executable).with_name("codetools"))
MOST_ADDED = 9.0  # 100 ms where a bare start takes 11
CALLS = (("server/discover", {}), ("tools/list", {}), ("tools/call", {"name": "echo", "arguments": {"text": "x"}}))


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        workspace = Path(directory, "ws")
        (workspace / ".git").mkdir(parents=True)
        script = scripted.write_script(Path(directory, "s.json"))
        config = scripted.config_of(Path(directory, "c.yaml"), script)
        environment = {"PATH": os.environ["PATH"], "HOME": directory}
        messages = (
            {"jsonrpc": "2.0", "id": number, "method": method, "params": {**params, "_meta": {}}}
            for number, (method, params) in enumerate(CALLS)
        )
        lines = b"".join(json.dumps(message).encode() + b"\n" for message in messages)
        called = [CODETOOLS, "call", "mcp__s__echo", '{"text": "x"}', "--config", str(config)]
        commands = {
            "python -c pass": ([sys.executable, "-c", "pass"], b""),
            "server alone": ([sys.executable, "-I", str(Path(scripted.__file__)), str(script)], lines),
            "codetools call mcp__s__echo": (called, b""),
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for start in range(STARTS + 1):
            for name, (command, given) in commands.items():
                began = time.perf_counter()
                subprocess.run(command, input=given, cwd=workspace, env=environment, capture_output=True, check=True)
                if start:
                    times[name].append(time.perf_counter() - began)
        floor, alone, whole = (statistics.median(values) for values in times.values())
        for name, values in times.items():
            middle = statistics.median(values)
            print(f"{name:32} {middle * 1000:7.1f} ms {middle / floor:6.2f}")
        added = (whole - alone) / floor
        verdict = "" if added <= MOST_ADDED else "  OVER"
        print(f"{'added':32} {(whole - alone) * 1000:7.1f} ms {added:6.2f}  (at most {MOST_ADDED}){verdict}")


if __name__ == "__main__":
    main()
