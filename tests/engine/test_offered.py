"""Of many tools a model is shown the core, what its session found, and the way to find more."""

import json
from pathlib import Path

from codetools.config.defaults import CORE_TOOLS
from tests.calls import call
from tests.cli.typed import typed

CORE = sorted([*CORE_TOOLS, "tools_search"])


def shown(*options: str) -> list[str]:
    done = typed("tools", "schema", "--format", "mcp", *options)
    return [tool["name"] for tool in json.loads(done.stdout)]


def test_a_new_session_is_shown_the_core_and_the_search(workspace: Path):
    assert shown("--active", "--session", "s") == CORE
    assert set(shown()) > set(CORE)
    assert shown("--all") == shown()


def test_what_the_session_found_is_shown_until_it_is_reset(workspace: Path):
    call("tools_search", {"query": "undo", "limit": 1}, session="s")
    assert shown("--active", "--session", "s") == sorted([*CORE, "undo"])
    assert shown("--active", "--session", "t") == CORE
    assert typed("tools", "activate", "history", "--session", "s").exit_code == 0
    assert shown("--active", "--session", "s") == sorted([*CORE, "undo", "history"])
    assert typed("tools", "reset", "--session", "s").exit_code == 0
    assert shown("--active", "--session", "s") == CORE


def test_up_to_a_number_of_tools_all_are_shown_and_there_is_nothing_to_search(workspace: Path, home: Path):
    settings = home / ".config" / "codetools" / "config.yaml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("tools: {shown: 100}\n")
    assert sorted([*shown("--active"), "tools_search"]) == shown()


def test_the_core_is_a_setting(workspace: Path, home: Path):
    settings = home / ".config" / "codetools" / "config.yaml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("tools: {core: [undo, '!bash']}\n")
    assert shown("--active") == sorted({*CORE, "undo"} - {"bash"})


def test_the_list_tells_source_effect_decision_and_state(workspace: Path):
    call("tools_search", {"query": "undo", "limit": 1}, session="s")
    done = typed("tools", "list", "--session", "s", "--deny", "grep", "--json")
    rows = {row["name"]: row for row in json.loads(done.stdout)["data"]["tools"]}
    assert {
        name: (row["state"], row["decision"]) for name, row in rows.items() if name in ("read", "grep", "undo")
    } == {
        "read": ("core", "allow"),
        "grep": ("hidden", "deny"),
        "undo": ("active", "ask"),
    }
    assert (rows["tree"]["state"], rows["bash"]["decision"], rows["bash"]["source"]) == ("hidden", "ask", "built in")


def test_a_tool_that_is_not_shown_can_be_called_all_the_same(workspace: Path):
    assert call("tree", {}, session="s")["ok"]
