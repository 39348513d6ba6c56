"""OpenAI's strict mode: every property is required, so what may be left out may be null instead."""

from typing import Any

from codetools.render.said import say_default, say_object


def strict_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an object schema that strict mode takes; a null argument means its default when it is loaded."""
    required = schema["required"]
    properties = {
        name: _strict(found) if name in required else _nullable(_strict(found))
        for name, found in schema["properties"].items()
    }
    return {**schema, "properties": properties, "required": list(properties), "additionalProperties": False}


def _strict(schema: dict[str, Any]) -> dict[str, Any]:
    schema = say_object(say_default(schema))
    if schema["type"] == "array":
        return {**schema, "items": _strict(schema["items"])}
    return strict_schema(schema) if schema["type"] == "object" else schema


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    described = {"description": schema["description"]} if "description" in schema else {}
    inner = {name: value for name, value in schema.items() if name != "description"}
    return {"anyOf": [inner, {"type": "null"}], **described}
