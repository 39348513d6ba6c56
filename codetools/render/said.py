"""What a provider's schema has no keyword for is said in the description instead."""

import json
from typing import Any


def say_default(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with its default in words."""
    if "default" not in schema:
        return schema
    said = {name: value for name, value in schema.items() if name != "default"}
    if "default" in said.get("description", "").lower():
        return said
    return _said(said, f"Default: {json.dumps(schema['default'])}.")


def say_object(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an object of any content as a string of JSON, which loading reads as well."""
    if schema["type"] != "object" or "properties" in schema:
        return schema
    return _said({**schema, "type": "string"}, "A JSON object, as a string.")


def _said(schema: dict[str, Any], sentence: str) -> dict[str, Any]:
    return {**schema, "description": " ".join(filter(None, (schema.get("description", ""), sentence)))}
