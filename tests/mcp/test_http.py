"""Servers behind an address: one POST a message, both eras, and whatever the network does."""

import json
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tests.calls import call
from tests.mcp.scripted import ECHO
from tests.mcp.test_wire import check
from tests.mcp.web import Handler, served, web_config

TOLERANCE = 2.0


def calling(directory: Path, url: str, arguments: Any = None, **more: Any) -> dict[str, Any]:
    return call("mcp__s__echo", arguments or {"text": "x"}, config=web_config(directory / "c.yaml", url, **more))


def test_a_stateless_server_gets_one_post_a_message_with_its_headers(workspace: Path, tmp_path: Path, monkeypatch: Any):
    monkeypatch.setenv("TOKEN", "secret")
    schema = {"type": "object", "properties": {"text": {"type": "string", "x-mcp-header": "Text"}}}
    with served(tools=[{**ECHO, "inputSchema": schema}]) as (url, asked):
        outcome = calling(tmp_path, url, {"text": "Hello, 世界"}, headers={"Authorization": "Bearer ${TOKEN}"})
    assert outcome["text"] == json.dumps({"text": "Hello, 世界"})
    assert [message["method"] for _, _, message in asked] == ["server/discover", "tools/list", "tools/call"]
    for _, headers, message in asked:
        check(message, "2026-07-28")
        assert headers["mcp-protocol-version"] == "2026-07-28"
        assert headers["mcp-method"] == message["method"]
        assert headers["accept"] == "application/json, text/event-stream"
        assert headers["authorization"] == "Bearer secret"
    assert asked[-1][1]["mcp-name"] == "echo"
    assert asked[-1][1]["mcp-param-text"] == "=?base64?SGVsbG8sIOS4lueVjA==?="
    assert "secret" not in json.dumps(outcome)
    assert str(workspace) not in json.dumps([message for _, _, message in asked])  # nor what our trees are called


def test_an_old_server_keeps_its_session_to_the_end(workspace: Path, tmp_path: Path):
    def act(handler: Handler, message: dict[str, Any]) -> bool:
        if message.get("method") != "initialize":
            return False
        found = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "x", "version": "1"}}
        handler.send_json(200, {"jsonrpc": "2.0", "id": message["id"], "result": found}, Mcp_Session_Id="abc")
        return True

    with served(act, era="handshake") as (url, asked):
        assert calling(tmp_path, url)["ok"] is True
    methods = [message["method"] if message else method for method, _, message in asked]
    assert methods[1:] == ["initialize", "notifications/initialized", "tools/list", "tools/call", "DELETE"]
    for _, headers, message in asked[2:]:
        assert (headers["mcp-session-id"], headers["mcp-protocol-version"]) == ("abc", "2025-06-18")
        if message:
            check(message, "2025-06-18")
    assert "mcp-session-id" not in asked[1][1]
    assert "mcp-method" not in asked[3][1]


def test_a_session_that_the_server_ended_is_begun_anew(workspace: Path, tmp_path: Path):
    sessions: list[str] = []

    def act(handler: Handler, message: dict[str, Any]) -> bool:
        if message.get("method") == "initialize":
            sessions.append(f"s{len(sessions)}")
            found = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "x", "version": "1"}}
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": found}
            handler.send_json(200, answer, Mcp_Session_Id=sessions[-1])
            return True
        if message.get("method") == "tools/call" and len(sessions) == 1:
            handler.send(404, b"gone")
            return True
        return False

    with served(act, era="handshake") as (url, _):
        assert calling(tmp_path, url)["ok"] is True
    assert len(sessions) == 2


def test_a_stream_brings_progress_then_the_answer(workspace: Path, tmp_path: Path):
    def act(handler: Handler, message: dict[str, Any]) -> bool:
        if message.get("method") != "tools/call":
            return False
        handler.begin_stream()
        handler.wfile.write(b": keep-alive\n\n")
        params = {"progressToken": message["id"], "progress": 1}
        handler.event({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
        result = {"resultType": "complete", "content": [{"type": "text", "text": "streamed"}]}
        handler.event({"jsonrpc": "2.0", "id": message["id"], "result": result})
        time.sleep(0.2)
        return True

    with served(act) as (url, _):
        assert calling(tmp_path, url)["text"] == "streamed"


def test_a_stream_that_breaks_off_is_taken_up_again_where_it_was(workspace: Path, tmp_path: Path):
    waiting: list[Any] = []

    def act(handler: Handler, message: dict[str, Any]) -> bool:
        if message.get("method") == "tools/call":
            waiting.append(message["id"])
            handler.begin_stream()
            handler.event("", id="e1", retry=150)
            return True
        if not message and waiting:
            handler.begin_stream()
            handler.event({"jsonrpc": "2.0", "id": waiting[0], "result": {"content": []}}, id="e2")
            return True
        return False

    with served(act, era="handshake") as (url, asked):
        assert calling(tmp_path, url)["ok"] is True
    assert [headers["last-event-id"] for method, headers, _ in asked if method == "GET"] == ["e1"]


@pytest.mark.parametrize(
    ("status", "content", "said"),
    [
        (401, b"", "answers with HTTP 401"),
        (500, b"<html>", "answers with HTTP 500"),
        (200, b"hello", "answered 'hello', but it is not JSON"),
        (200, b'{"jsonrpc":"2.0","id":99,"result":{}}', "answered something else than was asked"),
        (400, b'{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"headers!"}}', "refused tools/call: headers!"),
    ],
)
def test_an_answer_that_is_none_is_an_error(status: int, content: bytes, said: str, workspace: Path, tmp_path: Path):
    def act(handler: Handler, message: dict[str, Any]) -> bool:
        if message.get("method") != "tools/call":
            return False
        handler.send(status, content, Content_Type="application/json")
        return True

    with served(act) as (url, _):
        outcome = calling(tmp_path, url)
    assert outcome["error"]["kind"] == "unavailable"
    assert said in outcome["text"]


def test_a_redirect_is_followed_within_its_origin_only(workspace: Path, tmp_path: Path):
    with served() as (elsewhere, stolen):

        def act(handler: Handler, message: dict[str, Any]) -> bool:
            if handler.path == "/mcp":
                handler.send(307, b"", Location="/moved")
            elif message.get("method") == "tools/call":
                handler.send(307, b"", Location=elsewhere)
            else:
                return False
            return True

        with served(act) as (url, _):
            outcome = calling(tmp_path, url, headers={"X-Key": "secret"})
    assert "redirect (HTTP 307), which is followed within its origin only" in outcome["text"]
    assert stolen == []


@pytest.mark.parametrize("part", ["status", "headers", "body", "stream"])
def test_one_that_drips_is_given_up_at_the_deadline_i6(part: str, workspace: Path, tmp_path: Path):
    starts = {
        "status": b"",
        "headers": b"HTTP/1.1 200 OK\r\n",
        "body": b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n",
        "stream": b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n",
    }
    over = threading.Event()

    def act(handler: Handler, message: dict[str, Any]) -> bool:
        if message.get("method") != "tools/call":
            return False
        handler.wfile.write(starts[part])
        try:
            while not over.wait(0.05):
                handler.wfile.write(b"x")
                handler.wfile.flush()
        except OSError:
            pass
        handler.close_connection = True
        return True

    with served(act) as (url, _):
        began = time.monotonic()
        outcome = calling(tmp_path, url, timeout_seconds=1.0)
        seconds = time.monotonic() - began
        over.set()
    assert outcome["error"]["kind"] == "timeout"
    assert seconds < 1.0 + TOLERANCE


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
def test_an_answer_without_end_is_refused_at_the_cap_i6(kind: str, workspace: Path, tmp_path: Path):
    def act(handler: Handler, message: dict[str, Any]) -> bool:
        if message.get("method") != "tools/call":
            return False
        handler.wfile.write(f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\ndata: ".encode())
        try:
            for _ in range(200):
                handler.wfile.write(b"x" * (1 << 20))
        except OSError:
            pass
        handler.close_connection = True
        return True

    with served(act) as (url, _):
        outcome = calling(tmp_path, url)
    assert outcome["error"]["kind"] == "unavailable"
    assert "MiB" in outcome["text"] or "KiB" in outcome["text"]


def test_nobody_there_is_told_at_once(workspace: Path, tmp_path: Path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/mcp"
        outcome = calling(tmp_path, url)
    assert outcome["error"]["kind"] == "unavailable"
    assert "cannot be reached: Connection refused" in outcome["text"]


@pytest.mark.parametrize("url", ["ftp://h/", "http://", "http://user:pass@h/", "http://h:99999/", "file:///etc/passwd"])
def test_an_address_that_is_none_is_a_config_error(url: str, workspace: Path, tmp_path: Path):
    outcome = calling(tmp_path, url)
    assert outcome["error"]["kind"] == "config"
    assert "pass" not in outcome["text"].replace("passed", "")


def test_an_old_server_with_one_stream_is_spoken_to(workspace: Path, tmp_path: Path):
    streams: list[Handler] = []
    over = threading.Event()

    def act(handler: Handler, message: dict[str, Any]) -> bool:
        from tests.mcp.scripted import answer

        if not message:
            handler.begin_stream()
            handler.event("/messages?id=7", event="endpoint")
            streams.append(handler)
            over.wait(20)
            return True
        assert handler.path == "/messages?id=7"
        handler.send(202, b"")
        if "id" in message:
            found = answer({"era": "handshake", "version": "2024-11-05"}, message["method"], message.get("params", {}))
            streams[-1].event({"jsonrpc": "2.0", "id": message["id"], **found}, event="message")
        return True

    with served(act) as (url, asked):
        outcome = calling(tmp_path, url, transport="sse")
        over.set()
    assert outcome["text"] == '{"text": "x"}'
    for method, _, message in asked[2:]:
        if method == "POST":
            check(message, "2024-11-05")


def test_a_stream_may_not_send_our_messages_elsewhere(workspace: Path, tmp_path: Path):
    def act(handler: Handler, message: dict[str, Any]) -> bool:
        handler.begin_stream()
        handler.event("http://127.0.0.1:1/steal", event="endpoint")
        time.sleep(0.2)
        return True

    with served(act) as (url, _):
        outcome = calling(tmp_path, url, transport="sse")
    assert "wants messages posted to another origin" in outcome["text"]
