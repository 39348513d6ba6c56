"""JSON Schema of a Record, in the subset that every provider accepts."""

from typing import Any

from codetools.core.record import MISSING, Record
from codetools.core.shape import Field, Shape, fields_of

_TYPES = {"string": "string", "path": "string", "integer": "integer", "number": "number", "boolean": "boolean"}


def input_schema(record: type[Record], *, model_only: bool = True) -> dict[str, Any]:
    """Return the schema of a tool's arguments; `model_only` leaves out what a model rarely needs."""
    fields = [field for field in fields_of(record) if field.arg.model or not model_only]
    return _object(fields, {field.name: _property(field, with_default=True) for field in fields})


def output_schema(record: type[Record]) -> dict[str, Any]:
    """Return the schema of a result's data, as `load.dump` writes it."""
    properties: dict[str, Any] = {}
    fields = fields_of(record)
    for field in fields:
        properties[field.name] = _output(field)
        if field.shape.kind == "path":
            properties[f"{field.name}_b64"] = {"type": "string"}
    return _object(list(fields), properties)


def _object(fields: list[Field], properties: dict[str, Any]) -> dict[str, Any]:
    required = [field.name for field in fields if field.is_required]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _property(field: Field, *, with_default: bool) -> dict[str, Any]:
    schema = _type(field.shape)
    if field.arg.help:
        schema["description"] = field.arg.help
    if field.arg.minimum is not None:
        schema["minimum"] = _number(field.arg.minimum, field.shape)
    if field.arg.maximum is not None:
        schema["maximum"] = _number(field.arg.maximum, field.shape)
    if with_default and field.default not in (MISSING, None, (), "", False):
        schema["default"] = field.default
    return schema


def _number(value: float, shape: Shape) -> float:
    return int(value) if shape.kind == "integer" else value


def _output(field: Field) -> dict[str, Any]:
    schema = _type(field.shape, output=True)
    if field.shape.optional:
        schema = {"anyOf": [schema, {"type": "null"}]}
    if field.arg.help:
        schema["description"] = field.arg.help
    return schema


def _type(shape: Shape, *, output: bool = False) -> dict[str, Any]:
    if shape.kind == "choice":
        return {"type": "string", "enum": list(shape.choices)}
    if shape.kind == "list":
        return {"type": "array", "items": _type(shape.items, output=output)}
    if shape.kind == "record":
        return output_schema(shape.record) if output else input_schema(shape.record)
    if shape.kind == "object":
        return {"type": "object"}
    if shape.kind == "any":
        return {}
    return {"type": _TYPES[shape.kind]}
