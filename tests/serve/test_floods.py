"""The server against a client that says too much, takes too little, or is gone."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from codetools.serve.out import Out
from tests.serve.client import DEADLINE_SECONDS, Client, text

Connect = Callable[..., Client]
MOST_MEMORY_KIB = 250 << 10


@pytest.fixture
def connect(workspace: Path) -> Iterator[Connect]:
    clients: list[Client] = []

    def made(*options: str, **how: Any) -> Client:
        clients.append(Client(*options, **how))
        return clients[-1]

    yield made
    for client in clients:
        with client.process as process:
            process.kill()


def test_a_hundred_thousand_pings_are_answered_in_bounded_memory(connect: Connect):
    client = connect()
    ids = range(1000, 101_000)
    writer = threading.Thread(target=_write, args=(client, (_request(id, "ping") for id in ids)))
    writer.start()
    assert client.process.stdout is not None
    file = os.fdopen(os.dup(client.process.stdout.fileno()), "rb")
    assert [json.loads(file.readline())["id"] for _ in ids] == list(ids)
    writer.join()
    assert _peak_kib(client) < MOST_MEMORY_KIB


def test_a_flood_of_calls_is_answered_call_by_call_or_refused(connect: Connect, workspace: Path):
    (workspace / "a.txt").write_text("one\n")
    client = connect()
    ids = range(1000, 6000)
    params = {"name": "read", "arguments": {"file_path": "a.txt"}}
    writer = threading.Thread(target=_write, args=(client, (_request(id, "tools/call", params) for id in ids)))
    writer.start()
    assert client.process.stdout is not None
    file = os.fdopen(os.dup(client.process.stdout.fileno()), "rb")
    answers = [json.loads(file.readline()) for _ in ids]
    writer.join()
    assert sorted(answer["id"] for answer in answers) == list(ids)
    assert all("calls wait already" in answer["error"]["message"] for answer in answers if "error" in answer)
    assert all(text(answer["result"]) == "1\tone" for answer in answers if "result" in answer)
    assert client.request("ping") == {}


def test_large_calls_that_wait_are_bounded_in_bytes(connect: Connect):
    client = connect("--yolo")
    client.ask("tools/call", {"name": "bash", "arguments": {"command": "exec sleep 89"}})
    large = {"name": "write", "arguments": {"file_path": "a.txt", "content": "x" * (12 << 20)}}
    ids = [client.ask("tools/call", large) for _ in range(10)]
    refused = [client.hear() for _ in range(5)]
    assert {answer["id"] for answer in refused} <= set(ids)
    assert all("calls wait already" in answer["error"]["message"] for answer in refused)
    client.process.terminate()
    assert client.process.wait(timeout=DEADLINE_SECONDS) == 130


def test_a_line_without_an_end_ends_the_connection_and_not_the_machine(connect: Connect):
    client = connect()
    assert client.process.stdin is not None
    assert _written(client.process.stdin.fileno(), b"x" * (1 << 20), 1 << 30) < 64 << 20
    assert "longer than" in client.hear()["error"]["message"]
    assert client.process.wait(timeout=DEADLINE_SECONDS) == 0


def test_a_storm_of_cancellations_cancels_what_it_names(connect: Connect, workspace: Path):
    client = connect("--yolo")
    long = client.ask("tools/call", {"name": "bash", "arguments": {"command": "echo $$ > pid; exec sleep 85"}})
    _until(lambda: (workspace / "pid").exists() and (workspace / "pid").read_text())
    pid = int((workspace / "pid").read_text())
    _write(client, (_cancel(id) for _ in range(2000) for id in (long, 999, "x", None, [1])))
    client.call("ls", {})
    assert not os.path.exists(f"/proc/{pid}")


def test_a_storm_of_new_roots_holds_up_nothing_for_long(connect: Connect, workspace: Path):
    (workspace / "a.txt").write_text("one\n")
    client = connect(capabilities={"roots": {"listChanged": True}})
    client.roots = [workspace]
    changed = json.dumps({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}).encode() + b"\n"
    _write(client, (changed for _ in range(5000)))
    assert text(client.call("read", {"file_path": "a.txt"})) == "1\tone"
    assert len([message for message in client.heard if message.get("method") == "roots/list"]) < 100


def test_a_client_that_never_reads_is_held_up_in_bounded_memory_and_its_end_is_the_servers(connect: Connect):
    client = connect()
    assert client.process.stdin is not None
    assert client.process.stdout is not None
    os.set_blocking(client.process.stdin.fileno(), False)
    line, told = _request(5, "tools/list"), 0
    held_up_at = None
    while held_up_at is None or time.monotonic() - held_up_at < 1:
        try:
            told += os.write(client.process.stdin.fileno(), line * 100)
            held_up_at = None
        except BlockingIOError:
            held_up_at = held_up_at or time.monotonic()
            time.sleep(0.01)
        assert told < 64 << 20, "nothing holds it up"
    assert _peak_kib(client) < MOST_MEMORY_KIB
    client.process.stdin.close()
    client.process.stdout.close()
    assert client.process.wait(timeout=DEADLINE_SECONDS) == 0


def test_who_takes_nothing_for_long_is_given_up():
    read, write = os.pipe()
    out = Out(write, patience_seconds=0.5)
    out.send({"jsonrpc": "2.0", "id": 1, "result": {"text": "x" * (1 << 20)}})
    assert out.is_closed
    assert os.read(out.closed, 1)
    began = time.monotonic()
    out.send({"jsonrpc": "2.0", "id": 2, "result": {}})
    assert time.monotonic() - began < 0.5
    for descriptor in (read, write, out.closed):
        os.close(descriptor)


def test_a_slow_client_gets_every_byte():
    read, write = os.pipe()
    out = Out(write)
    message = {"jsonrpc": "2.0", "id": 1, "result": {"text": "x" * (1 << 20)}}
    sender = threading.Thread(target=out.send, args=(message,))
    sender.start()
    line = b""
    while not line.endswith(b"\n"):
        line += os.read(read, 30_000)
    sender.join()
    assert json.loads(line) == message
    for descriptor in (read, write, out.closed):
        os.close(descriptor)


def test_the_processes_of_a_call_end_soon_after_its_client_was_killed(workspace: Path):
    lines = [
        _request(1, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}}),
        _request(2, "tools/call", {"name": "bash", "arguments": {"command": "echo $$ > pid; exec sleep 86"}}),
    ]
    program = (
        "import subprocess, sys, time\n"
        f"server = subprocess.Popen([{sys.executable!r}, '-m', 'codetools', 'mcp', 'serve', '--yolo'],"
        " stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        f"server.stdin.write({b''.join(lines)!r}); server.stdin.flush()\n"
        "print(server.pid, flush=True); time.sleep(60)\n"
    )
    client = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert client.stdout is not None
    server = int(client.stdout.readline())
    _until(lambda: (workspace / "pid").exists() and (workspace / "pid").read_text())
    pid = int((workspace / "pid").read_text())
    os.kill(client.pid, signal.SIGKILL)
    client.communicate()
    _until(lambda: not _runs(pid) and not _runs(server), seconds=20)


def _request(id: int, method: str, params: dict[str, Any] | None = None) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params or {}}).encode() + b"\n"


def _cancel(id: Any) -> bytes:
    message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}
    return json.dumps(message).encode() + b"\n"


def _write(client: Client, lines: Any) -> None:
    assert client.process.stdin is not None
    found = b"".join(lines)
    while found:
        found = found[os.write(client.process.stdin.fileno(), found[: 1 << 16]) :]


def _written(descriptor: int, piece: bytes, most: int) -> int:
    """Write until it is refused, or enough; return how much was taken."""
    taken = 0
    try:
        while taken < most:
            taken += os.write(descriptor, piece)
    except BrokenPipeError:
        pass
    return taken


def _peak_kib(client: Client) -> int:
    for line in Path(f"/proc/{client.process.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    raise AssertionError("no peak")


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _until(holds: Callable[[], object], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)
