"""Rules that every tool and every command keeps."""

import json
from pathlib import Path

import pytest

from codetools.cli.catalogue import catalogue
from codetools.cli.reference import Command
from codetools.core.limits import Limits
from codetools.core.record import MISSING
from codetools.core.shape import Field, fields_of
from codetools.core.tool import Tool
from codetools.engine.built_in import BUILT_IN, TOOLS_DIRECTORY

REPOSITORY = Path(__file__).parent.parent
TOOLS = BUILT_IN.all()
COMMANDS = catalogue().commands
LEAST_WORDS, MOST_WORDS = 20, 120
MOST_HELP_CHARS = 90
# the words of find(1), understood and not shown
OF_FIND = "name iname type size newer newermt older maxdepth mindepth empty regex mtime mmin print0 follow"
FOREIGN = tuple(f"-{word}" for word in OF_FIND.split())

each_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
each_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command.words))


@each_tool
def test_the_path_of_a_tool_is_its_name_its_command_and_its_test(tool: Tool):
    place = Path(*tool.words)
    assert tool.module == "codetools.tools." + ".".join(tool.words)
    assert tool.name == "_".join(tool.words)
    assert (Path(TOOLS_DIRECTORY) / place).with_suffix(".py").is_file()
    assert (REPOSITORY / "tests" / "tools" / place.parent / f"test_{place.name}.py").is_file()
    assert (REPOSITORY / "man" / f"codetools-{'-'.join(tool.words)}.1").is_file()
    assert BUILT_IN.find(tool.name) is tool


@each_tool
def test_the_description_is_short_and_has_its_limits_filled_in(tool: Tool):
    assert (Path(TOOLS_DIRECTORY) / Path(*tool.words)).with_suffix(".md").is_file()
    text = BUILT_IN.description(tool, Limits())
    assert LEAST_WORDS <= len(text.split()) <= MOST_WORDS, len(text.split())
    assert "{" not in text


@each_tool
def test_the_description_changes_with_the_limits(tool: Tool):
    lowered = Limits(**{field.name: field.arg.minimum or field.default for field in fields_of(Limits)})
    raw = (Path(TOOLS_DIRECTORY) / Path(*tool.words)).with_suffix(".md").read_text()
    assert ("{" in raw) == (BUILT_IN.description(tool, lowered) != BUILT_IN.description(tool, Limits()))


@each_tool
def test_the_summary_is_one_sentence(tool: Tool):
    assert tool.summary.endswith(".")
    assert len(tool.summary) <= MOST_HELP_CHARS


@each_tool
def test_every_argument_says_what_it_is(tool: Tool):
    for field in _all_fields(tool):
        assert field.arg.help.endswith("."), field.name
        assert len(field.arg.help) <= MOST_HELP_CHARS, field.name


@each_tool
def test_examples_of_a_tool_are_two_of_its_command_lines(tool: Tool):
    assert len(tool.examples) == 2
    for example in tool.examples:
        assert f"codetools {' '.join(tool.words)}" in example


@each_tool
def test_the_example_call_loads(tool: Tool):
    assert tool.load(json.loads(json.dumps(tool.example()))).repairs == ()


@each_tool
def test_defaults_load_as_themselves(tool: Tool):
    given = tool.example()
    for field in fields_of(tool.params):
        if field.default not in (MISSING, None):
            loaded = tool.load({**given, field.name: json.loads(json.dumps(field.default))})
            assert getattr(loaded.params, field.name) == field.default, field.name


@each_tool
def test_names_and_aliases_of_arguments_are_one_each(tool: Tool):
    names = [name for field in fields_of(tool.params) for name in (field.name, *field.arg.aliases)]
    assert len(names) == len(set(names))


def test_names_and_aliases_of_tools_are_one_each():
    names = [name for tool in TOOLS for name in (tool.name, *tool.aliases)]
    assert len(names) == len(set(names))


@each_tool
def test_effects_agree_with_each_other(tool: Tool):
    effects = tool.effects
    assert not (effects.read_only and (effects.destructive or effects.stages))
    assert not (effects.stages and effects.open_world)


@each_tool
def test_a_tool_can_be_found_by_what_it_is_for(tool: Tool):
    assert len(tool.search_hint.split()) >= 2


@each_command
def test_no_option_of_a_command_is_given_twice(command: Command):
    spellings = [one for option in command.options for one in (*option.spellings, *option.also)]
    assert len(spellings) == len(set(spellings))
    for spelling in spellings:
        is_foreign = spelling in FOREIGN and any(spelling in option.also for option in command.options)
        is_short = len(spelling) == 2 and spelling[1].isalnum()
        assert (spelling.startswith("--") and len(spelling) > 3) or is_short or is_foreign


@each_command
def test_only_the_last_argument_takes_several_words(command: Command):
    assert not any(argument.repeats or argument.takes_rest for argument in command.arguments[:-1])
    required = [argument.is_required for argument in command.arguments]
    assert required == sorted(required, reverse=True)


@each_command
def test_every_parameter_of_a_command_is_explained(command: Command):
    for parameter in command.parameters:
        assert parameter.help.endswith("."), parameter.name


def _all_fields(tool: Tool) -> list[Field]:
    found: list[Field] = []
    for field in fields_of(tool.params):
        shape = field.shape.items if field.shape.kind == "list" else field.shape
        found += [field, *(fields_of(shape.record) if shape.kind == "record" else ())]
    return found
