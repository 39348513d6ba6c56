"""A client of the server in tests: says what it likes, hears every line, and holds each to the official types."""

import json
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from mcp_types import methods
from mcp_types.jsonrpc import JSONRPCError

DEADLINE_SECONDS = 30.0
HANDSHAKE, STATELESS = "2025-11-25", "2026-07-28"


class Client:
    """One client of one server process; `era` is the revision it speaks."""

    def __init__(self, *options: str, era: str = HANDSHAKE, capabilities: dict[str, Any] | None = None) -> None:
        self.era = era
        self.capabilities = capabilities or {}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "codetools", "mcp", "serve", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,  # a line that waits in a buffer of ours is none that `select` sees
        )
        self.asked: dict[Any, str] = {}
        self.heard: list[dict[str, Any]] = []
        self.roots: list[Path] = []
        self.form_answers: list[dict[str, Any]] = []
        self.forms: list[dict[str, Any]] = []
        if era == HANDSHAKE:
            self.request("initialize", self._hello())
            self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _hello(self) -> dict[str, Any]:
        client = {"name": "test", "version": "1"}
        return {"protocolVersion": self.era, "capabilities": self.capabilities, "clientInfo": client}

    def say(self, message: Any) -> None:
        assert self.process.stdin is not None
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any] | None = None, id: Any = None) -> Any:
        """Send a request and return its id."""
        id = len(self.asked) + 1 if id is None else id
        params = dict(params or {})
        if self.era == STATELESS:
            params["_meta"] = {
                **params.get("_meta", {}),
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientCapabilities": self.capabilities,
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            }
        self.asked[id] = method
        self.say({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        return id

    def hear(self) -> dict[str, Any]:
        """Return the next line, checked."""
        assert self.process.stdout is not None
        assert select.select([self.process.stdout], [], [], DEADLINE_SECONDS)[0], "nothing was said"
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        self._check(message)
        self.heard.append(message)
        return message

    def answer_to(self, id: Any) -> dict[str, Any]:
        """Return the answer to a request, answering what the server asks meanwhile."""
        until = time.monotonic() + DEADLINE_SECONDS
        while time.monotonic() < until:
            message = self.hear()
            if "method" not in message and message.get("id") == id:
                return message
            if "method" in message and "id" in message:
                self.say({"jsonrpc": "2.0", "id": message["id"], "result": self._reply(message)})
        raise AssertionError("no answer")

    def request(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the result of a request."""
        answer = self.answer_to(self.ask(method, params))
        assert "result" in answer, answer
        found: dict[str, Any] = answer["result"]
        return found

    def call(self, name: str, arguments: dict[str, Any], **more: Any) -> dict[str, Any]:
        return self.request("tools/call", {"name": name, "arguments": arguments, **more})

    def end(self) -> tuple[int, bytes]:
        """Close the server's input; return its exit code and what it said on standard error."""
        rest, error = self.process.communicate(timeout=DEADLINE_SECONDS)
        for line in rest.splitlines():
            self._check(json.loads(line))
        return self.process.returncode, error

    def _reply(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["method"] == "roots/list":
            return {"roots": [{"uri": root.as_uri()} for root in self.roots]}
        self.forms.append(message["params"])
        return self.form_answers.pop(0)

    def _check(self, message: dict[str, Any]) -> None:
        """Hold a message to the official types of its revision."""
        assert message["jsonrpc"] == "2.0"
        if "result" in message:
            methods.validate_server_result(self.asked[message["id"]], self.era, message["result"])
        elif "error" in message:
            JSONRPCError.model_validate({"id": None, **message})
        elif "id" in message:
            methods.parse_server_request(message["method"], self.era, message.get("params"))
        else:
            methods.parse_server_notification(message["method"], self.era, message.get("params"))


def text(result: dict[str, Any]) -> str:
    found: str = result["content"][0]["text"]
    return found
