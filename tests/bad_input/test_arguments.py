"""Arguments that are missing, unknown, of the wrong type or no JSON: `usage`, with what is wrong and a valid call."""

from pathlib import Path
from typing import Any

import pytest

from codetools.core.errors import Failure
from codetools.core.shape import Field, Shape, fields_of
from codetools.core.tool import Tool
from tests.bad_input.doors import (
    TOOLS,
    answered,
    command_line,
    each_tool,
    refused,
    run,
    spoken,
    through_call,
    untouched,
    valid,
)
from tests.cli.typed import CODETOOLS, typed

FIELDS = [(tool, field) for tool in TOOLS for field in fields_of(tool.params)]
REQUIRED = [(tool, field) for tool, field in FIELDS if field.is_required]
each_field = pytest.mark.parametrize(("tool", "field"), FIELDS, ids=[f"{tool.name}.{one.name}" for tool, one in FIELDS])
each_required = pytest.mark.parametrize(
    ("tool", "field"), REQUIRED, ids=[f"{tool.name}.{field.name}" for tool, field in REQUIRED]
)


def wrong_values(shape: Shape) -> list[Any]:
    """Return JSON values that are not of a type, and cannot be taken for it."""
    values: dict[str, list[Any]] = {
        "string": [["a"], {"a": 1}],
        "path": [7, ["a"], {"a": 1}, "nul\0.txt", ""],
        "integer": ["many", 1.5, True, [1], {}, 10**400, "", "NaN"],
        "number": ["long", [1], {}, True, "", "Infinity"],
        "boolean": ["perhaps", 7, [True], {}, ""],
        "choice": ["no_such_choice", 7, ["content"], ""],
        "list": [{"a": 1}, [{"a": 1}]],
    }
    return values[shape.kind]


@each_required
def test_a_missing_argument_is_named_with_a_valid_call(tool: Tool, field: Field, files: Path):
    arguments = {name: value for name, value in valid(tool).items() if name != field.name}
    with untouched(files):
        answer = refused(tool, arguments, "usage")
    assert f"missing '{field.name}'" in answer.line or f"missing {field.name}" in answer.line
    assert answer.document["error"]["details"]["missing"] == [field.name]
    assert tool.load(answer.document["error"]["details"]["example"])


@each_tool
def test_an_unknown_argument_is_named(tool: Tool, files: Path):
    with untouched(files):
        answer = refused(tool, {**valid(tool), "wibble": "1"}, "usage")
    assert "wibble" in answer.line


@each_field
def test_a_misspelt_argument_is_answered_with_the_nearest_name(tool: Tool, field: Field, files: Path):
    misspelt = f"{field.name}z"
    with pytest.raises(Failure, match=f"'{misspelt}' .did you mean '{field.name}'"):
        tool.load({**valid(tool), misspelt: "1"})
    if not field.arg.positional:
        done = typed(*command_line(tool, {**valid(tool), misspelt: "1"}, "--yolo"))
        assert (
            f"Did you mean --{field.name.replace('_', '-')}?" in spoken(done.exit_code, done.stdout, done.stderr).line
        )


@each_field
def test_a_value_of_another_type_is_refused(tool: Tool, field: Field, files: Path):
    with untouched(files):
        for value in wrong_values(field.shape):
            with pytest.raises(Failure, match=field.name) as refusal:
                tool.load({**valid(tool), field.name: value})
            assert refusal.value.kind == "usage", value
            assert refusal.value.message.isprintable()


@each_tool
def test_one_wrong_value_and_the_whole_call_is_refused(tool: Tool, files: Path):
    field = fields_of(tool.params)[0]
    with untouched(files):
        answer = through_call(tool, {**valid(tool), field.name: {"a": 1}}, "--yolo")
    assert (answer.kind, field.name in answer.line) == ("usage", True)


@each_field
def test_a_typed_value_of_another_type_is_refused(tool: Tool, field: Field, files: Path):
    words = {"integer": ["many", "1.5", "", "9" * 400], "number": ["long", "", "nan", "inf"], "path": ["", "nul\0.txt"]}
    with untouched(files):
        for word in words.get(field.shape.kind, []):
            done = typed(*command_line(tool, {**valid(tool), field.name: word}, "--yolo"))
            assert spoken(done.exit_code, done.stdout, done.stderr).code == 2, (word, done.stderr)


@each_tool
@pytest.mark.parametrize("text", ["{", "[]"])
def test_arguments_of_every_tool_are_a_json_object(tool: Tool, text: str, files: Path):
    with untouched(files):
        answer = answer_to(tool, text)
    assert f"codetools call {tool.name} '" in answer["text"] or "not a JSON object" in answer["text"]


@pytest.mark.parametrize(
    "text",
    ["{'file_path': 'a.txt'}", "null", "7", '"text"', "{} {}", '{"a": NaN}', "\0", "\udcff{}", "\ufeff[", "9" * 5000],
)
def test_what_is_no_json_object_is_a_usage_error(text: str, files: Path):
    with untouched(files):
        answer_to(TOOLS[0], text)


def test_a_model_reads_what_was_wrong_and_how_to_do_it_right(files: Path):
    answer = through_call(TOOLS[0], {})
    assert answer.document["text"] == answer.line


def answer_to(tool: Tool, text: str) -> dict[str, Any]:
    done = run([str(CODETOOLS), "call", tool.name, "--yolo"], input=text)
    answer = answered(done)
    assert answer.kind == "usage"
    return answer.document
