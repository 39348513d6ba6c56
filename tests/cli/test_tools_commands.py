"""`tools list`, `show` and `schema`."""

import json
from pathlib import Path

import pytest

from codetools.engine.built_in import BUILT_IN
from codetools.render.schemas import FORMATS
from tests.cli.typed import envelope, typed


def test_list_names_every_tool_with_its_effects(workspace: Path):
    rows = {row["name"]: row for row in envelope("tools", "list")["data"]["tools"]}
    assert set(rows) == set(BUILT_IN.names())
    assert rows["read"]["read_only"] is True
    assert rows["edit"]["reversible"] is True
    assert len(typed("tools", "list").stdout.splitlines()) == len(rows)


def test_list_can_leave_out_what_changes_anything(workspace: Path):
    names = {row["name"] for row in envelope("tools", "list", "--read-only")["data"]["tools"]}
    assert names == {tool.name for tool in BUILT_IN.all() if tool.effects.read_only}


def test_allowed_leaves_out_what_a_bare_rule_denies(workspace: Path):
    names = {row["name"] for row in envelope("tools", "list", "--allowed", "--deny", "write")["data"]["tools"]}
    assert names == set(BUILT_IN.names()) - {"write"}
    kept = envelope("tools", "list", "--allowed", "--deny", "edit(src/**)")["data"]["tools"]
    assert "edit" in {row["name"] for row in kept}


def test_show_knows_aliases_and_gives_the_schemas(workspace: Path):
    shown = envelope("tools", "show", "read_file")["data"]
    assert shown["name"] == "read"
    assert shown["input_schema"]["required"] == ["file_path"]
    assert "properties" in shown["output_schema"]
    assert "codetools call read" in typed("tools", "show", "read").stdout


def test_show_of_no_tool_names_the_nearest(workspace: Path):
    done = typed("tools", "show", "raed")
    assert done.exit_code == 2
    assert "'read'" in done.stderr


@pytest.mark.parametrize("format", FORMATS)
def test_schema_prints_the_bare_document(format: str, workspace: Path):
    done = typed("tools", "schema", "--format", format, "read", "grep")
    assert (done.exit_code, done.stderr) == (0, "")
    if format == "markdown":
        assert done.stdout.startswith("#")
        assert "grep" in done.stdout
    else:
        document = json.loads(done.stdout)
        listed = document["functionDeclarations"] if format == "gemini" else document
        assert len(listed) == 2
        assert json.loads(typed("tools", "schema", "-f", format, "read", "grep", "--indent").stdout) == document


def test_schema_of_all_tools_and_of_those_that_only_read(workspace: Path):
    every = json.loads(typed("tools", "schema", "-f", "anthropic").stdout)
    reading = json.loads(typed("tools", "schema", "-f", "anthropic", "--read-only").stdout)
    assert [tool["name"] for tool in every] == list(BUILT_IN.names())
    assert "write" not in {tool["name"] for tool in reading}


def test_every_format_of_the_exporter_can_be_asked_for():
    from codetools.cli.commands.tools.schema import Params
    from codetools.core.shape import fields_of

    (field,) = [field for field in fields_of(Params) if field.name == "format"]
    assert field.shape.choices == FORMATS


def test_limits_in_force_stand_in_the_descriptions(workspace: Path, home: Path):
    settings = home / ".config" / "codetools"
    settings.mkdir(parents=True)
    (settings / "config.yaml").write_text("limits: {read_lines: 1234}\n")
    assert "1,234" in typed("tools", "schema", "-f", "markdown", "read").stdout
