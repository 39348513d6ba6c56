"""From the words of a command line to the JSON values that every door loads: same errors, same repairs."""

from typing import Any

from codetools.cli.reference import Command, Parameter
from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.core.shape import Shape

MAX_DIGITS = 18


class Given(Record):
    """What was typed: `own` fills the params, `files` names files whose content does, `common` the options."""

    own: dict[str, Any]
    files: dict[str, str]
    common: dict[str, Any]


def gather(command: Command, typed: list[tuple[Parameter, Any]]) -> Given:
    """Sort what the parser found into the fields it fills; raise `usage` where two options fill one field.

    A word given by place fills the first argument that no option has filled: `edit FILE --old-string-file OLD NEW`.
    """
    own: dict[str, Any] = {}
    files: dict[str, str] = {}
    common: dict[str, Any] = {}
    filled_by: dict[str, Parameter] = {}
    words: list[str] = []
    for parameter, raw in typed:
        if parameter.fills == "argument":
            words.extend(raw if isinstance(raw, tuple) else (raw,))
            continue
        earlier = filled_by.setdefault(parameter.name, parameter)
        if earlier is not parameter:
            message = f"{earlier.spellings[-1]} and {parameter.spellings[-1]} both set the same; give one."
            raise Failure("usage", f"{' '.join(command.words)}: {message}")
        if parameter.fills == "file":
            files[parameter.name] = raw
        else:
            (common if parameter.group else own)[parameter.name] = _value(parameter, raw)
    _place(command, words, own, files)
    return Given(own, files, common)


def refuse_missing(command: Command, given: Given) -> None:
    """Raise `usage` where something that must be given was not, in the words of the command line."""
    absent = [
        parameter
        for parameter in command.parameters
        if parameter.is_required and parameter.name not in given.own and parameter.name not in given.files
    ]
    if not absent:
        return
    missing = [
        parameter.metavar.rstrip(".") if parameter.fills == "argument" else parameter.spellings[-1]
        for parameter in absent
    ]
    example = f", for example: {command.examples[0]}" if command.examples else ""
    message = f"{' '.join(command.words)}: missing {', '.join(missing)}."
    hint = f"Usage: {command.usage()}{example}"
    of_files = [one for one in command.parameters if one.fills == "file" and one.name == absent[0].name]
    if len(absent) == 1 and of_files and _is_piped_in():
        hint = f"To take it from standard input: {of_files[0].spellings[-1]} -. {hint}"
    raise Failure("usage", message, hint, {"missing": missing})


def _is_piped_in() -> bool:
    """Whether somebody put something on standard input: a pipe or a file, not a terminal or nothing."""
    import os
    import stat

    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)


def _place(command: Command, words: list[str], own: dict[str, Any], files: dict[str, str]) -> None:
    import shlex

    free = [argument for argument in command.arguments if argument.name not in own and argument.name not in files]
    for place, argument in enumerate(free):
        rest = words[place:]
        if not rest:
            return
        if argument.repeats:
            own[argument.name] = [_convert(argument.shape.items, word) for word in rest]
            return
        if argument.takes_rest:
            own[argument.name] = rest[0] if len(rest) == 1 else shlex.join(rest)
            return
        own[argument.name] = _convert(argument.shape, rest[0])
    extra = words[len(free) :]
    if extra:
        raise Failure(
            "usage", f"{' '.join(command.words)}: {extra[0]!r} is one word too many.", f"Usage: {command.usage()}"
        )


def _value(parameter: Parameter, raw: Any) -> Any:
    if parameter.fills == "choice":
        return parameter.value
    if parameter.fills in ("flag", "no_flag"):
        return parameter.fills == "flag"
    if parameter.repeats:
        return [_convert(parameter.shape.items, word) for word in raw]
    return _convert(parameter.shape, raw)


def _convert(shape: Shape, word: str) -> Any:
    """Return the JSON value a word stands for; one that cannot be read stays a string, which loading refuses."""
    if shape.kind == "integer":
        digits = word[1:] if word[:1] in ("+", "-") else word
        return int(word) if digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS else word
    if shape.kind == "number":
        return _number(word)
    if shape.kind in ("list", "record", "object"):
        return _parsed(word)
    return word


def _number(word: str) -> Any:
    try:
        number = float(word)
    except ValueError:
        return word
    return number if number - number == 0 else word


def _parsed(word: str) -> Any:
    import json

    try:
        return json.loads(word)
    except (ValueError, RecursionError):
        return word
