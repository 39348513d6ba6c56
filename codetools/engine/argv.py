"""The options of `call` read by hand from their declaration; Typer would cost more than the call."""

from typing import Any, TypeVar

from codetools.core.errors import Failure
from codetools.core.load import load
from codetools.core.record import Record
from codetools.core.shape import Field, fields_of

R = TypeVar("R", bound=Record)


def split(argv: list[str], record: type[R], command: str) -> tuple[R, list[str]]:
    """Return the options in `argv` as a `record`, and the other words; raise `usage` for an unknown option."""
    names: dict[str, Field] = {}
    for field in fields_of(record):
        names[f"--{field.name.replace('_', '-')}"] = field
        if field.arg.short:
            names[f"-{field.arg.short}"] = field
    values: dict[str, Any] = {}
    words: list[str] = []
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        if word == "--":
            words += rest
            break
        if not word.startswith("-") or word == "-":
            words.append(word)
            continue
        name, joined, value = _option(word)
        if (found := names.get(name)) is None:
            raise Failure("usage", f"{command}: unknown option {name}{_near(name, names)}.")
        _take(values, found, name, value if joined else None, rest, command)
    try:
        return load(record, values, command).params, words
    except Failure as failure:  # a valid example would be one of arguments, not of options
        raise Failure(failure.kind, failure.message, f"See: codetools {command} --help", failure.details) from None


def _option(word: str) -> tuple[str, bool, str]:
    if word.startswith("--"):
        name, joined, value = word.partition("=")
        return name, bool(joined), value
    return word[:2], len(word) > 2, word[2:]


def _take(values: dict[str, Any], field: Field, name: str, value: str | None, rest: list[str], command: str) -> None:
    if field.shape.kind == "boolean":
        if value is not None:
            raise Failure("usage", f"{command}: {name} takes no value.")
        values[field.name] = True
        return
    if value is None:
        if not rest:
            raise Failure("usage", f"{command}: {name} needs a value.")
        value = rest.pop(0)
    if field.shape.kind == "list":
        values.setdefault(field.name, []).append(value)
    else:
        values[field.name] = value


def _near(name: str, names: dict[str, Field]) -> str:
    from codetools.core.suggest import nearest

    found = nearest(name, list(names))
    return f" (did you mean {found}?)" if found else f" (options: {', '.join(names)})"
