"""The official SDK's client over pipes: what it asks for, in each of its modes."""

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

import mcp_types
import pytest
from mcp import Client, StdioServerParameters

MODES = ("auto", "legacy", "2026-07-28")


def _server(*options: str) -> StdioServerParameters:
    """Return how our server is started; the SDK passes on only a few variables by itself."""
    environment = {name: os.environ[name] for name in ("HOME", "PATH", "CODETOOLS_HOME") if name in os.environ}
    words = ["-m", "codetools", "mcp", "serve", *options]
    return StdioServerParameters(command=sys.executable, args=words, env=environment, cwd=Path.cwd())


@pytest.mark.parametrize("mode", MODES)
def test_it_lists_calls_and_reads_data(workspace: Path, mode: str):
    (workspace / "a.txt").write_text("one\n")

    async def converse() -> tuple[list[str], Any, Any]:
        async with Client(_server(), mode=mode, read_timeout_seconds=60) as client:
            tools = (await client.list_tools()).tools
            read = await client.call_tool("read", {"file_path": "a.txt"})
            missing = await client.call_tool("read", {"file_path": "none.txt"})
            return [tool.name for tool in tools], read, missing

    names, read, missing = asyncio.run(converse())
    assert {"read", "edit", "bash"} <= set(names)
    assert (read.content[0].text, read.structured_content["content"], read.is_error) == ("1\tone", "one\n", False)
    assert missing.is_error


@pytest.mark.parametrize("mode", MODES)
def test_a_person_is_asked_through_it(workspace: Path, mode: str):
    asked: list[str] = []
    answers = ["allow once", "deny"]

    async def answer(context: Any, params: Any) -> Any:
        asked.append(params.message)
        return mcp_types.ElicitResult(action="accept", content={"answer": answers.pop(0)})

    async def converse() -> list[bool]:
        async with Client(_server(), mode=mode, elicitation_callback=answer, read_timeout_seconds=60) as client:
            calls = [{"file_path": name, "content": f"{name}\n"} for name in ("yes.txt", "no.txt")]
            return [(await client.call_tool("write", arguments)).is_error for arguments in calls]

    assert asyncio.run(converse()) == [False, True]
    assert ["+yes.txt" in asked[0], "+no.txt" in asked[1]] == [True, True]
    assert [(workspace / name).exists() for name in ("yes.txt", "no.txt")] == [True, False]


def test_its_roots_narrow_the_workspace(workspace: Path):
    (workspace / "sub").mkdir()
    for path in (workspace / "out.txt", workspace / "sub" / "in.txt"):
        path.write_text("x\n")

    async def roots(context: Any) -> Any:
        return mcp_types.ListRootsResult(roots=[mcp_types.Root(uri=(workspace / "sub").as_uri())])

    async def converse() -> list[bool]:
        how = {"mode": "legacy", "list_roots_callback": roots, "read_timeout_seconds": 60}
        async with Client(_server(), **how) as client:
            paths = [str(workspace / "sub" / "in.txt"), str(workspace / "out.txt")]
            return [(await client.call_tool("read", {"file_path": path})).is_error for path in paths]

    assert asyncio.run(converse()) == [False, True]


@pytest.mark.parametrize("mode", MODES)
def test_it_hears_of_progress(workspace: Path, mode: str):
    told: list[tuple[float, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async def converse() -> None:
        async with Client(_server("--yolo"), mode=mode, read_timeout_seconds=60) as client:
            arguments = {"command": "for n in 1 2 3; do echo line $n; sleep 0.6; done"}
            await client.call_tool("bash", arguments, progress_callback=hear)

    asyncio.run(converse())
    assert told == sorted(told)
    assert {message for _, message in told} & {"line 1", "line 2", "line 3"}


@pytest.mark.parametrize("mode", MODES)
def test_what_it_gives_up_is_cancelled(workspace: Path, mode: str):
    async def converse() -> int:
        async with Client(_server("--yolo"), mode=mode, read_timeout_seconds=60) as client:
            call = asyncio.create_task(client.call_tool("bash", {"command": "echo $$ > pid; exec sleep 88"}))
            pid = await _pid(workspace / "pid")
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
            deadline = time.monotonic() + 20
            while os.path.exists(f"/proc/{pid}"):
                assert time.monotonic() < deadline, "it still runs"
                await asyncio.sleep(0.05)
            return len((await client.list_tools()).tools)

    assert asyncio.run(converse()) > 10


async def _pid(path: Path) -> int:
    deadline = time.monotonic() + 30
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)
    return int(path.read_text())
