"""A server's schema in the few keywords that every provider takes; what they cannot say is left to the server.

References within the schema are followed, of alternatives the first counts, and what has no type is a string.
"""

from typing import Any

MAX_DEPTH = 8
_TYPES = ("string", "integer", "number", "boolean", "array", "object")
_ALTERNATIVES = ("anyOf", "oneOf")


def plain_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an object schema of `type description enum default minimum maximum items properties required`.

    An object of any content has no properties there.
    """
    return _plain({"type": "object", **schema}, schema, 0)


def _plain(schema: Any, root: dict[str, Any], depth: int) -> dict[str, Any]:
    schema = _settled(schema, root, depth)
    kind = _type(schema)
    plain: dict[str, Any] = {"type": kind}
    if isinstance(schema.get("description"), str):
        plain["description"] = schema["description"]
    if kind == "object":
        found = _object(schema, root, depth)
        return {**plain, **found} if found["properties"] or depth == 0 else plain
    if kind == "array":
        return {**plain, "items": _plain(schema.get("items"), root, depth + 1)}
    choices = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if kind == "string" and isinstance(choices, list) and choices and all(isinstance(each, str) for each in choices):
        plain["enum"] = choices
    for key in ("minimum", "maximum"):
        if kind in ("integer", "number") and _is_number(schema.get(key)):
            plain[key] = schema[key]
    if isinstance(schema.get("default"), str | int | float):
        plain["default"] = schema["default"]
    return plain


def _object(schema: dict[str, Any], root: dict[str, Any], depth: int) -> dict[str, Any]:
    found = schema.get("properties")
    named = found.items() if isinstance(found, dict) and depth < MAX_DEPTH else ()
    properties = {name: _plain(inner, root, depth + 1) for name, inner in named}
    wanted = schema.get("required")
    required = [name for name in wanted if name in properties] if isinstance(wanted, list) else []
    return {"type": "object", "properties": properties, "required": required}


def _settled(schema: Any, root: dict[str, Any], depth: int) -> dict[str, Any]:
    """Return a schema without references and alternatives at its top."""
    for _ in range(MAX_DEPTH):
        if not isinstance(schema, dict) or depth >= MAX_DEPTH:
            return {}
        rest = {key: value for key, value in schema.items() if key not in ("$ref", "allOf", *_ALTERNATIVES)}
        if isinstance(schema.get("$ref"), str):
            schema = {**_referred(schema["$ref"], root), **rest}
            continue
        alternatives = next((schema[key] for key in _ALTERNATIVES if isinstance(schema.get(key), list)), None)
        if alternatives is not None:
            first = next((each for each in alternatives if isinstance(each, dict) and each.get("type") != "null"), {})
            schema = {**first, **rest}
            continue
        if isinstance(schema.get("allOf"), list):
            merged: dict[str, Any] = {}
            for each in schema["allOf"]:
                merged.update(each if isinstance(each, dict) else {})
            schema = {**merged, **rest}
            continue
        return schema
    return {}


def _referred(reference: str, root: dict[str, Any]) -> dict[str, Any]:
    found: Any = root
    for part in reference.removeprefix("#").strip("/").split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        found = (found.get(name) if isinstance(found, dict) else None) if name else found
    return found if isinstance(found, dict) else {}


def _type(schema: dict[str, Any]) -> str:
    kinds = schema.get("type")
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        if kind in _TYPES:
            return str(kind)
    if "properties" in schema:
        return "object"
    return "array" if "items" in schema else "string"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
