"""Gemini's subset of OpenAPI 3.0: one unknown keyword anywhere fails the whole request, so only known ones pass."""

from typing import Any

from codetools.render.said import say_default, say_object

KEPT = ("type", "description", "enum", "minimum", "maximum")


def gemini_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with Gemini's keywords alone; defaults and free objects are said in the description."""
    schema = say_object(say_default(schema))
    kept = {name: schema[name] for name in KEPT if name in schema}
    if schema["type"] == "array":
        kept["items"] = gemini_schema(schema["items"])
    if schema["type"] == "object":
        kept["properties"] = {name: gemini_schema(found) for name, found in schema["properties"].items()}
        if schema["required"]:
            kept["required"] = schema["required"]
    return kept
