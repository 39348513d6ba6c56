"""A scripted server behind an address: what each request gets is a function of the test's, in a thread of its own."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.mcp.scripted import answer

Reply = Callable[["Handler", dict[str, Any]], bool]


class Handler(BaseHTTPRequestHandler):
    """Answers as a well-behaved server would, unless the test's `act` did."""

    protocol_version = "HTTP/1.1"
    script: dict[str, Any]
    act: Any = None
    asked: list[tuple[str, dict[str, str], Any]]

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.asked.append(("POST", headers, message))
        if type(self).act is not None and type(self).act(self, message):
            return
        if "id" not in message or "method" not in message:
            self.send(202, b"")
            return
        found = answer(self.script, message["method"], message.get("params", {}))
        self.send_json(200, {"jsonrpc": "2.0", "id": message["id"], **found})

    def do_DELETE(self) -> None:
        self.asked.append(("DELETE", {name.lower(): value for name, value in self.headers.items()}, None))
        self.send(200, b"")

    def do_GET(self) -> None:
        self.asked.append(("GET", {name.lower(): value for name, value in self.headers.items()}, None))
        if type(self).act is None or not type(self).act(self, {}):
            self.send(405, b"")

    def send_json(self, status: int, value: Any, **headers: str) -> None:
        self.send(status, json.dumps(value).encode(), **{"Content-Type": "application/json", **headers})

    def send(self, status: int, content: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def event(self, value: Any, **fields: Any) -> None:
        data = value if isinstance(value, str) else json.dumps(value)
        lines = [f"{name}: {field}" for name, field in fields.items()]
        self.wfile.write("\n".join([*lines, f"data: {data}", "", ""]).encode())
        self.wfile.flush()

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


@contextmanager
def served(act: Any = None, **script: Any) -> Iterator[tuple[str, list[tuple[str, dict[str, str], Any]]]]:
    """Give the address of a server, and the list of what it was asked."""
    asked: list[tuple[str, dict[str, str], Any]] = []
    kind = type("Made", (Handler,), {"script": script, "act": staticmethod(act) if act else None, "asked": asked})
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/mcp", asked
    finally:
        server.shutdown()
        server.server_close()


def web_config(path: Path, url: str, **more: Any) -> Path:
    """Write settings with this server and return their path."""
    server = {"url": url, "timeout_seconds": 20, **more}
    path.write_text(f'allowed_tools: ["mcp__s__*"]\nmcp: {json.dumps({"s": server})}\n')
    return path
