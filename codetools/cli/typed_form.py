"""What a call says in a model's words, said as a person types it: calls, options and commands to go on with."""

import json
import re
import shlex
from typing import Any

from codetools.cli.listing import every_command
from codetools.cli.reference import Command, Parameter
from codetools.core.errors import Failure
from codetools.core.outcome import Outcome

_CALL = re.compile(r"(?:A valid call: )?\b([a-z]+(?:[_ ][a-z]+){0,2}) (?=\{)")
_APART = r"(?<![\w./'\"-]){}(?![\w./'\"-])"  # a word by itself, no part of a name or of what is quoted


def as_typed(outcome: Outcome) -> Outcome:
    """Return the outcome with its notices and its hint in the words of the command line."""
    failure = outcome.failure
    said = [*(notice.message for notice in outcome.notices), failure.hint if failure is not None else ""]
    is_bug = failure is not None and failure.kind == "internal"  # then nothing is imported that it may have broken
    if is_bug or not any("_" in text or "{" in text for text in said):
        return outcome
    own = _command(outcome.tool)
    notices = tuple(notice.but(message=_typed(notice.message, own)) for notice in outcome.notices)
    if failure is not None and failure.hint:
        hint = _typed(failure.hint, own)
        failure = Failure(failure.kind, failure.message, hint, failure.details, failure.data, failure.text)
    return outcome.but(notices=notices, failure=failure)


def _typed(text: str, own: Command | None) -> str:
    found, place = "", 0
    while call := _CALL.search(text, place):
        try:
            arguments, end = json.JSONDecoder().raw_decode(text, call.end())
        except ValueError:
            break
        command = _command(call.group(1))
        line = _line(command, arguments) if command is not None else text[call.start() : end]
        prefix = "A valid call: " if line.startswith("codetools ") and call.group().startswith("A valid") else ""
        found += _words(text[place : call.start()], own) + prefix + line
        place = end
    return found + _words(text[place:], own)


def _words(text: str, own: Command | None) -> str:
    """Return a text with the names of options and tools as they are typed; a plain word is left alone."""
    if "_" not in text:
        return text
    for option in own.options if own is not None else ():
        if "_" in option.name and option.name in text:
            text = re.sub(_APART.format(option.name), option.spellings[-1], text)
    for one in every_command():
        if "_" in one.tool and one.tool in text:
            text = re.sub(_APART.format(one.tool), " ".join(("codetools", *one.words)), text)
    return text


def _command(name: str) -> Command | None:
    return next((one.reference() for one in every_command() if name in (one.tool, " ".join(one.words))), None)


def _line(command: Command, arguments: dict[str, Any]) -> str:
    """Return the command line of a call, or where to read what it takes if the call is none."""
    rest = dict(arguments)
    placed: list[str] = []
    for argument in command.arguments:
        if argument.name not in rest:
            if argument.is_required:
                return f"See: {command.name} --help"
            break
        value = rest.pop(argument.name)
        placed += map(str, value) if isinstance(value, list) else (_text(value),)
    options = [word for option in command.options if option.name in rest for word in _option(option, rest)]
    if any(word.startswith("-") for word in placed):
        return shlex.join((*command.name.split(), *options, "--", *placed))
    return shlex.join((*command.name.split(), *placed, *options))


def _option(option: Parameter, rest: dict[str, Any]) -> list[str]:
    """Return the words of an option that says what is given, and take that from the rest."""
    value = rest[option.name]
    if option.fills == "flag" and isinstance(value, bool):
        del rest[option.name]
        return [option.spellings[-1]] if value else []
    if option.fills != "value":
        return []
    del rest[option.name]
    values = value if option.repeats and isinstance(value, list) else [value]
    return [word for one in values for word in (option.spellings[-1], _text(one))]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
