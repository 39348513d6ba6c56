"""Tools in Markdown, for the system prompt of a model that is given no schemas."""

import json
from typing import Any

from codetools.core.tool import Tool

INDENT = "  "


def prompt_section(tool: Tool, description: str) -> str:
    """Return a heading, the description and one list item per argument."""
    lines = [f"## {tool.name}", "", description.strip(), ""]
    lines += _arguments(tool.plain_schema(), "") or ["No arguments."]
    return "\n".join(lines) + "\n"


def _arguments(schema: dict[str, Any], indent: str) -> list[str]:
    lines = []
    for name, found in schema["properties"].items():
        facts = [_type(found), *(["required"] if name in schema["required"] else []), *_bounds(found)]
        description = f": {found['description']}" if "description" in found else ""
        lines.append(f"{indent}- `{name}` ({', '.join(facts)}){description}")
        inner = found.get("items", found)
        if "properties" in inner:
            lines += _arguments(inner, indent + INDENT)
    return lines


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if schema["type"] == "array":
        return f"list of {_type(schema['items'])}"
    return str(schema["type"])


def _bounds(schema: dict[str, Any]) -> list[str]:
    words = (("minimum", "at least"), ("maximum", "at most"), ("default", "default"))
    return [f"{word} {json.dumps(schema[name])}" for name, word in words if name in schema]
