"""What a harness may rely on in an envelope, as a JSON Schema 2020-12 of it."""

from typing import Any

from codetools.core.errors import EXIT_CODES
from codetools.core.outcome import Change, Image, Notice
from codetools.core.record import Record
from codetools.core.schema import output_schema

SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def envelope_schema(data: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the schema of an envelope; `data` is the output schema of one tool, else any object.

    Fields are only added within a version, so unknown ones are allowed.
    """
    properties: dict[str, Any] = {
        "v": {"const": 1},
        "ok": {"type": "boolean"},
        "tool": {"type": "string"},
        "text": {"type": "string"},
        "data": {"anyOf": [data or {"type": "object"}, {"type": "null"}]},
        "error": _error_schema(),
        "changes": _list_of(Change),
        "changed": {"type": "boolean"},
        "dry_run": {"type": "boolean"},
        "undo": {"type": ["string", "null"]},
        "notices": _list_of(Notice),
        "images": _list_of(Image),
        "duration_ms": {"type": "integer", "minimum": 0},
        "cwd": {"type": "string"},
        "cwd_b64": {"type": "string"},
    }
    return {
        "$schema": SCHEMA_DIALECT,
        "title": "codetools envelope",
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in ("error", "cwd_b64")],
        "if": {"properties": {"ok": {"const": False}}},
        "then": {"required": ["error"]},
        "else": {"properties": {"error": False}},
    }


def _error_schema() -> dict[str, Any]:
    approval = {
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "expires": {"type": ["string", "number"]},
            "operation": {"type": "string"},
            "preview": {"type": "string"},
            "suggested_rule": {"type": ["string", "null"]},
        },
        "required": ["id", "expires", "operation", "preview", "suggested_rule"],
    }
    return {
        "type": "object",
        "properties": {
            "kind": {"enum": list(EXIT_CODES)},
            "message": {"type": "string"},
            "hint": {"type": "string"},
            "details": {"type": "object", "properties": {"approval": approval}},
        },
        "required": ["kind", "message", "hint", "details"],
    }


def _list_of(record: type[Record]) -> dict[str, Any]:
    return {"type": "array", "items": output_schema(record)}
