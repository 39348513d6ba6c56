"""A server of the tests: it does what its script says, in either era, by the standard library alone.

`main` runs in a process of its own: `python scripted.py SCRIPT.json`. The script is an object: `era` (handshake,
stateless, both), `tools`, `log` (a file that gets every line that came in), and `faults` by method.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

ECHO = {
    "name": "echo",
    "description": "Say it again.",
    "inputSchema": {
        "type": "object",
        "properties": {"text": {"type": "string"}, "times": {"type": "integer"}},
        "required": ["text"],
    },
}


def write_script(path: Path, **script: Any) -> Path:
    """Write a script and return its path."""
    path.write_text(json.dumps(script))
    return path


def config_of(path: Path, script: Path, *, name: str = "s", rules: str = '"mcp__s__*"', **more: Any) -> Path:
    """Write settings with this server and return their path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    server = {"command": sys.executable, "args": ["-I", str(Path(__file__).resolve()), str(script)], **more}
    path.write_text(f"allowed_tools: [{rules}]\nmcp: {json.dumps({name: server})}\n")
    return path


def main() -> None:
    script = json.loads(Path(sys.argv[1]).read_text())
    faults = script.get("faults", {})
    act(faults.get("start"), {})
    while line := sys.stdin.buffer.readline():
        if "log" in script:
            with open(script["log"], "ab") as file:
                file.write(line)
        message = json.loads(line)
        if "method" not in message:
            continue
        method = message["method"]
        if act(faults.get(method), message) or "id" not in message:
            continue
        say({"jsonrpc": "2.0", "id": message["id"], **answer(script, method, message.get("params", {}))})


def answer(script: dict[str, Any], method: str, params: dict[str, Any]) -> dict[str, Any]:
    era = script.get("era", "stateless")
    stateless = {"resultType": "complete"} if "_meta" in params else {}
    tools = script.get("tools", [ECHO])
    if method == "server/discover" and era != "handshake":
        capabilities = {"tools": {}, "resources": {}, "prompts": {}}
        found = {"supportedVersions": ["2026-07-28"], "capabilities": capabilities, "ttlMs": 0, "cacheScope": "private"}
        return {"result": {**stateless, **found, "serverInfo": {"name": "scripted", "version": "1"}}}
    if method == "initialize" and era != "stateless":
        found = {"protocolVersion": script.get("version", "2025-11-25"), "capabilities": {"tools": {}}}
        return {"result": {**found, "serverInfo": {"name": "scripted", "version": "1"}}}
    if method == "tools/list":
        return {"result": {**stateless, "tools": tools, "ttlMs": 0, "cacheScope": "private"}}
    if method == "tools/call":
        content = script.get("content") or [{"type": "text", "text": json.dumps(params.get("arguments"))}]
        return {"result": {**stateless, "content": content, **script.get("more", {})}}
    return {"error": {"code": -32601, "message": f"no {method}"}}


def act(fault: Any, message: dict[str, Any]) -> bool:
    """Do what a fault says; return whether that was the answer."""
    for step in fault if isinstance(fault, list) else [fault] if fault else []:
        kind, value = next(iter(step.items()))
        if kind == "once":  # the steps after it, the first time only
            if Path(value).exists():
                return False
            Path(value).touch()
        elif kind == "hang":
            time.sleep(value)
        elif kind == "stderr":
            os.write(2, value.encode())
        elif kind == "stdout":
            os.write(1, value.encode())
        elif kind == "exit":
            os._exit(value)
        elif kind == "child":
            if os.fork() == 0:
                os.setsid()
                Path(value).write_text(str(os.getpid()))
                time.sleep(1000)
        elif kind == "line":  # a line without an end, of so many bytes
            piece = b"x" * (1 << 20)
            for _ in range(value >> 20):
                os.write(1, piece)
        elif kind == "flood":
            while True:
                os.write(1, (json.dumps(value) + "\n").encode() * 100)
        elif kind == "say":
            text = json.dumps(value).replace('"ID"', json.dumps(message.get("id")))
            os.write(1, text.encode() + b"\n")
        elif kind == "close":
            os.close(1)
            time.sleep(1000)
        elif kind == "stubborn":
            import signal

            for number in (1, 2, 15):
                signal.signal(number, signal.SIG_IGN)
        elif kind == "answer":
            return bool(value)
    return bool(fault) and not any("go_on" in step for step in (fault if isinstance(fault, list) else [fault]))


def say(message: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
