"""The tools of this package: the path of a module is the words of its command."""

import os

from codetools.core.dump import dump
from codetools.core.limits import Limits
from codetools.core.tool import TOOLS_PACKAGE, Tool
from codetools.engine.registry import Registry

TOOLS_DIRECTORY = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools")


class Modules:
    """The source of every module below `tools/`."""

    def __init__(self) -> None:
        self._loaded: dict[str, Tool] = {}  # by the names that were asked for, each that of a tool

    def words(self) -> tuple[tuple[str, ...], ...]:
        """Return the words of every module, sorted."""
        return tuple(sorted(_modules(TOOLS_DIRECTORY, ())))

    def load(self, name: str) -> Tool | None:
        """Import the one module that `name` stands for."""
        if (loaded := self._loaded.get(name)) is not None:
            return loaded
        words = _words_of(name)
        if words is None:
            return None
        module_name = TOOLS_PACKAGE + ".".join(words)
        module = __import__(module_name, fromlist=["*"])
        for value in vars(module).values():
            if isinstance(value, Tool) and value.module == module_name:
                self._loaded[name] = value
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


BUILT_IN = Registry((Modules(),))


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
