"""The agent in the README is run as it stands, against a server that plays the provider."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.needs import program

README = (Path(__file__).parent.parent / "README.md").read_text()
SCRIPT = re.search(r"^```bash\n(#!/usr/bin/env bash\n# agent\.sh.*?)^```$", README, re.DOTALL | re.MULTILINE)


class Provider(ThreadingHTTPServer):
    """Answers each request with the next of some responses, and keeps the requests."""

    def __init__(self, responses: list[Any]) -> None:
        self.responses = iter(responses)
        self.requests: list[Any] = []
        super().__init__(("127.0.0.1", 0), Handler)


class Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.requests.append(json.loads(body))
        content = json.dumps(next(self.server.responses)).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: Any) -> None:
        pass


def said(text: str, *calls: tuple[str, str, dict[str, Any]]) -> dict[str, Any]:
    blocks = [{"type": "tool_use", "id": number, "name": name, "input": values} for number, name, values in calls]
    return {"role": "assistant", "content": [{"type": "text", "text": text}, *blocks]}


@pytest.fixture
def script(tmp_path: Path) -> Path:
    assert SCRIPT is not None
    path = tmp_path / "agent.sh"
    path.write_text(SCRIPT[1])
    return path


@pytest.fixture
def play(script: Path, workspace: Path) -> Iterator[Any]:
    program("curl")
    program("jq")
    servers = []

    def run(*responses: Any, **variables: str) -> tuple[subprocess.CompletedProcess[str], list[Any]]:
        server = Provider(list(responses))
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{server.server_port}",
            "ANTHROPIC_API_KEY": "none",
            "MODEL": "scripted",
            **variables,
        }
        done = subprocess.run(
            ["bash", script, "Greet", "politely"], cwd=workspace, env=environment,
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        return done, server.requests

    yield run
    for server in servers:
        server.shutdown()
        server.server_close()


def test_the_agent_of_the_readme_reads_edits_and_ends(play: Any, workspace: Path):
    (workspace / "app.py").write_text('print("hi")\n')
    edit = {"file_path": "app.py", "old_string": "hi", "new_string": "good day"}
    done, requests = play(
        said("I look.", ("a", "read", {"file_path": "app.py"}), ("b", "read", {"file_path": "none.py"})),
        said("I edit.", ("c", "edit", edit)),
        said("Done."),
        CODETOOLS_YOLO="1",
    )
    assert (done.stdout, done.stderr, done.returncode) == ("I look.\nI edit.\nDone.\n", "", 0)
    assert (workspace / "app.py").read_text() == 'print("good day")\n'
    first, second, third = requests
    assert first["messages"] == [{"role": "user", "content": "Greet politely"}]
    assert {"read", "edit", "bash"} <= {tool["name"] for tool in first["tools"]}
    results = second["messages"][2]["content"]
    assert [(result["tool_use_id"], result["is_error"]) for result in results] == [("a", False), ("b", True)]
    assert "hi" in results[0]["content"][0]["text"]
    assert third["messages"][4]["content"][0]["is_error"] is False


def test_the_agent_of_the_readme_tells_the_model_and_the_person_what_needs_approval(play: Any, workspace: Path):
    done, requests = play(said("", ("a", "write", {"file_path": "a", "content": "x"})), said("I cannot."))
    assert "approval" in requests[1]["messages"][2]["content"][0]["content"][0]["text"]
    assert re.fullmatch(
        r"codetools answer: approval \w+ waits: create a \(\+1 -0\); a person's yes: .+ approve \w+\n", done.stderr
    )
    assert not (workspace / "a").exists()


def test_the_agent_of_the_readme_ends_where_the_provider_fails(play: Any):
    done, requests = play({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
    assert (done.returncode, len(requests)) == (1, 1)
    assert "Overloaded" in done.stderr
