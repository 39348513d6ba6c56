"""`mcp list`, `tools`, `call`, `resources`, `read` and `prompts`."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.typed import envelope, typed
from tests.mcp.scripted import ECHO, config_of, write_script


@pytest.fixture
def config(workspace: Path, tmp_path: Path) -> str:
    return settings(tmp_path)


def settings(directory: Path, **script: Any) -> str:
    path = write_script(directory / "s.json", log=str(directory / "log"), **script)
    return str(config_of(directory / "c.yaml", path))


def said(result: dict[str, Any]) -> dict[str, Any]:
    """Return the step that answers a request with this result."""
    return {"say": {"jsonrpc": "2.0", "id": "ID", "result": {"resultType": "complete", **result}}}


def cached(**items: Any) -> dict[str, Any]:
    return {**items, "ttlMs": 0, "cacheScope": "private"}


def test_without_servers_the_answer_is_no(workspace: Path):
    done = typed("mcp", "list")
    assert (done.exit_code, "There are no MCP servers." in done.stdout) == (1, True)


def test_list_starts_nothing_and_knows_what_was_asked_before(config: str, tmp_path: Path):
    (row,) = envelope("mcp", "list", "--config", config)["data"]["servers"]
    assert (row["name"], row["transport"], row["tools"], row["origin"]) == ("s", "stdio", None, config)
    assert not (tmp_path / "log").exists()
    assert typed("mcp", "tools", "--config", config).exit_code == 0
    (row,) = envelope("mcp", "list", "--config", config)["data"]["servers"]
    assert (row["tools"], row["protocol"]) == (1, "2026-07-28")


def test_tools_names_what_is_left_out_and_why(workspace: Path, tmp_path: Path):
    config = settings(tmp_path, tools=[ECHO, {"name": "bad", "inputSchema": {"$ref": "https://h/"}}])
    done = typed("mcp", "tools", "--config", config)
    assert done.stdout.splitlines()[0] == "mcp__s__echo  Say it again."
    assert "left out: s bad: its schema refers to 'https://h/'" in done.stdout


def test_call_is_the_same_call_as_any_other(config: str):
    outcome = envelope("mcp", "call", "s", "echo", '{"text": "x"}', "--config", config)
    assert (outcome["ok"], outcome["tool"], outcome["text"]) == (True, "mcp__s__echo", '{"text": "x"}')
    denied = envelope("mcp", "call", "s", "echo", '{"text": "x"}', "--config", config, "--deny", "mcp__s__*")
    assert denied["error"]["kind"] == "denied"
    assert typed("mcp", "call", "s", "echo", "--config", config).exit_code == 2
    assert "Servers: s." in typed("mcp", "call", "ss", "echo", "--config", config).stderr


def test_resources_are_listed_and_read(workspace: Path, tmp_path: Path):
    listed = {"uri": "file:///a", "name": "a\x1b[31m", "mimeType": "text/plain"}
    template = {"uriTemplate": "file:///{x}", "name": "any"}
    contents = [{"uri": "file:///a", "text": "inside"}, {"uri": "file:///b", "blob": "AAAA"}]
    config = settings(
        tmp_path,
        faults={
            "resources/list": said(cached(resources=[listed])),
            "resources/templates/list": said(cached(resourceTemplates=[template])),
            "resources/read": said(cached(contents=contents)),
        },
    )
    rows = envelope("mcp", "resources", "--config", config)["data"]["resources"]
    assert [(row["uri"], row["name"], row["is_template"]) for row in rows] == [
        ("file:///a", "a", False),
        ("file:///{x}", "any", True),
    ]
    done = typed("mcp", "read", "s", "file:///a", "--config", config)
    assert done.stdout.splitlines() == ["inside", "[the resource unnamed (unnamed, 3 bytes) is left out]"] or (
        done.stdout.splitlines()[0] == "inside" and "file:///b" in done.stdout
    )
    assert typed("mcp", "read", "s", "file:///a", "--config", config, "--deny", "mcp__s__*").exit_code == 77


def test_prompts_are_listed_and_filled_in(workspace: Path, tmp_path: Path):
    arguments = [{"name": "topic", "required": True}, {"name": "length"}]
    message = {"role": "user", "content": {"type": "text", "text": "Explain x."}}
    config = settings(
        tmp_path,
        faults={
            "prompts/list": said(cached(prompts=[{"name": "explain", "arguments": arguments}])),
            "prompts/get": said({"messages": [message]}),
        },
    )
    assert "explain(topic, length?)" in typed("mcp", "prompts", "s", "--config", config).stdout
    filled = typed("mcp", "prompts", "s", "explain", json.dumps({"topic": "x"}), "--config", config)
    assert filled.stdout == "user: Explain x.\n"


def test_a_server_that_fails_is_said_and_the_status_tells(workspace: Path, tmp_path: Path):
    config = settings(tmp_path, faults={"start": [{"stderr": "no luck"}, {"exit": 3}]})
    done = typed("mcp", "tools", "--config", config)
    assert done.exit_code == 1
    assert "failed: the MCP server s ended with status 3. Its error output ends: no luck" in done.stdout
    assert typed("mcp", "read", "s", "x", "--config", config).exit_code == 69
