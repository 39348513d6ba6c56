"""The first line of the official SDK, which is still maintained, as a client of our server over pipes.

Its package and the second line's exclude each other, so that it has an environment of its own.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.conformance.node import cache, run

SDK = "mcp>=1.30,<2"
SECONDS = 120
PROGRAM = """
import asyncio, json, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import ElicitResult, ListRootsResult, Root

command, workspace = json.loads(sys.argv[1]), sys.argv[2]

async def answer(context, params):
    return ElicitResult(action="accept", content={"answer": "allow once"})

async def roots(context):
    return ListRootsResult(roots=[Root(uri=f"file://{workspace}")])

async def main():
    parameters = StdioServerParameters(command=command[0], args=command[1:])
    async with stdio_client(parameters) as (read, write):
        async with ClientSession(read, write, elicitation_callback=answer, list_roots_callback=roots) as session:
            hello = await session.initialize()
            tools = (await session.list_tools()).tools
            text = (await session.call_tool("read", {"file_path": "a.txt"})).content[0].text
            made = await session.call_tool("write", {"file_path": "b.txt", "content": "x"})
            print(json.dumps([hello.protocolVersion, [tool.name for tool in tools], text, made.isError]))

asyncio.run(main())
"""


def converse_as_before(directory: Path) -> list[str]:
    """List, call and be asked through the first line's client; return what went wrong."""
    workspace, home = directory / "earlier", directory / "earlier-home"
    (workspace / ".git").mkdir(parents=True)
    (workspace / "a.txt").write_text("one\n")
    home.mkdir()
    serve = [sys.executable, "-m", "codetools", "mcp", "serve", "--root", str(workspace)]
    done = subprocess.run(
        [str(_python()), "-c", PROGRAM, json.dumps(["env", f"HOME={home}", *serve]), str(workspace)],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    print(f"\n== the SDK of the first line, {SDK}")
    said = _said(done.stdout)
    is_right = (
        isinstance(said, list) and said[0] == "2025-11-25" and "read" in said[1] and said[2:] == ["1\tone", False]
    )
    if is_right and (workspace / "b.txt").read_text() == "x":
        print("lists, calls, is asked")
        return []
    return [f"{SDK}: {said} {done.stderr[-1000:]}"]


def _said(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _python() -> Path:
    place = cache() / "codetools-earlier-sdk"
    python = place / "bin" / "python"
    if not (place / "complete").exists():
        run([sys.executable, "-m", "venv", "--clear", str(place)], cache())
        run([str(python), "-m", "pip", "install", "--quiet", SDK], place)
        (place / "complete").touch()
    return python
