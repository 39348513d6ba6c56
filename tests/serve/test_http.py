"""The MCP server over HTTP: what it lets through, and that it answers like every other door."""

import asyncio
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serve.client import STATELESS

TOKEN = "a-token-for-tests"
META = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}


class Served:
    """A server that runs, at `url`."""

    def __init__(self, *options: str, token: str | None = TOKEN) -> None:
        environment = {**os.environ, **({"CODETOOLS_MCP_TOKEN": token} if token else {})}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "codetools", "mcp", "serve", "--http", "0", *options],
            stderr=subprocess.PIPE,
            env=environment,
            text=True,
        )
        assert self.process.stderr is not None
        found = re.fullmatch(r"codetools mcp serve: (http://\S+)\n", self.process.stderr.readline())
        assert found
        self.url = found[1]

    def post(self, method: str, params: dict[str, Any], **headers: str | None) -> tuple[int, Any]:
        """Return the status and the answer of one request of the stateless era; a header of None is left out."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
        wanted: dict[str, str | None] = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            "authorization": f"Bearer {TOKEN}",
            "mcp-protocol-version": STATELESS,
            "mcp-method": method,
            "mcp-name": params.get("name"),
            **headers,
        }
        request = urllib.request.Request(self.url, json.dumps(body).encode(), method="POST")
        for name, value in wanted.items():
            if value is not None:
                request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                content = response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        data = content if content.startswith("{") else content.partition("data: ")[2].partition("\n")[0]
        return 200, json.loads(data)


@pytest.fixture
def served(workspace: Path) -> Iterator[Served]:
    server = Served()
    yield server
    server.process.terminate()
    server.process.communicate(timeout=20)


def test_a_call_over_http_is_the_call_of_every_door(served: Served, workspace: Path):
    (workspace / "a.txt").write_text("one\n")
    status, answer = served.post("tools/call", {"name": "read", "arguments": {"file_path": "a.txt"}})
    assert (status, answer["result"]["content"][0]["text"]) == (200, "1\tone")
    assert answer["result"]["structuredContent"]["content"] == "one\n"
    _, asked = served.post("tools/call", {"name": "write", "arguments": {"file_path": "b.txt", "content": "x"}})
    assert asked["result"]["isError"]
    assert "id" in asked["result"]["_meta"]["codetools/approval"]
    assert not (workspace / "b.txt").exists()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"authorization": None}, 401),
        ({"authorization": "Bearer wrong"}, 401),
        ({"authorization": f"Basic {TOKEN}"}, 401),
        ({"authorization": f"Bearer {TOKEN}x"}, 401),
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1.evil.example:80"}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost.evil.example"}, 403),
        ({"origin": "http://localhost:3000"}, 200),
        ({"host": "localhost"}, 200),
    ],
)
def test_who_does_not_show_the_token_or_comes_from_elsewhere_is_refused(
    served: Served, headers: dict[str, str | None], status: int
):
    assert served.post("tools/list", {}, **headers)[0] == status


def test_without_a_token_of_ones_own_one_is_made_up_and_printed(workspace: Path):
    server = Served(token=None)
    assert server.process.stderr is not None
    line = server.process.stderr.readline()
    token = line.removeprefix("codetools mcp serve: Authorization: ").strip()
    assert re.fullmatch(r"Bearer \S{32}", token)
    assert server.post("tools/list", {}, authorization=token)[0] == 200
    assert server.post("tools/list", {})[0] == 401
    server.process.terminate()
    server.process.communicate(timeout=20)


def test_a_client_of_the_official_sdk_lists_calls_is_asked_and_narrows(served: Served, workspace: Path):
    import httpx2
    import mcp_types
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    (workspace / "sub").mkdir()
    (workspace / "a.txt").write_text("one\n")
    asked: list[str] = []

    async def answer(context: Any, params: Any) -> Any:
        asked.append(params.message)
        return mcp_types.ElicitResult(action="accept", content={"answer": "allow once"})

    async def roots(context: Any) -> Any:
        return mcp_types.ListRootsResult(roots=[mcp_types.Root(uri=(workspace / "sub").as_uri())])

    async def converse(mode: str, **how: Any) -> list[Any]:
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as http:
            transport = streamable_http_client(served.url, http_client=http)
            async with Client(transport, mode=mode, elicitation_callback=answer, **how) as client:
                tools = await client.list_tools()
                read = await client.call_tool("read", {"file_path": str(workspace / "a.txt")})
                arguments = {"file_path": str(workspace / "sub" / f"{mode}.txt"), "content": "x"}
                written = await client.call_tool("write", arguments)
                return [len(tools.tools), read.is_error, written.is_error]

    legacy, modern = asyncio.run(converse("legacy")), asyncio.run(converse("2026-07-28"))
    assert legacy == modern
    assert legacy[0] > 10
    assert legacy[1:] == [False, False]
    assert len(asked) == 2
    assert sorted(path.name for path in (workspace / "sub").iterdir()) == ["2026-07-28.txt", "legacy.txt"]
    asyncio.run(converse("legacy", list_roots_callback=roots))
    assert [message for message in asked if "lies outside the workspace" in message]


@pytest.mark.parametrize("address", ["x", "1.2.3.4:99999", ":-1", "127.0.0.1"])
def test_what_is_no_address_is_a_usage_error(workspace: Path, address: str):
    command = [sys.executable, "-m", "codetools", "mcp", "serve", "--http", address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_an_address_in_use_is_unavailable(served: Served, workspace: Path):
    port = served.url.split(":")[2].split("/")[0]
    command = [sys.executable, "-m", "codetools", "mcp", "serve", "--http", port]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "cannot serve at" in done.stderr) == (69, True)


def test_an_interrupt_ends_the_server(served: Served):
    served.process.terminate()
    assert served.process.wait(timeout=20) in (0, 130)
