"""Every message that is sent, as the official types of its revision have it."""

import json
from pathlib import Path
from typing import Any

import pytest
from mcp_types import methods
from mcp_types.jsonrpc import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from tests.calls import call
from tests.mcp.scripted import config_of, write_script

OLD = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


def sent(directory: Path, **script: Any) -> list[dict[str, Any]]:
    """Return every message that one call sends to a scripted server."""
    log = directory / "log"
    config = config_of(directory / "c.yaml", write_script(directory / "s.json", log=str(log), **script))
    assert call("mcp__s__echo", {"text": "é\u2028"}, config=config)["ok"] is True
    return [json.loads(line) for line in log.read_bytes().splitlines()]


def check(message: dict[str, Any], version: str) -> None:
    """Raise where a message of a client is not one of this revision."""
    if "method" not in message:
        (JSONRPCError if "error" in message else JSONRPCResponse).model_validate(message)
    elif "id" in message:
        JSONRPCRequest.model_validate(message)
        methods.validate_client_request(message["method"], version, message.get("params"))
    else:
        JSONRPCNotification.model_validate(message)
        methods.validate_client_notification(message["method"], version, message.get("params"))


def test_a_stateless_server_gets_no_handshake(workspace: Path, tmp_path: Path):
    messages = sent(tmp_path, era="stateless")
    assert [message["method"] for message in messages] == ["server/discover", "tools/list", "tools/call"]
    for message in messages:
        check(message, "2026-07-28")
    assert len({message["id"] for message in messages}) == 3


@pytest.mark.parametrize("version", OLD)
def test_an_old_server_gets_the_handshake_and_nothing_of_the_new_era(version: str, workspace: Path, tmp_path: Path):
    messages = sent(tmp_path, era="handshake", version=version)
    assert [message["method"] for message in messages[1:]] == [
        "initialize",
        "notifications/initialized",
        "tools/list",
        "tools/call",
    ]
    for message in messages[1:]:
        check(message, version)
        assert not any("io.modelcontextprotocol" in key for key in message.get("params", {}).get("_meta", {}))


def test_a_server_that_was_old_is_not_probed_again(workspace: Path, tmp_path: Path):
    sent(tmp_path, era="handshake")
    (tmp_path / "log").unlink()
    assert sent(tmp_path, era="handshake")[0]["method"] == "initialize"


def test_a_server_that_became_new_is_still_spoken_with(workspace: Path, tmp_path: Path):
    sent(tmp_path, era="handshake")
    (tmp_path / "log").unlink()
    asked = [message["method"] for message in sent(tmp_path, era="stateless")]
    assert asked == ["initialize", "server/discover", "tools/list", "tools/call"]


def test_answers_and_cancellation_are_of_the_protocol(workspace: Path, tmp_path: Path):
    asked = [
        {"say": {"jsonrpc": "2.0", "id": method, "method": method}}
        for method in ("roots/list", "elicitation/create", "ping")
    ]
    messages = sent(tmp_path, era="handshake", faults={"tools/call": [*asked, {"hang": 0.3}, {"go_on": 1}]})
    answers = {message["id"]: message for message in messages if "method" not in message}
    for message in answers.values():
        check(message, "2025-11-25")
    if "roots/list" in answers:
        methods.validate_client_result("roots/list", "2025-11-25", answers["roots/list"]["result"])


def test_what_a_request_is_sent_again_with_is_of_the_protocol(workspace: Path, tmp_path: Path):
    question = {"message": "Sure?", "requestedSchema": {"type": "object", "properties": {}}}
    asks = {"roots": {"method": "roots/list"}, "sure": {"method": "elicitation/create", "params": question}}
    more = {"resultType": "input_required", "requestState": "opaque", "inputRequests": asks}
    first = tmp_path / "first"
    log = tmp_path / "log"
    script = write_script(
        tmp_path / "s.json",
        log=str(log),
        faults={"tools/call": [{"once": str(first)}, {"say": {"jsonrpc": "2.0", "id": "ID", "result": more}}]},
    )
    config = config_of(tmp_path / "c.yaml", script)
    assert call("mcp__s__echo", {"text": "x"}, config=config)["ok"] is True
    again = [json.loads(line) for line in log.read_bytes().splitlines()][-1]
    check(again, "2026-07-28")
    assert again["params"]["requestState"] == "opaque"
    assert again["params"]["inputResponses"] == {
        "roots": {"roots": [{"uri": f"file://{workspace}"}]},
        "sure": {"action": "cancel"},
    }
