"""Rules over what every tool takes and returns: its schemas tell the truth, its examples are real command lines."""

import re
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from codetools.cli.catalogue import catalogue
from codetools.cli.command import MadeCommand
from codetools.cli.values import Given, refuse_missing
from codetools.core.record import Record
from codetools.core.shape import Field, fields_of
from codetools.core.tool import Tool
from codetools.engine.built_in import TOOLS_DIRECTORY
from tests.bad_input.doors import OLD, TOOLS, valid
from tests.calls import call
from tests.jobs import lay_job

LEAST_WORDS, MOST_WORDS = 25, 120
SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")

each_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
EXAMPLES = [(tool, example) for tool in TOOLS for example in tool.examples]


@pytest.fixture
def files(workspace: Path) -> Path:
    """A workspace in which the valid arguments of every tool do something, an undo included."""
    lay_job()
    (workspace / "b.txt").write_text("b\n")
    (workspace / "a.txt").write_text(OLD)
    assert call("write", {"file_path": "b.txt", "content": "bb\n"}, yolo=True)["changed"]
    return workspace


@each_tool
def test_a_result_is_what_its_schema_says(tool: Tool, files: Path):
    answer = call(tool.name, valid(tool), yolo=True)
    assert answer["ok"], answer
    schema = tool.output_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(answer["data"], schema)


@each_tool
def test_valid_arguments_are_valid_by_the_schema_and_wrong_ones_are_not(tool: Tool):
    schema = tool.input_schema(model_only=False)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(valid(tool), schema)
    for wrong in ({**valid(tool), "wibble": 1}, {name: {"a": 1} for name in tool.params.record_fields}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


@each_tool
def test_names_are_snake_case_and_every_result_field_has_a_type_of_the_closed_set(tool: Tool):
    names = [tool.name, *(field.name for record in (tool.params, tool.result) for field in all_fields(record))]
    assert [name for name in names if not SNAKE_CASE.fullmatch(name)] == []


@each_tool
def test_the_description_is_long_enough_to_choose_by(tool: Tool):
    text = (Path(TOOLS_DIRECTORY) / Path(*tool.words)).with_suffix(".md").read_text()
    assert LEAST_WORDS <= len(text.split()) <= MOST_WORDS


@pytest.mark.parametrize(("tool", "example"), EXAMPLES, ids=[example for _, example in EXAMPLES])
def test_an_example_is_a_command_line_that_loads(tool: Tool, example: str):
    reference = next(command for command in catalogue().commands if command.words == tool.words)
    found: list[Given] = []
    MadeCommand(reference, lambda given: found.append(given) or 0).main(
        command_words(example)[len(tool.words) :], standalone_mode=False
    )
    (given,) = found
    refuse_missing(reference, given)
    loaded = tool.load({**given.own, **dict.fromkeys(given.files, "text")})
    assert loaded.repairs == ()


def command_words(example: str) -> list[str]:
    """Return the words after `codetools`, up to a pipe or a redirection of the shell's."""
    words: list[str] = []
    lexer = shlex.shlex(example, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    every = list(lexer)
    for word in every[every.index("codetools") + 1 :]:
        if set(word) <= set("|<>&;"):
            break
        words.append(word)
    return words


def all_fields(record: type[Record]) -> list[Field]:
    found: list[Field] = []
    for field in fields_of(record):
        shape: Any = field.shape.items if field.shape.kind == "list" else field.shape
        found += [field, *(all_fields(shape.record) if shape.kind == "record" else ())]
    return found
