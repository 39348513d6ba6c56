"""The arguments of a server's tool, looked at lightly before they are sent: what is unmistakable is repaired and said.

Only the top of the schema is judged; the rest is the server's, which knows it better.
"""

import json
from typing import Any

from codetools.core.errors import Failure
from codetools.core.suggest import nearest

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}
_NAMES = {str: "a string", bool: "a boolean", int: "an integer", float: "a number", list: "a list", dict: "an object"}
MAX_SHOWN = 60


def read_arguments(schema: dict[str, Any], values: Any, tool: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the arguments and what was repaired; raise `usage` naming every problem at once."""
    repairs: list[str] = []
    if isinstance(values, str):
        values = _parsed(values)
        repairs.append("the arguments were a JSON string inside JSON")
    if not isinstance(values, dict):
        raise Failure("usage", f"{tool}: the arguments are no JSON object.")
    properties = schema.get("properties")
    known: dict[str, Any] = properties if isinstance(properties, dict) else {}
    required = schema.get("required")
    missing = [name for name in required if name not in values] if isinstance(required, list) else []
    problems = [f"missing {', '.join(repr(name) for name in missing)}"] if missing else []
    given: dict[str, Any] = {}
    for name, value in values.items():
        if name not in known and schema.get("additionalProperties") is False and "patternProperties" not in schema:
            near = nearest(name, list(known))
            hint = f"did you mean {near!r}?" if near else f"known: {', '.join(known) or 'none'}"
            problems.append(f"unknown argument {name[:MAX_SHOWN]!r} ({hint})")
            continue
        wanted = _types(known.get(name))
        if value is None and wanted and "null" not in wanted and name not in (required or ()):
            continue  # as strict mode leaves an argument out
        if wanted and not _is_of(value, wanted):
            parsed = _parsed(value) if isinstance(value, str) else None
            if parsed is None or not _is_of(parsed, wanted):
                problems.append(f"{name} is {_kind(value)}, not {' or '.join(wanted)}")
                continue
            repairs.append(f"{name} was a string; its content was read as JSON")
            value = parsed
        given[name] = value
    if problems:
        shown = json.dumps(example_arguments(schema))
        details = {"problems": problems, "missing": missing, "example": example_arguments(schema)}
        raise Failure("usage", f"{tool}: {'; '.join(problems)}.", f"A valid call: {tool} {shown}", details)
    return given, tuple(repairs)


def example_arguments(schema: dict[str, Any]) -> dict[str, Any]:
    """Return small arguments that have all that is required."""
    properties = schema.get("properties")
    required = schema.get("required")
    if not isinstance(properties, dict) or not isinstance(required, list):
        return {}
    return {name: _example(properties.get(name)) for name in required if isinstance(name, str)}


def _example(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return "text"
    for key in ("default", "const"):
        if key in schema:
            return schema[key]
    for key in ("enum", "examples"):
        if isinstance(schema.get(key), list) and schema[key]:
            return schema[key][0]
    kind = next(iter(_types(schema)), "string")
    small: dict[str, Any] = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}, "null": None}
    return small.get(kind, "text")


def _types(schema: Any) -> tuple[str, ...]:
    """Return the types that a property may have; nothing where that takes more than a look."""
    kind = schema.get("type") if isinstance(schema, dict) else None
    kinds = [kind] if isinstance(kind, str) else kind if isinstance(kind, list) else []
    return tuple(kinds) if all(isinstance(each, str) and each in _TYPES for each in kinds) else ()


def _is_of(value: Any, kinds: tuple[str, ...]) -> bool:
    if isinstance(value, bool):
        return "boolean" in kinds
    if isinstance(value, float) and value.is_integer() and "integer" in kinds:
        return True
    return any(isinstance(value, _TYPES[kind]) for kind in kinds)


def _kind(value: Any) -> str:
    return _NAMES.get(type(value), "null")


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
