"""The rules of each provider that its published types miss, as walkers over an exported schema."""

import re
from collections.abc import Iterator
from typing import Any

COMMON_KEYWORDS = {
    "type", "description", "enum", "items", "properties", "required",
    "additionalProperties", "minimum", "maximum", "default", "anyOf",
}  # fmt: skip
GEMINI_KEYWORDS = {
    "any_of", "default", "description", "enum", "example", "format", "items", "maxItems", "minItems", "maxLength",
    "minLength", "maxProperties", "minProperties", "maximum", "minimum", "nullable", "pattern", "properties",
    "propertyOrdering", "required", "title", "type",
}  # fmt: skip
STRICT_MOST_PROPERTIES = 5000
STRICT_MOST_LEVELS = 10
STRICT_MOST_NAME_CHARS = 120_000
STRICT_MOST_ENUM_VALUES = 1000
COMMON_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")
PROPERTY_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")

Placed = tuple[str, dict[str, Any], int]


def walk(schema: dict[str, Any], place: str = "$", level: int = 1) -> Iterator[Placed]:
    """Yield every schema below and with this one, where it stands, and how deep in objects."""
    yield place, schema, level
    for name, found in schema.get("properties", {}).items():
        yield from walk(found, f"{place}.{name}", level + 1)
    if isinstance(schema.get("items"), dict):
        yield from walk(schema["items"], f"{place}[]", level)
    for number, found in enumerate(schema.get("anyOf", ())):
        yield from walk(found, f"{place}|{number}", level)


def name_problems(name: str) -> list[str]:
    return [] if COMMON_NAME.fullmatch(name) else [f"name {name!r}"]


def common_problems(schema: dict[str, Any]) -> list[str]:
    """What OpenAI, Anthropic or MCP refuses of a root schema, or reads differently from one another."""
    problems = [] if schema.get("type") == "object" else ["$: the root is no object"]
    problems += [f"$: {word} at the root" for word in ("oneOf", "anyOf", "allOf", "enum", "not") if word in schema]
    for place, found, _ in walk(schema):
        problems += [f"{place}: {word}" for word in found if word not in COMMON_KEYWORDS]
        problems += type_problems(place, found)
        problems += [f"{place}: property {name!r}" for name in found.get("properties", ()) if not _is_property(name)]
        missing = set(found.get("required", ())) - set(found.get("properties", ()))
        problems += [f"{place}: required but not declared: {sorted(missing)}"] if missing else []
    return problems


def type_problems(place: str, schema: dict[str, Any]) -> list[str]:
    problems = []
    if "anyOf" in schema:
        kinds = [found.get("type") for found in schema["anyOf"]]
        if "type" in schema or len(kinds) != 2 or kinds[1] != "null":
            problems.append(f"{place}: anyOf is not one type or null")
    elif not isinstance(schema.get("type"), str):
        problems.append(f"{place}: no single type")
    if schema.get("type") == "array" and not isinstance(schema.get("items"), dict):
        problems.append(f"{place}: an array without items")
    if not all(isinstance(value, str) for value in schema.get("enum", ())):
        problems.append(f"{place}: an enum value that is no string")
    return problems


def strict_problems(schema: dict[str, Any]) -> list[str]:
    problems = []
    places = list(walk(schema))
    for place, found, level in places:
        if found.get("type") == "object":
            if found.get("additionalProperties") is not False:
                problems.append(f"{place}: additionalProperties is not false")
            if found.get("required") != list(found.get("properties", {})):
                problems.append(f"{place}: not every property is required")
        if "default" in found:
            problems.append(f"{place}: default")
        if level > STRICT_MOST_LEVELS:
            problems.append(f"{place}: {level} levels")
    names = [name for _, found, _ in places for name in found.get("properties", ())]
    values = [value for _, found, _ in places for value in found.get("enum", ())]
    if len(names) > STRICT_MOST_PROPERTIES or len(values) > STRICT_MOST_ENUM_VALUES:
        problems.append(f"$: {len(names)} properties, {len(values)} enum values")
    if sum(map(len, names + values)) > STRICT_MOST_NAME_CHARS:
        problems.append("$: names and enum values are too long")
    return problems


def gemini_problems(schema: dict[str, Any]) -> list[str]:
    problems = []
    for place, found, _ in walk(schema):
        problems += [f"{place}: {word}" for word in found if word not in GEMINI_KEYWORDS]
        problems += type_problems(place, found)
        if found.get("type") == "object" and not found.get("properties"):
            problems.append(f"{place}: an object without properties")
    return problems


def _is_property(name: str) -> bool:
    return PROPERTY_NAME.fullmatch(name) is not None
