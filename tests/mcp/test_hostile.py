"""A server that is slow, loud, mad, dead or a liar: a clear error in time, and nothing of it is left."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from tests.calls import call
from tests.mcp.scripted import ECHO, config_of, write_script

TIMEOUT = 1.0
TOLERANCE = 2.0  # how much later than its deadline a call may end


def calling(
    directory: Path, timeout: float = TIMEOUT, tool: str = "mcp__s__echo", **script: Any
) -> tuple[dict[str, Any], float]:
    """Call the tool of a scripted server; return the envelope and the seconds that it took."""
    config = config_of(directory / "c.yaml", write_script(directory / "script.json", **script), timeout_seconds=timeout)
    began = time.monotonic()
    outcome = call(tool, {"text": "x"}, config=config)
    return outcome, time.monotonic() - began


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("era", ["stateless", "handshake"])
def test_a_well_behaved_one_answers(era: str, workspace: Path, tmp_path: Path):
    outcome, _ = calling(tmp_path, 20, era=era)
    assert (outcome["ok"], outcome["text"]) == (True, '{"text": "x"}')


@pytest.mark.parametrize("method", ["start", "server/discover", "tools/list", "tools/call"])
def test_one_that_hangs_is_given_up_at_the_deadline_i6(method: str, workspace: Path, tmp_path: Path):
    outcome, seconds = calling(tmp_path, faults={method: {"hang": 1000}})
    assert outcome["error"]["kind"] == "timeout"
    assert "the MCP server s did not answer" in outcome["text"]
    assert seconds < TIMEOUT + TOLERANCE


def test_one_that_ignores_signals_and_leaves_a_child_is_ended_whole_i6(workspace: Path, tmp_path: Path):
    child = tmp_path / "child"
    faults = {"tools/call": [{"child": str(child)}, {"stubborn": 1}, {"hang": 1000}]}
    outcome, seconds = calling(tmp_path, faults=faults)
    assert outcome["error"]["kind"] == "timeout"
    assert seconds < TIMEOUT + TOLERANCE
    until = time.monotonic() + 5
    while is_running(int(child.read_text())):
        assert time.monotonic() < until


def test_one_that_dies_says_its_last_words(workspace: Path, tmp_path: Path):
    outcome, seconds = calling(
        tmp_path, 20, faults={"tools/call": [{"stderr": "no such\n database\x1b[31m"}, {"exit": 3}]}
    )
    assert outcome["error"]["kind"] == "unavailable"
    assert "the MCP server s ended with status 3. Its error output ends: no such database" in outcome["text"]
    assert "\x1b" not in outcome["text"]
    assert seconds < 15


def test_one_that_dies_at_the_start_says_its_last_words(workspace: Path, tmp_path: Path):
    outcome, _ = calling(tmp_path, 20, faults={"start": [{"stderr": "usage: me"}, {"exit": 2}]})
    assert "ended with status 2. Its error output ends: usage: me" in outcome["text"]


def test_one_that_only_closes_its_output_is_an_error_at_once(workspace: Path, tmp_path: Path):
    outcome, seconds = calling(tmp_path, 20, faults={"tools/call": {"close": 1}})
    assert "closed its output" in outcome["text"]
    assert seconds < 15


def test_one_that_dies_of_the_first_question_is_asked_the_old_way(workspace: Path, tmp_path: Path):
    outcome, _ = calling(tmp_path, 20, era="handshake", faults={"server/discover": {"exit": 1}})
    assert outcome["ok"] is True


def test_a_line_without_end_is_refused_at_the_cap_i6(workspace: Path, tmp_path: Path):
    outcome, seconds = calling(tmp_path, 20, faults={"tools/call": {"line": 1 << 30}})
    assert "the MCP server s sent a line longer than 32 MiB" in outcome["text"]
    assert seconds < 15


def test_a_flood_of_notifications_ends_with_the_connection_i6(workspace: Path, tmp_path: Path):
    flood = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}
    outcome, seconds = calling(tmp_path, 20, faults={"tools/call": {"flood": flood}})
    assert "messages that nothing asked for" in outcome["text"]
    assert seconds < 20 + TOLERANCE


@pytest.mark.parametrize("noise", ["hello\n", "\xff\xfe\n", "[]\n", "{}\n", '{"jsonrpc":"2.0","id":null,"result":1}\n'])
def test_noise_before_the_answer_is_passed_over(noise: str, workspace: Path, tmp_path: Path):
    faults = {"tools/call": [{"stdout": noise * 3}, {"go_on": 1}]}
    outcome, _ = calling(tmp_path, 20, faults=faults)
    assert outcome["ok"] is True


def test_endless_noise_is_an_error(workspace: Path, tmp_path: Path):
    outcome, seconds = calling(tmp_path, 20, faults={"tools/call": {"stdout": "what?\n" * 2000}})
    assert "speaks nonsense, last 'what?'" in outcome["text"]
    assert seconds < 15


@pytest.mark.parametrize("id", [999, "1", None, True])
def test_an_answer_with_a_wrong_id_is_no_answer(id: Any, workspace: Path, tmp_path: Path):
    wrong = {"jsonrpc": "2.0", "id": id, "result": {"content": [], "resultType": "complete"}}
    outcome, seconds = calling(tmp_path, faults={"tools/call": {"say": wrong}})
    assert outcome["error"]["kind"] == "timeout"
    assert "it sent" in outcome["text"]
    assert seconds < TIMEOUT + TOLERANCE


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ({}, "answered tools/call without content"),
        ({"resultType": "surprise"}, "a result of the unknown type 'surprise'"),
        (
            {
                "resultType": "input_required",
                "inputRequests": {"a": {"method": "sampling/createMessage", "params": {}}},
            },
            "asked for sampling/createMessage, which is not offered",
        ),
        ({"resultType": "input_required", "requestState": "again"}, "asked back more than"),
    ],
)
def test_an_answer_of_the_wrong_form_is_an_error(result: dict, said: str, workspace: Path, tmp_path: Path):
    fault = {"say": {"jsonrpc": "2.0", "id": "ID", "result": result}}
    outcome, _ = calling(tmp_path, 20, faults={"tools/call": fault})
    assert outcome["error"]["kind"] == "unavailable"
    assert said in outcome["text"]


def test_a_refusal_is_told_with_its_reason(workspace: Path, tmp_path: Path):
    for code, kind in ((-32603, "unavailable"), (-32602, "usage")):
        fault = {"say": {"jsonrpc": "2.0", "id": "ID", "error": {"code": code, "message": "no\x1b[2J way"}}}
        outcome, _ = calling(tmp_path, 20, faults={"tools/call": fault})
        assert outcome["error"]["kind"] == kind
        assert outcome["text"].startswith("the MCP server s refused tools/call: no way.")


def test_pages_without_end_are_refused_i6(workspace: Path, tmp_path: Path):
    page = {"tools": [], "nextCursor": "again", "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    outcome, _ = calling(tmp_path, 20, faults={"tools/list": {"say": {"jsonrpc": "2.0", "id": "ID", "result": page}}})
    assert "lists tools without end" in outcome["text"]


def test_what_it_asks_of_us_is_answered_roots_and_nothing_else(workspace: Path, tmp_path: Path):
    log = tmp_path / "log"
    asked = [
        {"say": {"jsonrpc": "2.0", "id": name, "method": name}} for name in ("roots/list", "sampling/createMessage")
    ]
    faults = {"tools/call": [*asked, {"say": {"jsonrpc": "2.0", "id": "p", "method": "ping"}}, {"go_on": 1}]}
    outcome, _ = calling(tmp_path, 20, era="handshake", log=str(log), faults=faults)
    assert outcome["ok"] is True
    until = time.monotonic() + 5
    answers: dict[Any, Any] = {}
    while len(answers) < 3 and time.monotonic() < until:
        messages = [json.loads(line) for line in log.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
        answers = {message["id"]: message for message in messages if "method" not in message}
    assert answers["roots/list"]["result"] == {"roots": [{"uri": f"file://{workspace}"}]}
    assert answers["sampling/createMessage"]["error"]["code"] == -32601
    assert answers["p"]["result"] == {}


def test_it_gets_next_to_nothing_of_our_environment(workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "s")
    monkeypatch.setenv("WANTED", "value")
    code = tmp_path / "show.py"
    code.write_text(
        Path(__file__)
        .with_name("scripted.py")
        .read_text()
        .replace('json.dumps(params.get("arguments"))', "SHOWN")
        .replace("def main()", "SHOWN = json.dumps([dict(os.environ), os.getcwd()])\n\n\ndef main()")
    )
    script = write_script(tmp_path / "script.json")
    config = config_of(tmp_path / "c.yaml", script, env={"GIVEN": "${WANTED}", "DOLLAR": "$$x"})
    config.write_text(config.read_text().replace(str(Path(__file__).with_name("scripted.py").resolve()), str(code)))
    outcome = call("mcp__s__echo", {"text": "x"}, config=config)
    environment, directory = json.loads(outcome["text"])
    assert "AWS_SECRET_ACCESS_KEY" not in environment
    assert (environment["GIVEN"], environment["DOLLAR"], environment["CODETOOLS_LOCK"]) == ("value", "$x", "1")
    assert not directory.startswith(str(workspace))
    assert environment["HOME"] == os.environ["HOME"]


def test_a_variable_that_is_not_set_is_named(workspace: Path, tmp_path: Path):
    config = config_of(tmp_path / "c.yaml", write_script(tmp_path / "s.json"), env={"A": "$NOT_SET_AT_ALL"})
    outcome = call("mcp__s__echo", {"text": "x"}, config=config)
    assert outcome["error"]["kind"] == "config"
    assert "needs the variable NOT_SET_AT_ALL" in outcome["text"]


def test_no_program_of_the_workspace_is_found_by_its_name_i1(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (workspace / "bin").mkdir()
    program = workspace / "bin" / "serve-me"
    program.write_text("#!/bin/sh\ntouch pwned\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{workspace / 'bin'}:{os.environ['PATH']}")
    config = tmp_path / "c.yaml"
    config.write_text('allowed_tools: ["mcp__s__*"]\nmcp: {s: {command: serve-me}}\n')
    outcome = call("mcp__s__echo", {"text": "x"}, config=config)
    assert "there is no program 'serve-me' on the PATH outside the workspace" in outcome["text"]


def test_images_are_images_and_what_cannot_be_shown_is_said(workspace: Path, tmp_path: Path):
    pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    content = [
        {"type": "text", "text": "see"},
        {"type": "image", "data": pixel, "mimeType": "image/png"},
        {"type": "image", "data": "bm90aGluZw==", "mimeType": "image/png"},
        {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "file:///a", "text": "inside"}},
        {"type": "resource", "resource": {"uri": "file:///b", "blob": "AAAA", "mimeType": "application/zip"}},
        {"type": "resource_link", "uri": "file:///c", "name": "more"},
        {"type": "hologram"},
        7,
    ]
    outcome, _ = calling(tmp_path, 20, content=content, more={"structuredContent": {"a": [1]}, "isError": True})
    image = outcome["images"][0]
    assert (image["media_type"], image["width"], image["base64"]) == ("image/png", 1, pixel)
    assert outcome["text"].startswith("see\ninside\n[resource file:///c: more]\n[")
    left_out = ("its content is no image", "audio/wav", "application/zip", "hologram", "unnamed")
    assert all(any(part in notice["message"] for notice in outcome["notices"]) for part in left_out)
    assert (outcome["exit"], outcome["data"]["is_error"], outcome["data"]["structured"]) == (1, True, {"a": [1]})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "missing 'text'"),
        ({"text": 1}, "text is an integer, not string"),
        ({"text": "x", "times": "many"}, "times is a string, not integer"),
        ({"text": "x", "times": True}, "times is a boolean, not integer"),
    ],
)
@pytest.mark.parametrize("is_known", [True, False])
def test_wrong_arguments_are_refused_with_an_example(
    is_known: bool, arguments: Any, said: str, workspace: Path, tmp_path: Path
):
    config = config_of(tmp_path / "c.yaml", write_script(tmp_path / "s.json", tools=[ECHO]))
    if is_known:
        good = call("mcp__s__echo", {"text": "x", "times": "2"}, config=config)
        assert good["text"] == '{"text": "x", "times": 2}'
    outcome = call("mcp__s__echo", arguments, config=config)
    assert outcome["error"]["kind"] == "usage"
    assert said in outcome["text"]
    assert outcome["error"]["details"]["example"] == {"text": "text"}
