"""`mcp config`: what it prints is what the client reads, and starts the server."""

import json
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.cli.typed import typed

# Where each client looks, by its own documentation: the file, and the path to the server within it.
PLACES = {
    "claude-code": (".mcp.json", ("mcpServers", "codetools")),
    "claude-desktop": ("claude_desktop_config.json", ("mcpServers", "codetools")),
    "codex": ("~/.codex/config.toml", ("mcp_servers", "codetools")),
    "cursor": (".cursor/mcp.json", ("mcpServers", "codetools")),
    "gemini-cli": ("~/.gemini/settings.json", ("mcpServers", "codetools")),
    "vscode": (".vscode/mcp.json", ("servers", "codetools")),
    "zed": ("~/.config/zed/settings.json", ("context_servers", "codetools")),
}
LIST = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}\n'


def snippet(client: str, *options: str) -> tuple[str, dict[str, Any]]:
    """Return the file that is named and the server that stands in the snippet."""
    done = typed("mcp", "config", client, *options)
    found: Any = tomllib.loads(done.stdout) if client == "codex" else json.loads(done.stdout)
    for key in PLACES[client][1]:
        found = found[key]
    return done.stderr.removeprefix("codetools mcp config: for "), found


@pytest.mark.parametrize("client", PLACES)
def test_the_server_in_a_snippet_starts_and_lists(workspace: Path, client: str):
    file, server = snippet(client)
    assert file.startswith(PLACES[client][0])
    words = [word.replace("${workspaceFolder}", str(workspace)) for word in server["args"]]
    done = subprocess.run([server["command"], *words], input=LIST, capture_output=True, text=True, check=True)
    assert "read" in [tool["name"] for tool in json.loads(done.stdout)["result"]["tools"]]
    assert server.get("type") == ("stdio" if client == "vscode" else None)


@pytest.mark.parametrize("client", PLACES)
def test_a_root_and_reading_only_stand_in_the_snippet(workspace: Path, client: str):
    _, server = snippet(client, "--root", ".", "--read-only")
    assert server["args"] == ["mcp", "serve", "--root", str(workspace), "--read-only"]


def test_editors_name_the_folder_that_is_open(workspace: Path):
    assert (
        snippet("vscode")[1]["args"] == snippet("cursor")[1]["args"] == ["mcp", "serve", "--root", "${workspaceFolder}"]
    )
