"""Which tools there are: an ordered list of sources, each of which loads one tool without loading the others."""

import os
from typing import TYPE_CHECKING

from codetools.core.dump import dump
from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.tool import TOOLS_PACKAGE, Tool

TOOLS_DIRECTORY = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools")


if TYPE_CHECKING:  # making a Protocol costs a tenth of a call
    from typing import Protocol

    class Source(Protocol):
        """A place that tools come from."""

        def words(self) -> tuple[tuple[str, ...], ...]:
            """Return the command words of every tool, without loading one."""

        def load(self, name: str) -> Tool | None:
            """Return the tool of exactly this name, or None."""

        def description(self, tool: Tool, limits: Limits) -> str | None:
            """Return what a model reads of a tool of this source, or None for a tool of another."""


class BuiltIn:
    """The tools of this package: the path of a module is the words of its command."""

    def words(self) -> tuple[tuple[str, ...], ...]:
        """Return the words of every module below `tools/`, sorted."""
        return tuple(sorted(_modules(TOOLS_DIRECTORY, ())))

    def load(self, name: str) -> Tool | None:
        """Import the one module that `name` stands for."""
        words = _words_of(name)
        if words is None:
            return None
        module_name = TOOLS_PACKAGE + ".".join(words)
        module = __import__(module_name, fromlist=["*"])
        for value in vars(module).values():
            if isinstance(value, Tool) and value.module == module_name:
                return value
        raise TypeError(f"{module_name} declares no tool")

    def description(self, tool: Tool, limits: Limits) -> str | None:
        """Return the `.md` beside the tool's module, with the limits in force filled in."""
        path = os.path.join(TOOLS_DIRECTORY, *tool.words) + ".md"
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read().strip()
        except FileNotFoundError:
            return None
        for limit, value in dump(limits).items():
            text = text.replace("{" + limit + "}", f"{value:,}" if isinstance(value, int) else f"{value:g}")
        return text


SOURCES: "tuple[Source, ...]" = (BuiltIn(),)


def command_words() -> tuple[tuple[str, ...], ...]:
    """Return the command words of every tool of every source, without importing one."""
    return tuple(words for source in SOURCES for words in source.words())


def tool_names() -> tuple[str, ...]:
    """Return the name of every tool, without importing one."""
    return tuple("_".join(words) for words in command_words())


def find(name: str) -> Tool:
    """Return the tool of this name or alias, however a model writes it; raise `usage` with the nearest name."""
    written, name = name, name.lower().replace("-", "_")
    for source in SOURCES:
        if tool := source.load(name):
            return tool
    for tool in all_tools():
        if name in tool.aliases:
            return tool
    from codetools.core.suggest import nearest

    near = nearest(name, [*tool_names(), *(alias for tool in all_tools() for alias in tool.aliases)])
    hint = f"Did you mean {near!r}?" if near else f"Tools: {', '.join(tool_names())}."
    raise Failure("usage", f"there is no tool {written!r}.", hint, {"tools": list(tool_names())})


def all_tools() -> tuple[Tool, ...]:
    """Return every tool, importing all of them."""
    tools = (source.load("_".join(words)) for source in SOURCES for words in source.words())
    return tuple(tool for tool in tools if tool)


def description(tool: Tool, limits: Limits) -> str:
    """Return what a model reads of a tool, with the limits in force."""
    texts = (source.description(tool, limits) for source in SOURCES)
    return next((text for text in texts if text), tool.summary)


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


def _words_of(name: str) -> tuple[str, ...] | None:
    if not (name.isascii() and name.replace("_", "").isalnum() and not name.startswith("_")):
        return None
    group, _, rest = name.partition("_")
    for words in ((name,), (group, rest)):
        if all(words) and os.path.isfile(os.path.join(TOOLS_DIRECTORY, *words) + ".py"):
            return words
    return None
