"""From a settings file's bytes to checked values; every problem says file, line, column and the nearest name."""

from collections.abc import Collection
from typing import Any, Literal

from codetools.config.rules import parse_rule
from codetools.config.settings import RULE_LISTS, McpServer, Settings
from codetools.config.source import Layer
from codetools.config.strict import Place, parse_strict
from codetools.core.errors import Failure
from codetools.core.load import load
from codetools.core.record import Record
from codetools.core.shape import Field, Shape, fields_of
from codetools.core.suggest import nearest

_WANTED = {
    "string": "text",
    "path": "a path",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "choice": "one of",
    "list": "a list",
    "object": "a mapping",
}
_TYPES: dict[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "list": (list,),
    "object": (dict,),
}


def parse_settings(content: bytes, path: str, layer: Layer, known_tools: Collection[str]) -> dict[str, Any]:
    """Return the settings that a file gives, as JSON types, `null` ones left out; raise `config`."""
    values, place = parse_strict(content, path)
    if values is None:
        return {}
    checked = _check_record(values, place, Settings, "", path)
    if layer == "allowed" and (others := sorted(set(checked) - set(RULE_LISTS))):
        message = (
            f"{_at(path, place.inner[others[0]])}: '{others[0]}' has no place in this file, which codetools keeps."
        )
        raise Failure("config", message, "Write it into config.yaml beside it.")
    if name := checked.get("encoding"):
        _require_encoding(name, _at(path, place.inner["encoding"]))
    for name in RULE_LISTS:
        effect: Literal["allow", "deny"] = "allow" if name == "allowed_tools" else "deny"
        for number, text in enumerate(checked.get(name, ())):
            parse_rule(text, effect, _at(path, place.inner[name].inner[number]), known_tools)
    return checked


def _check_record(values: Any, place: Place, record: type[Record], prefix: str, path: str) -> dict[str, Any]:
    if not isinstance(values, dict):
        what = f"'{prefix.rstrip('.')}' holds" if prefix else "the file holds"
        raise Failure("config", f"{_at(path, place)}: {what} {_kind(values)}, not settings of the form 'name: value'.")
    fields = {field.name: field for field in fields_of(record)}
    checked: dict[str, Any] = {}
    for key, value in values.items():
        at = place.inner[key]
        field = fields.get(key)
        if field is None:
            near = nearest(key, list(fields))
            hint = f"Did you mean '{prefix}{near}'?" if near else f"Known: {', '.join(fields)}."
            raise Failure("config", f"{_at(path, at)}: unknown setting '{prefix}{key}'.", hint)
        if value is None:
            continue
        if key == "mcp" and not prefix:
            checked[key] = _check_servers(value, at, path)
        elif field.shape.kind == "record":
            checked[key] = _check_record(value, at, field.shape.record, f"{prefix}{key}.", path)
        else:
            checked[key] = _check_value(value, at, record, field, prefix, path)
    return checked


def _check_servers(values: Any, place: Place, path: str) -> dict[str, Any]:
    """Return the servers by name; `name` is not written inside one."""
    from codetools.config.servers import check_names, check_server

    checked: dict[str, Any] = {}
    for name, server in check_names(values, place, path).items():
        at = place.inner[name]
        if isinstance(server, dict) and "name" in server:
            raise Failure("config", f"{_at(path, at.inner['name'])}: unknown setting 'mcp.{name}.name'.")
        found = _check_record(server, at, McpServer, f"mcp.{name}.", path)
        check_server(name, found, at, path)
        checked[name] = found
    return checked


def _check_value(value: Any, at: Place, record: type[Record], field: Field, prefix: str, path: str) -> Any:
    name = f"{prefix}{field.name}"
    _require(value, field.shape, name, _at(path, at))
    for number, item in enumerate(value if isinstance(value, list) else ()):
        inner = _at(path, at.inner[number])
        _require(item, field.shape.items, f"entry {number + 1} of {name}", inner)
        if not item or "\n" in item or "\0" in item:
            raise Failure("config", f"{inner}: entry {number + 1} of {name} is empty or holds a line break.")
        if field.name == "roots" and not item.startswith(("/", "~/")):
            raise Failure("config", f"{inner}: the root '{item}' is not absolute.", "Write /DIR, ~/DIR, or either :ro.")
    try:
        load(record, {field.name: value}, name)
    except Failure as failure:
        problems = "; ".join(failure.details.get("problems", [failure.message]))
        raise Failure("config", f"{_at(path, at)}: {problems}.") from None
    return value


def _require_encoding(name: str, where: str) -> None:
    from codetools.core.codec import MARKED, codec_named, plain

    try:
        if plain(name) not in MARKED:
            codec_named(name)
    except Failure as failure:
        raise Failure("config", f"{where}: encoding: {failure.message}", failure.hint) from None


def _require(value: Any, shape: Shape, name: str, where: str) -> None:
    if isinstance(value, bool) == (shape.kind == "boolean") and isinstance(value, _TYPES.get(shape.kind, (str,))):
        return
    wanted = _WANTED[shape.kind] + (f" {', '.join(shape.choices)}" if shape.choices else "")
    hint = "Quote it." if shape.kind == "string" and isinstance(value, int | float) else ""
    hint = "Put it in brackets: [...]." if shape.kind == "list" and not isinstance(value, dict) else hint
    raise Failure("config", f"{where}: {name} is {_kind(value)}, not {wanted}.", hint)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text '{value if len(value) <= 60 else value[:60] + '…'}'"
    return {dict: "a mapping", list: "a list", type(None): "nothing"}.get(type(value), f"the number {value}")


def _at(path: str, place: Place) -> str:
    return f"{path}:{place.line}:{place.column}"
