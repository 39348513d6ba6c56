"""The MCP server as a client meets it, in both eras."""

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.calls import call
from tests.cli.typed import typed
from tests.serve.client import HANDSHAKE, STATELESS, Client, text

Connect = Callable[..., Client]
FORM = {"elicitation": {}}
WRITE = {"file_path": "new.txt", "content": "x\n"}


@pytest.fixture
def connect(workspace: Path) -> Iterator[Connect]:
    clients: list[Client] = []

    def made(*options: str, **how: Any) -> Client:
        clients.append(Client(*options, **how))
        return clients[-1]

    yield made
    for client in clients:
        client.process.kill()
        client.process.communicate()


@pytest.fixture(params=[HANDSHAKE, STATELESS])
def era(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), ("2026-07-28", "2025-11-25"), ("1999", "2025-11-25")],
)
def test_the_handshake_settles_on_a_revision_that_both_know(connect: Connect, asked: str, spoken: str):
    client = connect()
    hello = {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    assert client.request("initialize", hello)["protocolVersion"] == spoken


def test_a_stateless_client_discovers_the_server(connect: Connect):
    found = connect(era=STATELESS).request("server/discover")
    assert found["supportedVersions"] == [STATELESS]
    assert found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "codetools"


def test_a_revision_that_is_not_spoken_is_refused_with_those_that_are(connect: Connect):
    client = connect()
    meta = {"io.modelcontextprotocol/protocolVersion": "2030-01-01", "io.modelcontextprotocol/clientCapabilities": {}}
    answer = client.answer_to(client.ask("tools/list", {"_meta": meta}))
    assert (answer["error"]["code"], answer["error"]["data"]["supported"]) == (-32022, [STATELESS])


def test_the_list_is_what_the_schema_command_prints(connect: Connect, era: str):
    some = json.loads(typed("tools", "schema", "--format", "mcp", "--active").stdout)
    every = json.loads(typed("tools", "schema", "--format", "mcp").stdout)
    assert connect(era=era).request("tools/list")["tools"] == some
    assert connect("--all", era=era).request("tools/list")["tools"] == every


def test_a_search_for_tools_changes_the_list_and_the_client_is_told(connect: Connect):
    client = connect()
    before = [tool["name"] for tool in client.request("tools/list")["tools"]]
    assert "undo" not in before
    client.call("tools_search", {"query": "undo", "limit": 1})
    assert client.hear()["method"] == "notifications/tools/list_changed"
    assert [tool["name"] for tool in client.request("tools/list")["tools"]] == sorted([*before, "undo"])


def test_a_denied_tool_is_neither_listed_nor_known(connect: Connect, era: str):
    client = connect("--deny", "bash", era=era)
    assert "bash" not in [tool["name"] for tool in client.request("tools/list")["tools"]]
    answer = client.answer_to(client.ask("tools/call", {"name": "bash", "arguments": {"command": "ls"}}))
    assert answer["error"]["code"] == -32602


def test_a_read_only_server_lists_what_cannot_change_anything(connect: Connect):
    names = [tool["name"] for tool in connect("--read-only").request("tools/list")["tools"]]
    assert "write" not in names
    assert {"read", "grep"} <= set(names)


def test_a_call_gives_text_for_the_model_and_data_for_programs(connect: Connect, workspace: Path, era: str):
    (workspace / "a.txt").write_text("one\n")
    result = connect(era=era).call("read", {"file_path": "a.txt"})
    assert (text(result), result["isError"], result["structuredContent"]["content"]) == ("1\tone", False, "one\n")


def test_i2_a_call_gives_what_every_other_door_gives(connect: Connect, workspace: Path, era: str):
    (workspace / "a.txt").write_text("one\ntwo\n")
    client = connect(era=era)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("read", {"file_path": "a.txt"}),
        ("read", {"file_path": "none.txt"}),
        ("grep", {"pattern": "two"}),
        ("grep", {"pattern": "("}),
        ("ls", {}),
        ("edit", {"file_path": "a.txt", "old_string": "absent", "new_string": "x"}),
        ("read", {"offset": "many"}),
    ]
    for name, arguments in calls:
        here, there = call(name, arguments), client.call(name, arguments)
        assert (there["isError"], text(there)) == (not here["ok"], here["text"])
        assert there.get("structuredContent") == here["data"]
        kind = there["_meta"]["codetools/outcome"].get("error", {}).get("kind")
        assert kind == here.get("error", {}).get("kind")


def test_images_are_images(connect: Connect, workspace: Path, era: str):
    pixel = bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100"
        "c9fe92ef0000000049454e44ae426082"
    )
    (workspace / "a.png").write_bytes(pixel)
    result = connect(era=era).call("read", {"file_path": "a.png"})
    assert [(part["type"], part.get("mimeType")) for part in result["content"]] == [
        ("text", None), ("image", "image/png"),
    ]  # fmt: skip


def test_an_ask_without_a_form_is_an_error_whose_id_stands_where_no_model_reads(
    connect: Connect, workspace: Path, era: str
):
    result = connect(era=era).call("write", WRITE)
    approval = result["_meta"]["codetools/approval"]["id"]
    assert result["isError"]
    assert approval not in json.dumps({**result, "_meta": {**result["_meta"], "codetools/approval": None}})
    assert not (workspace / "new.txt").exists()


def test_an_ask_is_a_form_with_the_diff_and_an_acceptance_makes_the_call(connect: Connect, workspace: Path):
    client = connect(capabilities=FORM)
    client.form_answers = [{"action": "accept", "content": {"answer": "allow once"}}]
    result = client.call("write", WRITE)
    assert (result["isError"], (workspace / "new.txt").read_text()) == (False, "x\n")
    assert "+x" in client.forms[0]["message"]
    offered = client.forms[0]["requestedSchema"]["properties"]["answer"]["enum"]
    assert offered == ["allow once", "allow for this session", "always allow", "deny"]


@pytest.mark.parametrize(
    "answer",
    [
        {"action": "decline"},
        {"action": "cancel"},
        {"action": "accept"},
        {"action": "accept", "content": {"answer": "deny"}},
        {"action": "accept", "content": {"answer": "yes please"}},
    ],
)
def test_whatever_is_not_plainly_a_yes_is_a_no(connect: Connect, workspace: Path, answer: dict[str, Any]):
    client = connect(capabilities=FORM)
    client.form_answers = [answer]
    result = client.call("write", WRITE)
    assert (result["isError"], (workspace / "new.txt").exists()) == (True, False)
    assert result["_meta"]["codetools/outcome"]["error"]["kind"] == "denied"


def test_what_is_allowed_for_the_session_is_not_asked_again(connect: Connect, workspace: Path):
    client = connect(capabilities=FORM)
    client.form_answers = [{"action": "accept", "content": {"answer": "allow for this session"}}]
    assert not client.call("write", WRITE)["isError"]
    assert not client.call("write", {**WRITE, "content": "y\n"})["isError"]
    assert len(client.forms) == 1


def test_a_stateless_ask_comes_back_as_input_required_and_its_answer_makes_the_call_once(
    connect: Connect, workspace: Path
):
    client = connect(era=STATELESS, capabilities=FORM)
    asked = client.call("write", WRITE)
    assert (asked["resultType"], (workspace / "new.txt").exists()) == ("input_required", False)
    assert "+x" in asked["inputRequests"]["approval"]["params"]["message"]
    answers = {"approval": {"action": "accept", "content": {"answer": "allow once"}}}
    made = client.call("write", WRITE, inputResponses=answers, requestState=asked["requestState"])
    assert (made["isError"], (workspace / "new.txt").read_text()) == (False, "x\n")
    other = {**WRITE, "content": "other\n"}
    again = client.call("write", other, inputResponses=answers, requestState=asked["requestState"])
    assert again["isError"]
    assert (workspace / "new.txt").read_text() == "x\n"


def test_a_stateless_no_is_a_no(connect: Connect, workspace: Path):
    client = connect(era=STATELESS, capabilities=FORM)
    asked = client.call("write", WRITE)
    answers = {"approval": {"action": "decline"}}
    assert client.call("write", WRITE, inputResponses=answers, requestState=asked["requestState"])["isError"]
    assert not (workspace / "new.txt").exists()


@pytest.mark.parametrize("action", ["accept", "decline"])
def test_a_state_that_was_never_given_out_is_refused(connect: Connect, workspace: Path, action: str):
    client = connect(era=STATELESS, capabilities=FORM)
    asked = client.call("write", WRITE)
    more = {"inputResponses": {"approval": {"action": action}}, "requestState": asked["requestState"] + "x"}
    answer = client.answer_to(client.ask("tools/call", {"name": "write", "arguments": WRITE, **more}))
    assert answer["error"]["code"] == -32602
    assert not (workspace / "new.txt").exists()


def test_after_a_stateless_no_the_question_is_settled(connect: Connect, workspace: Path):
    client = connect(era=STATELESS, capabilities=FORM)
    state = client.call("write", WRITE)["requestState"]
    for action in ("decline", "accept"):
        answers = {"approval": {"action": action, "content": {"answer": "allow once"}}}
        assert client.call("write", WRITE, inputResponses=answers, requestState=state)["isError"]
    assert not (workspace / "new.txt").exists()


def test_a_ping_is_answered_while_a_call_runs(connect: Connect):
    client = connect("--yolo")
    long = client.ask("tools/call", {"name": "bash", "arguments": {"command": "sleep 1"}})
    began = time.monotonic()
    client.answer_to(client.ask("ping"))
    assert time.monotonic() - began < 0.9
    assert client.answer_to(long)["result"]["isError"] is False


def test_calls_that_only_look_run_beside_each_other(connect: Connect, workspace: Path):
    (workspace / "a.txt").write_text("one\n")
    client = connect()
    ids = [client.ask("tools/call", {"name": "read", "arguments": {"file_path": "a.txt"}}) for _ in range(30)]
    heard = {message["id"]: message for message in (client.hear() for _ in ids)}
    assert all(text(heard[id]["result"]) == "1\tone" for id in ids)


def test_a_cancelled_call_ends_its_processes_and_is_not_answered(connect: Connect, workspace: Path, era: str):
    client = connect("--yolo", era=era)
    command = "echo $$ > pid; exec sleep 83"
    long = client.ask("tools/call", {"name": "bash", "arguments": {"command": command}})
    until(lambda: (workspace / "pid").exists() and (workspace / "pid").read_text())
    pid = int((workspace / "pid").read_text())
    client.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": long}})
    client.call("ls", {})
    assert not os.path.exists(f"/proc/{pid}")
    assert long not in [message.get("id") for message in client.heard]


def test_a_long_call_reports_progress_to_a_client_that_wants_it(connect: Connect, workspace: Path, era: str):
    client = connect("--yolo", era=era)
    client.call("bash", {"command": "echo one; sleep 0.7; echo two; sleep 0.7"}, _meta={"progressToken": "t"})
    client.call("bash", {"command": "sleep 0.7"})
    told = [message["params"] for message in client.heard if message.get("method") == "notifications/progress"]
    assert {(params["progressToken"], params["message"]) for params in told} == {("t", "one"), ("t", "two")}
    counts = [params["progress"] for params in told]
    assert counts == sorted(set(counts))


def test_roots_narrow_the_workspace_and_never_widen_it(connect: Connect, workspace: Path, tmp_path: Path):
    (workspace / "sub").mkdir()
    (workspace / "sub" / "in.txt").write_text("in")
    (workspace / "out.txt").write_text("out")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "e.txt").write_text("e")
    client = connect(capabilities={"roots": {"listChanged": True}})
    client.roots = [workspace / "sub", tmp_path / "elsewhere"]
    assert text(client.call("read", {"file_path": "in.txt"})) == "1\tin"
    for path in (workspace / "out.txt", tmp_path / "elsewhere" / "e.txt"):
        assert client.call("read", {"file_path": str(path)})["isError"]
    client.roots = [workspace]
    client.say({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"})
    assert text(client.call("read", {"file_path": "out.txt"})) == "1\tout"
    client.roots = [tmp_path / "elsewhere"]
    client.say({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"})
    for path in (workspace / "out.txt", tmp_path / "elsewhere" / "e.txt"):
        assert client.call("read", {"file_path": str(path)})["isError"]


def test_nothing_but_protocol_reaches_standard_output(connect: Connect, workspace: Path):
    client = connect("--yolo")
    loud = "echo loud; echo louder >&2; cat /dev/stdin; echo sly > /proc/$PPID/fd/1 2>/dev/null; true"
    assert not client.call("bash", {"command": loud})["isError"]
    assert client.request("tools/list")["tools"]
    assert client.end()[0] == 0


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"junk", -32700),
        (b"\xff", -32700),
        (b"[]", -32600),
        (b"{}", -32600),
        (b'{"jsonrpc": "2.0", "id": [1], "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 9, "method": "no/such"}', -32601),
        (b'{"jsonrpc": "2.0", "id": 9, "method": "tools/call"}', -32602),
        (b'{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "nope"}}', -32602),
        (b'{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "ls", "arguments": []}}', -32602),
    ],
)
def test_what_is_no_request_is_an_error_and_not_the_end(connect: Connect, line: bytes, code: int):
    client = connect()
    client.say(line)
    assert client.hear()["error"]["code"] == code
    assert client.request("ping") == {}


def test_settings_that_change_change_the_list_and_the_client_is_told(connect: Connect, home: Path):
    client = connect()
    client.request("tools/list")
    settings = home / ".config" / "codetools" / "config.yaml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("denied_tools: [bash]\n")
    client.call("ls", {})
    assert client.hear()["method"] == "notifications/tools/list_changed"
    assert "bash" not in [tool["name"] for tool in client.request("tools/list")["tools"]]


def test_the_server_ends_with_its_client(connect: Connect, workspace: Path):
    client = connect("--yolo")
    assert client.end() == (0, b"")


def test_the_server_ends_soon_though_a_call_runs(connect: Connect, workspace: Path):
    client = connect("--yolo")
    client.ask("tools/call", {"name": "bash", "arguments": {"command": "echo $$ > pid; exec sleep 84"}})
    until(lambda: (workspace / "pid").exists() and (workspace / "pid").read_text())
    began = time.monotonic()
    assert client.end()[0] == 0
    assert time.monotonic() - began < 15
    assert not os.path.exists(f"/proc/{int((workspace / 'pid').read_text())}")


def test_i2_a_server_below_a_command_asks_nobody_and_is_held_to_that_command(connect: Connect, workspace: Path):
    (workspace / "a.txt").write_text("x")
    requests = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": HANDSHAKE, "capabilities": FORM}},
        {"id": 2, "method": "tools/call", "params": {"name": "write", "arguments": WRITE}},
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **request}) + "\n" for request in requests)
    (workspace / "lines").write_text(lines)
    outer = connect("--yolo")
    done = outer.call("bash", {"command": "codetools mcp serve < lines; codetools mcp serve --yolo < lines"})
    assert "elicitation/create" not in done["structuredContent"]["stdout"]
    assert "approval required" in done["structuredContent"]["stdout"]
    assert "--yolo is locked here" in done["structuredContent"]["stderr"]
    assert not (workspace / "new.txt").exists()


def until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)
