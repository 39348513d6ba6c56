"""Tools as each provider wants them listed, one document per format."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from codetools.core.errors import Failure
from codetools.core.tool import Tool
from codetools.render.gemini import gemini_schema
from codetools.render.prompt import prompt_section
from codetools.render.strict import strict_schema

SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"

Described = tuple[Tool, str]  # a tool, and what a model is told about it


def export(tools: Sequence[Described], format: str) -> Any:
    """Return the document that `format` wants: JSON types, or a string for markdown.

    The lists are what a request takes as its `tools`; `gemini` is one element of such a list, `json` a list of schemas
    titled with the tool's name, with the arguments too that the other formats spare a model.
    """
    if format == "gemini":
        return {"functionDeclarations": [_gemini(tool, description) for tool, description in tools]}
    if format == "markdown":
        return "\n".join(prompt_section(tool, description) for tool, description in tools)
    if format not in _ELEMENTS:
        raise Failure("usage", f"{format!r} is not a schema format.", f"Formats: {', '.join(FORMATS)}.")
    return [_ELEMENTS[format](tool, description) for tool, description in tools]


def export_text(tools: Sequence[Described], format: str, *, indent: bool = False) -> str:
    """Return the document as text that ends with a line feed: compact, or indented for a person."""
    document = export(tools, format)
    if isinstance(document, str):
        return document if document.endswith("\n") else document + "\n"
    if indent:
        return json.dumps(document, indent=2) + "\n"
    return json.dumps(document, separators=(",", ":")) + "\n"


def _openai(tool: Tool, description: str) -> dict[str, Any]:
    function = {"name": tool.name, "description": description, "parameters": _input(tool)}
    return {"type": "function", "function": function}


def _openai_responses(tool: Tool, description: str) -> dict[str, Any]:
    # Responses makes a tool strict where `strict` is left out.
    return {
        "type": "function",
        "name": tool.name,
        "description": description,
        "parameters": _input(tool),
        "strict": False,
    }


def _openai_strict(tool: Tool, description: str) -> dict[str, Any]:
    parameters = strict_schema(_copy(tool.plain_schema()))
    function = {"name": tool.name, "description": description, "parameters": parameters, "strict": True}
    return {"type": "function", "function": function}


def _anthropic(tool: Tool, description: str) -> dict[str, Any]:
    schema = _brief(_input(tool))
    return {"name": tool.name, "description": description, "input_schema": schema}


def _gemini(tool: Tool, description: str) -> dict[str, Any]:
    declaration: dict[str, Any] = {"name": tool.name, "description": description}
    parameters = gemini_schema(_copy(tool.plain_schema()))
    if parameters.get("properties"):  # an object without properties is refused
        declaration["parameters"] = parameters
    return declaration


def _mcp(tool: Tool, description: str) -> dict[str, Any]:
    effects = tool.effects
    return {
        "name": tool.name,
        "title": tool.title,
        "description": description,
        "inputSchema": _input(tool),
        "outputSchema": _copy(tool.output_schema()),
        "annotations": {
            "readOnlyHint": effects.read_only,
            "destructiveHint": effects.destructive,
            "idempotentHint": effects.idempotent,
            "openWorldHint": effects.open_world,
        },
    }


def _json(tool: Tool, description: str) -> dict[str, Any]:
    schema = _copy(tool.input_schema(model_only=False))
    return {"$schema": SCHEMA_DIALECT, "title": tool.name, "description": description, **schema}


def _input(tool: Tool) -> dict[str, Any]:
    return _copy(tool.input_schema())


def _brief(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an object schema without what costs bytes and tells a model nothing; loading refuses strangers anyway."""
    schema = {name: value for name, value in schema.items() if name != "additionalProperties"}
    if not schema.get("required", True):
        del schema["required"]
    properties = {
        name: _brief(found) if _has_properties(found) else found for name, found in schema["properties"].items()
    }
    for found in properties.values():
        if isinstance(found, dict) and _has_properties(found.get("items")):
            found["items"] = _brief(found["items"])
    return {**schema, "properties": properties}


def _has_properties(schema: Any) -> bool:
    """Whether this is the schema of an object with known properties; somebody else's may be `true`, or anything."""
    return isinstance(schema, dict) and isinstance(schema.get("properties"), dict)


def _copy(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a copy in JSON's own types: a default may be a tuple or a Path."""
    copied: dict[str, Any] = json.loads(json.dumps(schema))
    return copied


_ELEMENTS: dict[str, Callable[[Tool, str], dict[str, Any]]] = {
    "openai": _openai,
    "openai-responses": _openai_responses,
    "openai-strict": _openai_strict,
    "anthropic": _anthropic,
    "mcp": _mcp,
    "json": _json,
}
FORMATS = ("openai", "openai-responses", "openai-strict", "anthropic", "gemini", "mcp", "json", "markdown")
