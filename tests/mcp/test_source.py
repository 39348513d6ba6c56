"""Servers' tools as tools of ours: listed without a start, decided on like others, asked about when they change."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from codetools.core.path import Path as OurPath
from codetools.engine.asking import Question
from codetools.engine.engine import start
from codetools.engine.options import Options
from codetools.render.schemas import FORMATS
from tests.calls import call
from tests.cli.typed import envelope, typed
from tests.mcp.scripted import ECHO, config_of, write_script


@pytest.fixture
def server(workspace: Path, tmp_path: Path) -> "Server":
    return Server(tmp_path)


class Server:
    """A scripted server, its settings, and whether it was started."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.config = directory / "c.yaml"
        self.log = directory / "log"
        self.script()
        self.settings()

    def script(self, **script: Any) -> None:
        write_script(self.directory / "s.json", log=str(self.log), **script)

    def settings(self, rules: str = '"mcp__s__*"', **more: Any) -> None:
        config_of(self.config, self.directory / "s.json", rules=rules, **more)

    def call(self, tool: str = "mcp__s__echo", arguments: Any = None, **options: Any) -> dict[str, Any]:
        return call(tool, arguments or {"text": "x"}, config=self.config, **options)

    def was_started(self) -> bool:
        return self.log.exists()

    def forget_start(self) -> None:
        self.log.unlink(missing_ok=True)


def test_what_was_listed_is_known_without_a_start(server: Server):
    assert server.call()["ok"] is True
    server.forget_start()
    listed = envelope("tools", "list", "--config", str(server.config))["data"]["tools"]
    assert "mcp__s__echo" in {row["name"] for row in listed}
    shown = envelope("tools", "show", "mcp_s_echo", "--config", str(server.config))["data"]
    assert shown["input_schema"] == ECHO["inputSchema"]
    done = typed("tools", "schema", "-f", "mcp", "mcp__s__echo", "--config", str(server.config))
    assert json.loads(done.stdout)[0]["description"] == "Say it again."
    assert not server.was_started()


@pytest.mark.parametrize("name", ["mcp__s__echo", "mcp_s_echo", "MCP__S__ECHO", "mcp--s--echo"])
@pytest.mark.parametrize("is_known", [True, False])
def test_a_tool_is_found_however_a_model_writes_it(name: str, is_known: bool, server: Server):
    if is_known:
        server.call()
    outcome = server.call(name)
    assert (outcome["ok"], outcome["tool"]) == (True, "mcp__s__echo")


def test_a_tool_is_asked_about_unless_a_rule_allows_it_and_nothing_starts(server: Server):
    server.settings(rules="")
    outcome = server.call()
    assert (outcome["error"]["kind"], outcome["exit"]) == ("approval_required", 75)
    approval = outcome["error"]["details"]["approval"]
    assert approval["operation"] == 'run mcp__s__echo {"text": "x"}'
    assert approval["suggested_rule"] == "mcp__s__echo"
    assert not server.was_started()
    assert server.call(approve=approval["id"])["ok"] is True
    assert server.call(approve=approval["id"])["error"]["kind"] == "denied"


def test_an_approval_is_for_these_arguments_only(server: Server):
    server.settings(rules="")
    approval = server.call()["error"]["details"]["approval"]["id"]
    other = server.call(arguments={"text": "y"}, approve=approval)
    assert "it is for another call" in other["text"]


@pytest.mark.parametrize("options", [{"deny": ("mcp__s__echo",)}, {"deny": ("mcp__s__*",)}, {"read_only": True}])
@pytest.mark.parametrize("is_known", [True, False])
def test_a_denied_tool_starts_nothing(options: dict, is_known: bool, server: Server):
    server.script(tools=[{**ECHO, "annotations": {"readOnlyHint": True, "openWorldHint": False}}])
    if is_known:
        server.call()
        server.forget_start()
    assert server.call(**options)["error"]["kind"] == "denied"
    assert not server.was_started()


def test_a_tool_denied_by_its_name_is_not_reached_by_another_spelling(server: Server):
    server.script(tools=[{**ECHO, "name": "do-it"}])
    for name in ("mcp__s__do_it", "mcp__s__do-it"):
        outcome = server.call(name, deny=("mcp__s__do-it",))
        assert outcome["error"]["kind"] == "denied"
        assert b"tools/call" not in (server.log.read_bytes() if server.was_started() else b"")


def test_annotations_never_make_a_decision_looser(server: Server):
    server.settings(rules="")
    server.script(tools=[{**ECHO, "annotations": {"readOnlyHint": True, "openWorldHint": False}}])
    server.call(yolo=True)
    assert server.call()["error"]["kind"] == "approval_required"
    assert server.call(read_only=True)["error"]["kind"] == "denied"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tools": [{**ECHO, "description": "Say it to everybody."}]}, "the description of the MCP tool changed"),
        ({"tools": [{**ECHO, "annotations": {"destructiveHint": True}}]}, "the annotations of the MCP tool changed"),
        (
            {"tools": [{**ECHO, "inputSchema": {"type": "object", "properties": {"key": {}}}}]},
            "the parameters of the MCP tool changed",
        ),
    ],
)
def test_a_tool_that_changes_is_asked_about_again_and_it_is_said_what_changed(change: dict, said: str, server: Server):
    assert server.call()["ok"] is True
    server.script(**change)
    server.forget_start()
    outcome = server.call()
    assert outcome["error"]["kind"] == "approval_required"
    assert said in outcome["text"]
    assert b"tools/call" not in server.log.read_bytes()
    approval = outcome["error"]["details"]["approval"]["id"]
    assert server.call(approve=approval)["ok"] is True
    assert server.call()["ok"] is True


@pytest.mark.parametrize(
    ("more", "said"), [({"env": {"A": "b"}}, "the env of the MCP tool"), ({"args": ["-c", "pass"]}, "the args of the")]
)
def test_a_server_that_is_started_otherwise_is_asked_about_again_before_it_is(more: dict, said: str, server: Server):
    assert server.call()["ok"] is True
    server.settings(**more)
    server.forget_start()
    outcome = server.call()
    assert outcome["error"]["kind"] == "approval_required"
    assert said in outcome["text"]
    assert not server.was_started()


def test_what_yolo_let_pass_was_not_allowed(server: Server):
    assert server.call()["ok"] is True
    server.script(tools=[{**ECHO, "description": "Other."}])
    assert server.call(yolo=True)["ok"] is True
    assert server.call()["error"]["kind"] == "approval_required"


def test_a_person_is_asked_with_the_arguments_in_hand(server: Server):
    server.settings(rules="")
    asked: list[Question] = []

    def say_yes(question: Question) -> Any:
        asked.append(question)
        return "once"

    assert server.call(asker=say_yes)["ok"] is True
    assert asked[0].operation == 'run mcp__s__echo {"text": "x"}'


def test_an_unknown_tool_names_the_nearest(server: Server):
    assert "Did you mean 'mcp__s__echo'?" in server.call("mcp__s__ecoh")["text"]
    assert "Did you mean 'mcp__s__echo'?" in server.call("mcp__s__ecoh")["text"]


def test_a_damaged_list_is_as_good_as_none(server: Server, home: Path):
    server.call()
    (kept,) = (home / ".local/state/codetools/mcp/lists").iterdir()
    for content in (b"", b"{", b"[]", kept.read_bytes().replace(b'"input_schema"', b'"x"')):
        kept.write_bytes(content)
        assert server.call()["ok"] is True


def test_a_project_that_is_not_trusted_starts_nothing_i1(workspace: Path, tmp_path: Path):
    server = Server(tmp_path)
    (workspace / ".codetools").mkdir()
    (workspace / ".codetools" / "config.yaml").write_text(server.config.read_text())
    for line in (("mcp", "tools"), ("mcp", "list"), ("tools", "list"), ("tools", "schema")):
        typed(*line)
    assert call("mcp__s__echo", {"text": "x"}, yolo=True)["error"]["kind"] == "usage"
    assert not server.was_started()


def test_other_servers_go_on_when_one_hangs(server: Server):
    write_script(server.directory / "bad.json", faults={"start": {"hang": 1000}})
    settings = json.loads(server.config.read_text().partition("mcp: ")[2])
    settings["bad"] = {**settings["s"], "timeout_seconds": 1.0}
    settings["bad"]["args"] = [*settings["s"]["args"][:-1], str(server.directory / "bad.json")]
    server.config.write_text(f"mcp: {json.dumps(settings)}\n")
    data = envelope("mcp", "tools", "--config", str(server.config))["data"]
    assert [row["name"] for row in data["tools"]] == ["mcp__s__echo"]
    assert "did not answer" in data["missing"][0]["why"]


def test_a_resident_engine_keeps_its_connection_and_makes_it_anew_when_it_dies(server: Server):
    from codetools.engine.call import call as engine_call

    server.script(faults={"tools/call": [{"exit": 1}]})
    engine = start(Options(config=OurPath(str(server.config))))
    try:
        assert engine_call(engine, "mcp__s__echo", {"text": "x"}).ok is False
        server.script()
        assert engine_call(engine, "mcp__s__echo", {"text": "x"}).ok is True
        server.forget_start()
        assert engine_call(engine, "mcp__s__echo", {"text": "y"}).text == '{"text": "y"}'
        assert server.log.read_bytes().count(b'"method"') == 1  # the call alone, on the connection there was
    finally:
        engine.close()


def test_a_call_that_is_cancelled_tells_the_server(server: Server):
    from codetools.engine.call import call as engine_call

    server.script(faults={"tools/call": {"answer": 1}})
    engine = start(Options(config=OurPath(str(server.config))))
    try:
        outcome = engine_call(
            engine,
            "mcp__s__echo",
            {"text": "x"},
            is_cancelled=lambda: server.log.exists() and b"tools/call" in server.log.read_bytes(),
        )
        assert outcome.failure is not None
        assert outcome.failure.kind == "interrupted"
    finally:
        engine.close()
    assert b'"notifications/cancelled"' in server.log.read_bytes()


def test_progress_reaches_whoever_listens(server: Server):
    from codetools.engine.call import call as engine_call

    said = {"jsonrpc": "2.0", "method": "notifications/progress"}
    params = {"progressToken": "ID", "progress": 1, "total": 4, "message": "a quarter"}
    server.script(faults={"tools/call": [{"say": {**said, "params": params}}, {"hang": 0.3}, {"go_on": 1}]})
    engine = start(Options(config=OurPath(str(server.config))))
    heard: list[Any] = []
    try:
        assert engine_call(engine, "mcp__s__echo", {"text": "x"}, progress=lambda *said: heard.append(said)).ok
    finally:
        engine.close()
    assert heard == [(1, 4, "a quarter")]


def test_threads_share_a_connection_and_get_their_own_answers(server: Server):
    from concurrent.futures import ThreadPoolExecutor

    from codetools.engine.call import call as engine_call

    engine = start(Options(config=OurPath(str(server.config))))
    try:
        with ThreadPoolExecutor(8) as pool:
            numbers = range(40)
            found = pool.map(lambda number: engine_call(engine, "mcp__s__echo", {"text": str(number)}).text, numbers)
            assert list(found) == [json.dumps({"text": str(number)}) for number in numbers]
    finally:
        engine.close()
    assert server.log.read_bytes().count(b"server/discover") == 1


WILD = {
    "properties": {
        "any": True,
        "free": {"type": "object"},
        "either": {"anyOf": [{"type": "null"}, {"type": "integer", "minimum": 1}]},
        "one": {"type": ["null", "string"], "enum": ["a", "b", None]},
        "known": {"$ref": "#/$defs/known"},
        "itself": {"$ref": "#/$defs/itself"},
        "list": {"type": "array"},
        "nested": {"type": "array", "items": {"properties": {"x": {"const": "y"}}}},
        "odd": {"type": "object", "properties": 7, "required": 8},
    },
    "required": ["known", "absent"],
    "$defs": {
        "known": {"type": "string", "description": "Known."},
        "itself": {"type": "object", "properties": {"again": {"$ref": "#/$defs/itself"}}},
    },
    "allOf": [{"minProperties": 1}],
}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"type": "object", **WILD}, WILD])
def test_any_schema_is_printed_for_every_provider(format: str, schema: dict, server: Server):
    server.script(tools=[{**ECHO, "inputSchema": schema}])
    assert typed("mcp", "tools", "--config", str(server.config)).exit_code == 0
    done = typed("tools", "schema", "-f", format, "mcp__s__echo", "--config", str(server.config))
    assert (done.exit_code, done.stderr) == (0, "")
    shown = typed("tools", "show", "mcp__s__echo", "--config", str(server.config))
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert "Say it again." in done.stdout


def test_a_call_of_another_tool_imports_nothing_of_it(server: Server, workspace: Path):
    (workspace / "a.txt").write_text("x")
    line = [sys.executable, "-X", "importtime", "-m", "codetools", "call", "read", '{"file_path": "a.txt"}']
    done = subprocess.run([*line, "--config", str(server.config)], capture_output=True, text=True, check=True)
    assert "codetools.engine.call" in done.stderr
    assert "codetools.mcp" not in done.stderr
