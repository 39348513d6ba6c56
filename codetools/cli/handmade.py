"""The commands that are no tools: the path of a module below `cli/commands/` is the words of its command."""

import os
from collections.abc import Callable
from typing import Any

from codetools.cli.reference import Command, output_parameters, parameters_of
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.engine.options import Options, StagingOptions
from codetools.render.terminal import Terminal

COMMANDS_PACKAGE = "codetools.cli.commands."
COMMANDS_DIRECTORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "commands")
WHERE = ("root", "directory", "add_dir", "config")


class Handmade(Record):
    """One command written by hand. `run` takes (params, options) and returns a result; `options` are those it uses.

    `calls` is for one that is a call of a tool: which engine makes it, of which tool, with which arguments.
    `takes_tool` is for a command that goes on with the name of a tool and that tool's own arguments, `prints` is False
    for one that does so itself. `takes` declares the options, `form` gives what a person gets to see of a result that
    is not laid out like others.
    """

    words: tuple[str, ...]
    summary: str
    description: str
    params: type[Record]
    run: Callable[[Any, Options], Result]
    examples: tuple[str, ...]
    options: tuple[str, ...]
    takes_tool: bool = False
    prints: bool = True
    form: Callable[[Any, Terminal], str] | None = None
    takes: type[Options] = StagingOptions
    calls: Callable[[Any, Options], tuple[Any, str, dict[str, Any]]] | None = None

    def reference(self) -> Command:
        """Return what help, parsing, man page and completions are made from."""
        own = parameters_of(self.params, self.takes, only=self.options)
        taken = {spelling for parameter in own for spelling in (*parameter.spellings, *parameter.also)}
        every = (*own, *(output_parameters(False, taken) if self.prints else ()))
        return Command(self.words, " ".join(self.words), self.summary, every, self.examples, self.description)


def handmade(
    *,
    examples: tuple[str, ...],
    options: tuple[str, ...] = (),
    takes_tool: bool = False,
    prints: bool = True,
    form: Callable[[Any, Terminal], str] | None = None,
    takes: type[Options] = StagingOptions,
    calls: Callable[[Any, Options], tuple[Any, str, dict[str, Any]]] | None = None,
) -> Callable[[Callable[[Any, Options], Any]], Handmade]:
    """Make a command of a function `(params, options) -> result`; its docstring is its summary and description."""

    def declare(function: Callable[[Any, Options], Any]) -> Handmade:
        summary, _, description = (function.__doc__ or "").strip().partition("\n")
        words = tuple(function.__module__.removeprefix(COMMANDS_PACKAGE).split("."))
        return Handmade(
            words=words,
            summary=summary,
            description=" ".join(description.split()),
            params=function.__annotations__["params"],
            run=function,
            examples=examples,
            options=options,
            takes_tool=takes_tool,
            prints=prints,
            form=form,
            takes=takes,
            calls=calls,
        )

    return declare


def handmade_words() -> tuple[tuple[str, ...], ...]:
    """Return the words of every command written by hand, without importing one."""
    return tuple(sorted(_modules(COMMANDS_DIRECTORY, ())))


def find_handmade(words: tuple[str, ...]) -> Handmade | None:
    """Import the one command of these words, or return None."""
    if words not in handmade_words():
        return None
    module = __import__(COMMANDS_PACKAGE + ".".join(words), fromlist=["*"])
    return next(value for value in vars(module).values() if isinstance(value, Handmade))


def _modules(directory: str, words: tuple[str, ...]) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.startswith(("_", ".")):
                continue
            if entry.is_dir():
                found += _modules(entry.path, (*words, entry.name))
            elif entry.name.endswith(".py"):
                found.append((*words, entry.name[:-3]))
    return found
