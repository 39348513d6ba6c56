"""From the JSON that a model writes to frozen params: what is unmistakable is repaired and said, the rest refused."""

from typing import Any, Generic, TypeVar

from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.shape import Field, Shape, fields_of

R = TypeVar("R", bound=Record)
MOST_EXAMPLE_CHARS = 500
Instead = tuple[tuple[str, str], ...]  # names that are known elsewhere (several in one string), what to do instead
MOST_NUMBER = (1 << 53) - 1  # up to here every JSON parser reads a whole number exactly


class Loaded(Generic[R]):
    """Params, and one sentence for each repair that was needed to read them."""

    def __init__(self, params: R, repairs: tuple[str, ...]) -> None:
        self.params = params
        self.repairs = repairs


class _Wrong(Exception):
    """One value that cannot be read; the message names what was found and what is wanted."""


def load(record: type[R], values: Any, what: str, instead: Instead = ()) -> Loaded[R]:
    """Read a JSON object into `record`; raise `usage` naming every problem at once. `what` is the tool or file."""
    repairs: list[str] = []
    values = _as_object(values, what, repairs)
    fields = fields_of(record)
    given, problems = _match_keys(fields, values, repairs, instead)
    missing = [field.name for field in fields if field.is_required and field.name not in given]
    if missing:
        problems.insert(0, f"missing {_names(missing)}")
    loaded: dict[str, Any] = {}
    for field in fields:
        if field.name in given:
            try:
                loaded[field.name] = _value(given[field.name], field, repairs)
            except _Wrong as wrong:
                problems.append(str(wrong))
    if problems:
        raise _usage(record, what, problems, missing, {name: given[name] for name in loaded})
    return Loaded(record(**loaded), tuple(repairs))


def said_instead(name: str, instead: Instead) -> str:
    """Return what to do instead of giving an argument that is known elsewhere, or nothing."""
    folded = _fold(name)
    return next((said for names, said in instead if folded in map(_fold, names.split())), "")


def example(record: type[Record]) -> dict[str, Any]:
    """Return small valid arguments: what is required, and what is declared as part of the example."""
    shown = (field for field in fields_of(record) if field.is_required or field.arg.example)
    return {field.name: _example_value(field.shape, field.arg.minimum) for field in shown}


def _usage(record: type[Record], what: str, problems: list[str], missing: list[str], good: dict[str, Any]) -> Failure:
    """Return the refusal with what was given well as its example, filled up with what was missing."""
    import json

    valid = {**example(record), **good}
    if len(json.dumps(valid)) > MOST_EXAMPLE_CHARS:
        valid = example(record)
    shown = json.dumps(valid)
    details = {"problems": problems, "missing": missing, "example": valid}
    return Failure("usage", f"{what}: {'; '.join(problems)}.", f"A valid call: {what} {shown}", details)


def _as_object(values: Any, what: str, repairs: list[str]) -> dict[str, Any]:
    if isinstance(values, str):
        values = _parsed(values)
        repairs.append("the arguments were a JSON string inside JSON")
    if not isinstance(values, dict):
        raise Failure("usage", f"{what}: the arguments are {_kind(values)}, not a JSON object.")
    return values


def _match_keys(
    fields: tuple[Field, ...], values: dict[str, Any], repairs: list[str], instead: Instead
) -> tuple[dict[str, Any], list[str]]:
    known = {name: field for field in fields for name in (field.name, *field.arg.aliases)}
    folded: dict[str, Field] = {}  # made for the first name that is not written as declared
    given: dict[str, Any] = {}
    written: dict[str, str] = {}
    problems: list[str] = []
    for key, value in values.items():
        field = known.get(key)
        if field is None:
            folded = folded or {_fold(name): field for name, field in known.items()}
            field = folded.get(_fold(key))
        if field is None and key.endswith("_b64") and (field := known.get(key[:-4])) and field.shape.kind == "path":
            value = _decoded_path(value)
        if field is None:
            problems.append(
                f"unknown argument {_quoted(key)}{_alternative(key, instead) or _nearest(key, list(known))}"
            )
        elif field.name in given:
            problems.append(f"{_quoted(key)} and {_quoted(written[field.name])} are the same argument, given twice")
        elif value is not None or (field.is_required and not field.shape.optional):
            given[field.name] = value
            written[field.name] = key
            if key != field.name and not key.endswith("_b64"):
                repairs.append(f"{_quoted(key)} was read as {_quoted(field.name)}")
    return given, problems


def _value(value: Any, field: Field, repairs: list[str]) -> Any:
    loaded = _convert(value, field.shape, field.name, repairs)
    if isinstance(loaded, int | float) and not isinstance(loaded, bool):
        low, high = field.arg.minimum, field.arg.maximum
        if low is not None and loaded < low:
            raise _Wrong(f"{field.name} is {loaded}; the least is {low:g}")
        if high is not None and loaded > high:
            raise _Wrong(f"{field.name} is {loaded}; the most is {high:g}")
    return loaded


def _convert(value: Any, shape: Shape, name: str, repairs: list[str]) -> Any:
    if value is None and shape.optional:
        return None
    if isinstance(value, str) and shape.kind in ("boolean", "integer", "number", "list", "record", "object"):
        parsed = _parsed(value.strip().lower() if shape.kind == "boolean" else value)
        if _is_meant(parsed, shape):
            repairs.append(f"{name} was a string; its content was read as JSON")
            value = parsed
    if shape.kind == "integer" and isinstance(value, float) and value.is_integer():
        value = int(value)
    if shape.kind == "string" and isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST_NUMBER:
        repairs.append(f"{name} was an integer; its digits were read as text")  # as of an id that we printed
        value = str(value)
    if shape.kind == "list":
        return _list(value, shape, name, repairs)
    if shape.kind == "record" and isinstance(value, dict):
        try:
            inner = load(shape.record, value, name)
        except Failure as failure:
            raise _Wrong(failure.message.rstrip(".")) from None
        repairs.extend(f"{name}: {repair}" for repair in inner.repairs)
        return inner.params
    if not _is_of(value, shape):
        raise _Wrong(f"{name} is {_kind(value)}, not {_wanted(shape)}{_near_choice(value, shape)}")
    if shape.kind in ("integer", "number") and not -MOST_NUMBER <= value <= MOST_NUMBER:  # nor is NaN
        raise _Wrong(f"{name} is no number between {-MOST_NUMBER} and {MOST_NUMBER}")
    if shape.kind in ("string", "path"):
        return _text(value, shape, name)
    return float(value) if shape.kind == "number" else value


def _is_meant(parsed: Any, shape: Shape) -> bool:
    """Whether what a string holds, read as JSON, is what it stands for: `12345678` in a list of ids is no number."""
    if shape.kind == "list" and shape.items.kind in ("string", "path", "choice"):
        return isinstance(parsed, list)
    return parsed is not None and not isinstance(parsed, str)


def _list(value: Any, shape: Shape, name: str, repairs: list[str]) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        if isinstance(value, dict) != (shape.items.kind == "record"):
            raise _Wrong(f"{name} is {_kind(value)}, not {_wanted(shape)}")
        repairs.append(f"{name} was one value; it was read as a list of one")
        value = [value]
    return tuple(_convert(item, shape.items, f"{name}[{number}]", repairs) for number, item in enumerate(value))


def _is_of(value: Any, shape: Shape) -> bool:
    if shape.kind == "choice":
        return value in shape.choices
    if shape.kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if shape.kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, {"boolean": bool, "object": dict, "record": dict}.get(shape.kind, str))


def _text(value: str, shape: Shape, name: str) -> str:
    if shape.kind == "path":
        if "\0" in value:
            raise _Wrong(f"{name} holds a NUL character, which no file name can")
        if not value:
            raise _Wrong(f"{name} is empty; '.' is the working directory")
    try:
        value.encode("utf-8", "surrogateescape" if shape.kind == "path" else "strict")
    except UnicodeEncodeError as error:
        raise _Wrong(f"{name} holds half a surrogate pair at character {error.start}") from None
    return Path(value) if shape.kind == "path" else value


def _decoded_path(value: Any) -> str:
    import base64
    import binascii

    try:
        return base64.b64decode(str(value), validate=True).decode("utf-8", "surrogateescape")
    except (binascii.Error, ValueError):
        return ""


def _parsed(text: str) -> Any:
    import json

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _fold(key: str) -> str:
    return key.replace("_", "").replace("-", "").lower()


def _nearest(key: str, names: list[str]) -> str:
    from codetools.core.suggest import nearest

    found = nearest(key, names)
    return f" (did you mean {_quoted(found)}?)" if found else f" (known: {', '.join(names)})"


def _alternative(key: str, instead: Instead) -> str:
    said = said_instead(key, instead)
    return f": {said}" if said else ""


def _near_choice(value: Any, shape: Shape) -> str:
    return _nearest(value, list(shape.choices)) if shape.kind == "choice" and isinstance(value, str) else ""


def _quoted(key: str) -> str:
    shown = key if len(key) <= 60 else key[:60] + "…"
    return "'" + shown.encode("unicode_escape").decode("ascii") + "'" if not shown.isprintable() else f"'{shown}'"


def _names(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, str):
        return f"the string {_quoted(value)}"
    names = {bool: "a boolean", int: "an integer", float: "a number", list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)


def _wanted(shape: Shape) -> str:
    if shape.kind == "choice":
        return "one of " + ", ".join(shape.choices)
    if shape.kind == "list":
        return f"a list of {_wanted(shape.items).removeprefix('a ').removeprefix('an ')}s"
    names = {"string": "a string", "path": "a path", "integer": "an integer", "number": "a number"}
    return names.get(shape.kind, "a boolean" if shape.kind == "boolean" else "an object")


def _example_value(shape: Shape, minimum: float | None) -> Any:
    if shape.kind == "list":
        return [_example_value(shape.items, None)]
    if shape.kind == "record":
        return example(shape.record)
    if shape.kind == "choice":
        return shape.choices[0]
    number = int(minimum or 1)
    values = {"path": "src/app.py", "integer": number, "number": number, "boolean": True, "object": {}}
    return values.get(shape.kind, "text")
