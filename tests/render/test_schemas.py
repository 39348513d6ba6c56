"""Every provider's own types, and the rules that they miss, accept what is exported."""

import copy
import json
from typing import Any

import jsonschema
import mcp_types
import pytest
from anthropic.types import ToolParam
from google.genai import types as gemini_types
from jsonschema import Draft202012Validator
from mcp_types import _v2025_11_25, _v2026_07_28
from openai.lib._pydantic import _ensure_strict_json_schema
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import TypeAdapter

from codetools.core.dump import dump
from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.path import Path
from codetools.engine.built_in import BUILT_IN
from codetools.render.schemas import FORMATS, export, export_text
from tests.render.schema_rules import common_problems, gemini_problems, name_problems, strict_problems, walk
from tests.render.tools import DESCRIPTION, SAMPLES, Done, Point

JSON_FORMATS = [name for name in FORMATS if name != "markdown"]


def exported(name: str) -> Any:
    """The samples first, then every tool that there is."""
    tools = (*SAMPLES, *((tool, BUILT_IN.description(tool, Limits())) for tool in BUILT_IN.all()))
    return json.loads(export_text(tools, name))


def test_openai_chat():
    for tool in exported("openai"):
        accept_exactly(ChatCompletionFunctionToolParam, tool)
        assert common_problems(tool["function"]["parameters"]) == []
        assert name_problems(tool["function"]["name"]) == []


def test_openai_responses_says_that_it_is_not_strict():
    for tool in exported("openai-responses"):
        accept_exactly(FunctionToolParam, tool)
        assert tool["strict"] is False
        assert common_problems(tool["parameters"]) == []


def test_openai_strict_is_what_the_sdk_would_make_of_it():
    for tool in exported("openai-strict"):
        accept_exactly(ChatCompletionFunctionToolParam, tool)
        assert tool["function"]["strict"] is True
        parameters = tool["function"]["parameters"]
        assert common_problems(parameters) == []
        assert strict_problems(parameters) == []
        assert _ensure_strict_json_schema(copy.deepcopy(parameters), path=(), root=parameters) == parameters


def test_openai_strict_lets_null_stand_for_every_default():
    parameters = exported("openai-strict")[0]["function"]["parameters"]
    optional = dict.fromkeys(parameters["properties"])
    edit = {"old_string": "a", "new_string": "b", "replace_all": None, "points": None}
    arguments = {**optional, "file_path": "a.py", "edits": [edit]}
    jsonschema.validate(arguments, parameters)
    loaded = SAMPLES[0][0].load(arguments)
    assert loaded.params == SAMPLES[0][0].load({"file_path": "a.py", "edits": edit | {"points": []}}).params
    assert loaded.repairs == ()


def test_openai_strict_says_defaults_and_free_objects_in_words():
    properties = exported("openai-strict")[0]["function"]["parameters"]["properties"]
    assert properties["limit"] == {
        "anyOf": [{"type": "integer", "minimum": 1, "maximum": 5000}, {"type": "null"}],
        "description": "Lines to show. Default: 2000.",
    }
    assert properties["ratio"]["description"] == "How alike; default a half."
    assert properties["extra"] == {
        "anyOf": [{"type": "string"}, {"type": "null"}],
        "description": "Anything. A JSON object, as a string.",
    }
    assert SAMPLES[0][0].load({"file_path": "a", "edits": [], "extra": '{"a": 1}'}).params.extra == {"a": 1}


def test_anthropic():
    for tool in exported("anthropic"):
        accept_exactly(ToolParam, tool)
        assert tool["input_schema"]["type"] == "object"
        assert common_problems(tool["input_schema"]) == []
        assert name_problems(tool["name"]) == []


def test_anthropic_pays_for_no_keyword_that_tells_a_model_nothing():
    text = export_text(SAMPLES, "anthropic")
    assert "additionalProperties" not in text
    assert '"required":[]' not in text
    whole, brief = (json.loads(export_text(SAMPLES, name))[0] for name in ("openai", "anthropic"))
    without = json.loads(json.dumps(whole["function"]["parameters"]).replace(', "additionalProperties": false', ""))
    assert brief["input_schema"] == without


def test_gemini():
    document = exported("gemini")
    accepted = gemini_types.Tool.model_validate(document)
    names = [found.name for found in accepted.function_declarations or ()]
    assert names == ["change", "look", *(tool.name for tool in BUILT_IN.all())]
    for declaration in document["functionDeclarations"]:
        gemini_types.FunctionDeclaration.model_validate(declaration)
        assert name_problems(declaration["name"]) == []
        if "parameters" in declaration:
            assert gemini_problems(declaration["parameters"]) == []
            schema = gemini_types.JSONSchema.model_validate(declaration["parameters"])
            gemini_types.Schema.from_json_schema(json_schema=schema, raise_error_on_unsupported_field=True)


def test_gemini_gets_no_parameters_where_there_are_none():
    assert exported("gemini")["functionDeclarations"][1] == {"name": "look", "description": "Looks around."}


@pytest.mark.parametrize("revision", [_v2025_11_25, _v2026_07_28])
def test_mcp(revision: Any):
    for tool in exported("mcp"):
        mcp_types.Tool.model_validate(tool)
        revision.Tool.model_validate(tool)
        assert set(tool) == {"name", "title", "description", "inputSchema", "outputSchema", "annotations"}
        assert common_problems(tool["inputSchema"]) == []
        assert tool["outputSchema"]["type"] == "object"
        assert set(tool["annotations"]) == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
        assert all(isinstance(value, bool) for value in tool["annotations"].values())


def test_mcp_output_schema_fits_what_a_result_dumps_to():
    schema = exported("mcp")[0]["outputSchema"]
    Draft202012Validator.check_schema(schema)
    for result in (Done(Path("a")), Done(Path("\udce9"), (Point(1), Point(2, "before")), {"x": [1]})):
        Draft202012Validator(schema).validate(dump(result))


def test_json_is_one_titled_schema_per_tool_with_every_argument():
    for schema in exported("json"):
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        Draft202012Validator.check_schema(schema)
    change = exported("json")[0]
    assert (change["title"], change["description"]) == ("change", DESCRIPTION)
    assert "encoding" in change["properties"]
    Draft202012Validator(change).validate(SAMPLES[0][0].example())


@pytest.mark.parametrize("name", JSON_FORMATS)
def test_only_json_names_what_a_model_need_not_pay_for(name: str):
    assert ('"encoding"' in export_text(SAMPLES, name)) == (name == "json")


@pytest.mark.parametrize("name", ["openai", "openai-responses", "mcp", "json"])
def test_every_object_of_known_arguments_is_closed(name: str):
    for element in export(SAMPLES, name):
        holder = element.get("function", element)
        schema = holder.get("parameters") or holder.get("inputSchema") or holder
        closed = [found["additionalProperties"] for _, found, _ in walk(schema) if "properties" in found]
        assert closed
        assert not any(closed)


@pytest.mark.parametrize("name", FORMATS)
def test_export_leaves_the_declaration_alone(name: str):
    before = json.dumps(SAMPLES[0][0].input_schema())
    assert export_text(SAMPLES, name) == export_text(SAMPLES, name)
    assert json.dumps(SAMPLES[0][0].input_schema()) == before


def test_markdown_lists_every_argument_with_its_type_and_bounds():
    text = export_text(SAMPLES, "markdown")
    assert text.startswith(f"## change\n\n{DESCRIPTION}\n\n- `file_path` (string, required): File to change.\n")
    assert '\n- `mode` ("content" | "files", default "content"): What to return.\n' in text
    assert "\n- `limit` (integer, at least 1, at most 5000, default 2000): Lines to show.\n" in text
    assert "\n- `edits` (list of object, required): Edits, in order.\n  - `old_string` (string, required)" in text
    assert "\n    - `line` (integer, required, at least 1): Line number.\n" in text
    assert text.endswith("\n## look\n\nLooks around.\n\nNo arguments.\n")


def test_text_is_compact_unless_a_person_reads_it():
    assert "\n" not in export_text(SAMPLES, "anthropic")[:-1]
    assert json.loads(export_text(SAMPLES, "anthropic", indent=True)) == export(SAMPLES, "anthropic")


def test_an_unknown_format_names_the_known_ones():
    with pytest.raises(Failure, match="'yaml' is not a schema format") as caught:
        export(SAMPLES, "yaml")
    assert caught.value.hint == f"Formats: {', '.join(FORMATS)}."


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ({"type": "object", "properties": {"a": {"type": "array"}}}, "$.a: an array without items"),
        ({"type": "object", "properties": {"a": {"type": ["string", "null"]}}}, "$.a: no single type"),
        ({"type": "object", "properties": {"a": {"const": 1, "type": "integer"}}}, "$.a: const"),
        ({"type": "object", "properties": {"a": {"enum": [1], "type": "integer"}}}, "$.a: an enum value"),
        ({"type": "object", "properties": {"a b": {"type": "string"}}}, "$: property 'a b'"),
        ({"type": "object", "properties": {}, "required": ["x"]}, "$: required but not declared: ['x']"),
        ({"type": "object", "anyOf": []}, "$: anyOf at the root"),
        ({"properties": {}}, "$: the root is no object"),
    ],
)
def test_the_walker_sees_what_the_types_miss(schema: dict[str, Any], problem: str):
    assert any(found.startswith(problem) for found in common_problems(schema))


def accept_exactly(kind: Any, document: dict[str, Any]) -> None:
    """Fail unless the provider's type takes the document and keeps every key of it."""
    assert json.loads(json.dumps(TypeAdapter(kind).validate_python(copy.deepcopy(document)))) == document
