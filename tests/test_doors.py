"""I2: the same call gives the same result, the same decision and the same record, whichever door it comes through."""

import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codetools.core.path import Path as OwnPath
from codetools.core.tool import Tool
from codetools.engine.options import Options
from codetools.engine.resident import Resident
from codetools.mcp.protocol.message import message_of
from codetools.serve.conversation import Conversation
from tests.bad_input.doors import command_line, each_tool, run, valid
from tests.cli.typed import CODETOOLS, typed

SESSION = "s"
FLAGS = {"plain": (), "yolo": ("--yolo",), "read only": ("--read-only",)}
VOLATILE = re.compile(r"duration_ms|expires|started|ended|at|mtime|session|seconds|version")
PLACES = re.compile(
    r"[0-9a-f]{16,}|/[^\s\"']*/(spool|jobs)/[^\s\"']*|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?\S*|job [0-9a-f]+"
)

Calls = list[dict[str, Any]]
Door = Callable[[Tool, Calls, tuple[str, ...]], list[dict[str, Any]]]


def through_call(tool: Tool, calls: Calls, flags: tuple[str, ...]) -> list[dict[str, Any]]:
    def one(arguments: dict[str, Any]) -> dict[str, Any]:
        words = [str(CODETOOLS), "call", tool.name, json.dumps(arguments), "--session", SESSION, *flags]
        found: dict[str, Any] = json.loads(run(words, stdin=subprocess.DEVNULL).stdout)
        return found

    return [one(arguments) for arguments in calls]


def through_typed(tool: Tool, calls: Calls, flags: tuple[str, ...]) -> list[dict[str, Any]]:
    """Only a call that can be typed: the others are wrong in another way there."""
    return [
        json.loads(typed(*command_line(tool, arguments, *flags, "--session", SESSION, "--json")).stdout)
        for arguments in calls
    ]


def through_batch(tool: Tool, calls: Calls, flags: tuple[str, ...]) -> list[dict[str, Any]]:
    lines = "".join(json.dumps({"id": n, "tool": tool.name, "input": values}) + "\n" for n, values in enumerate(calls))
    done = run([str(CODETOOLS), "batch", "--session", SESSION, *flags], input=lines)
    assert done.stderr == ""
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.pop("id") for answer in answers] == list(range(len(calls)))
    return answers


def through_mcp(tool: Tool, calls: Calls, flags: tuple[str, ...]) -> list[dict[str, Any]]:
    heard: list[dict[str, Any]] = []
    came = threading.Condition()

    def hear(message: dict[str, Any]) -> None:
        with came:
            heard.append(message)
            came.notify_all()

    options = Options(session=SESSION, yolo="--yolo" in flags, read_only="--read-only" in flags)
    conversation = Conversation(Resident(options), hear)
    for number, arguments in enumerate(calls):
        params = {"name": tool.name, "arguments": arguments}
        conversation.take(message_of({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}))
        conversation.finish(60)
    answers = {message["id"]: message["result"] for message in json.loads(json.dumps(heard)) if "id" in message}
    return [_envelope(answers[number]) for number in range(len(calls))]


def _envelope(result: dict[str, Any]) -> dict[str, Any]:
    """Put the parts of an answer together again."""
    found: dict[str, Any] = result["_meta"]["codetools/outcome"]
    if approval := result["_meta"].get("codetools/approval"):
        found["error"]["details"]["approval"] = approval
    text, *images = result["content"]
    assert [part["type"] for part in images] == ["image"] * len(images)
    return {**found, "text": text["text"], "data": result.get("structuredContent"), "images": []}


@pytest.fixture
def fresh(workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Return what makes the workspace and the home new, for one door; it returns the state directory."""

    def made(name: str) -> Path:
        for entry in workspace.iterdir():
            if entry.name == ".git":
                continue
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        (workspace / "a.txt").write_text("old text\n")
        os.utime(workspace / "a.txt", (1_700_000_000, 1_700_000_000))
        home = tmp_path / name
        home.mkdir()
        monkeypatch.setenv("HOME", str(home))
        return home / ".local" / "state" / "codetools"

    return made


def same(value: Any, homes: tuple[str, ...]) -> Any:
    """Return a value without what no two calls share: times, random names, and whose home it was."""
    if isinstance(value, dict):
        return {name: same(item, homes) for name, item in value.items() if not VOLATILE.fullmatch(name)}
    if isinstance(value, list):
        return [same(item, homes) for item in value]
    if isinstance(value, str):
        for home in homes:
            value = value.replace(home, "~")
        return PLACES.sub("#", value)
    return value


def audited(state: Path, homes: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the audit lines, sorted: calls that only look may end in any order."""
    path = state / "audit.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return sorted((same(json.loads(line), homes) for line in lines), key=json.dumps)


DOORS: dict[str, Door] = {"call": through_call, "batch": through_batch, "mcp": through_mcp}


@each_tool
@pytest.mark.parametrize("flags", FLAGS)
def test_i2_every_door_answers_decides_and_records_alike(
    tool: Tool, flags: str, fresh: Callable[[str], Path], tmp_path: Path
):
    good = valid(tool)
    calls: Calls = [{}, {**good, "no_such": 1}, good]
    homes = tuple(str(tmp_path / name) for name in (*DOORS, "typed"))
    answers, records = {}, {}
    for name, door in DOORS.items():
        state = fresh(name)
        answers[name] = same(door(tool, calls, FLAGS[flags]), homes)
        records[name] = audited(state, homes)
    assert answers["batch"] == answers["call"]
    assert answers["mcp"] == answers["call"]
    assert records["call"]
    assert records["batch"] == records["call"]
    assert records["mcp"] == records["call"]
    state = fresh("typed")
    (typed_answer,) = same(through_typed(tool, [good], FLAGS[flags]), homes)
    assert {**typed_answer, "dry_run": False} == {**answers["call"][2], "dry_run": False}
    assert all(record in records["call"] for record in audited(state, homes))


def test_a_denied_tool_is_denied_at_every_door(workspace: Path):
    call = run([str(CODETOOLS), "call", "ls", "{}", "--deny", "ls"], stdin=subprocess.DEVNULL)
    assert json.loads(call.stdout)["error"]["kind"] == "denied"
    batch = run([str(CODETOOLS), "batch", "--deny", "ls"], input='{"id": 1, "tool": "ls"}\n')
    assert json.loads(batch.stdout)["error"]["kind"] == "denied"
    heard: list[dict[str, Any]] = []
    conversation = Conversation(Resident(Options(deny=("ls",), directory=OwnPath(str(workspace)))), heard.append)
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ls", "arguments": {}}}
    conversation.take(message_of(request))
    assert heard[0]["error"]["code"] == -32602
    assert typed("ls", "--deny", "ls").exit_code == 77
