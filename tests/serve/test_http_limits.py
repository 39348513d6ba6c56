"""The HTTP server against clients that drip, send too much, leave early, or are many."""

import asyncio
import http.client
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn

from codetools.core.errors import Failure
from codetools.engine.options import ServeOptions
from codetools.engine.resident import Resident
from codetools.serve.guard import Guard
from codetools.serve.patience import Patient
from codetools.serve.sessions import Sessions
from tests.serve.client import STATELESS
from tests.serve.test_http import META, TOKEN, Served

HEADERS = {"authorization": f"Bearer {TOKEN}", "accept": "application/json, text/event-stream"}


@pytest.fixture
def served(workspace: Path) -> Iterator[Served]:
    server = Served("--yolo")
    yield server
    server.process.terminate()
    server.process.communicate(timeout=20)


def test_a_stateless_client_that_leaves_cancels_its_call(served: Served, workspace: Path):
    params = {"name": "bash", "arguments": {"command": "echo $$ > pid; exec sleep 87"}, "_meta": META}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    routing = {"mcp-protocol-version": STATELESS, "mcp-method": "tools/call", "mcp-name": "bash"}
    connection = _connection(served)
    connection.request("POST", "/mcp", body, {**HEADERS, **routing, "content-type": "application/json"})
    _until(lambda: (workspace / "pid").exists() and (workspace / "pid").read_text())
    pid = int((workspace / "pid").read_text())
    connection.close()
    _until(lambda: not os.path.exists(f"/proc/{pid}"))
    assert served.post("tools/list", {})[0] == 200


def test_a_huge_body_is_refused_though_it_says_nothing_of_its_size(served: Served):
    connection = _connection(served)
    piece = b"x" * (1 << 20)
    headers = {**HEADERS, "content-type": "application/json", "transfer-encoding": "chunked"}
    try:
        connection.request("POST", "/mcp", (piece for _ in range(200)), headers, encode_chunked=True)
    except (BrokenPipeError, ConnectionResetError):
        pass  # it was refused before its end
    else:
        assert connection.getresponse().status == 413
    assert served.post("tools/list", {})[0] == 200


def test_sessions_are_capped_and_the_stateless_go_on(served: Served):
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
    headers = {**HEADERS, "content-type": "application/json"}
    connection = _connection(served)
    statuses = []
    for _ in range(103):
        connection.request("POST", "/mcp", body, headers)
        response = connection.getresponse()
        response.read()
        statuses.append(response.status)
    assert statuses[:100] == [200] * 100
    assert all(status >= 400 for status in statuses[100:])
    assert served.post("tools/list", {})[0] == 200


def test_who_drips_headers_is_cut_off():
    with _serving(_hello) as port, socket.create_connection(("127.0.0.1", port)) as dripping:
        dripping.sendall(b"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n")
        assert _is_closed_by_the_other_side(dripping)


def test_who_says_nothing_is_cut_off_also_after_a_first_request():
    with _serving(_hello) as port, socket.create_connection(("127.0.0.1", port)) as silent:
        assert _is_closed_by_the_other_side(silent)
    with _serving(_hello) as port, socket.create_connection(("127.0.0.1", port)) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer t\r\n\r\n")
        assert b"200" in slow.recv(1000)
        slow.sendall(b"GET / HT")
        assert _is_closed_by_the_other_side(slow)


def test_who_drips_a_body_is_told_and_cut_off():
    with _serving(_hello) as port, socket.create_connection(("127.0.0.1", port)) as dripping:
        head = b"POST / HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer t\r\ncontent-length: 9\r\n\r\nx"
        dripping.sendall(head)
        assert b" 408 " in dripping.recv(1000)
        assert _is_closed_by_the_other_side(dripping)


def test_an_answer_may_take_longer_than_a_request():
    async def slow(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(1.5)
        await _hello(scope, receive, send)

    with _serving(slow) as port, socket.create_connection(("127.0.0.1", port)) as patient:
        patient.sendall(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer t\r\n\r\n")
        assert b"200" in patient.recv(1000)


def test_no_request_of_a_session_comes_before_its_narrowing(workspace: Path):
    async def scenario() -> list[str]:
        said: list[str] = []

        async def narrow(resident: Resident) -> None:
            await asyncio.sleep(0.1)
            said.append("narrowed")

        async def use() -> None:
            async with sessions.resident("a", narrow):
                said.append("used")

        sessions = Sessions(lambda: Resident(ServeOptions()))
        await asyncio.gather(use(), use(), use())
        sessions.widen("a")
        await asyncio.gather(use(), use())
        return said

    assert asyncio.run(scenario()) == ["narrowed", "used", "used", "used", "narrowed", "used", "used"]


def test_sessions_are_closed_when_idle_or_too_many_and_never_in_use(workspace: Path):
    async def scenario() -> None:
        sessions = Sessions(lambda: Resident(ServeOptions()), most=3)
        async with sessions.resident("used", _nothing) as kept:
            for name in "abcdefgh":
                async with sessions.resident(name, _nothing):
                    pass
                assert len(sessions) <= 3
            async with sessions.resident("used", _nothing) as again:
                assert again is kept
        sessions = Sessions(lambda: Resident(ServeOptions()), idle_seconds=0)
        for name in "abc":
            async with sessions.resident(name, _nothing):
                pass
            assert len(sessions) == 1

    asyncio.run(scenario())


def test_a_session_that_could_not_open_is_tried_anew(workspace: Path):
    async def scenario() -> None:
        faults = [Failure("config", "the settings are wrong.")]

        def opened() -> Resident:
            if faults:
                raise faults.pop()
            return Resident(ServeOptions())

        sessions = Sessions(opened)
        with pytest.raises(Failure, match="the settings are wrong"):
            async with sessions.resident("a", _nothing):
                pass
        async with sessions.resident("a", _nothing) as resident:
            assert resident.engine().session is None

    asyncio.run(scenario())


@contextmanager
def _serving(app: Any) -> Iterator[int]:
    """Serve behind the guard, with less patience than a real server has."""

    class Hasty(Patient):
        head_seconds = 1.0

    guard = Guard(app, "t", "127.0.0.1", 1 << 20, body_seconds=1.0)
    config = uvicorn.Config(guard, http=Hasty, ws="none", lifespan="off", log_level="critical")
    server = uvicorn.Server(config)
    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield listening.getsockname()[1]
    server.should_exit = True
    thread.join()


async def _hello(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"hi"})


async def _nothing(resident: Resident) -> None:
    return


def _connection(served: Served) -> http.client.HTTPConnection:
    place = urlsplit(served.url)
    return http.client.HTTPConnection(str(place.hostname), place.port, timeout=30)


def _is_closed_by_the_other_side(connection: socket.socket) -> bool:
    connection.settimeout(20)
    try:
        while connection.recv(1000):
            pass
    except ConnectionResetError:
        return True
    return True


def _until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)
