"""Which tools there are: an ordered list of sources, each of which loads one tool without loading the others."""

from typing import TYPE_CHECKING

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.tool import Tool

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


class Registry:
    """The tools of some sources; of two of one name, the first source's."""

    def __init__(self, sources: "tuple[Source, ...]") -> None:
        self._sources = sources

    def words(self) -> tuple[tuple[str, ...], ...]:
        """Return the command words of every tool, without importing one."""
        return tuple(words for source in self._sources for words in source.words())

    def names(self) -> tuple[str, ...]:
        """Return the name of every tool, without importing one."""
        return tuple("_".join(words) for words in self.words())

    def find(self, name: str) -> Tool:
        """Return the tool of this name or alias, however a model writes it; raise `usage` with the nearest name."""
        written, name = name, name.lower().replace("-", "_")
        for source in self._sources:
            if tool := source.load(name):
                return tool
        folded = name.replace("_", "")
        for tool in self.all():
            if name in tool.aliases or folded == tool.name.replace("_", ""):
                return tool
        from codetools.core.suggest import nearest

        names = self.names()
        near = nearest(name, [*names, *(alias for tool in self.all() for alias in tool.aliases)])
        hint = f"Did you mean {near!r}?" if near else f"Tools: {', '.join(names)}."
        raise Failure("usage", f"there is no tool {written!r}.", hint, {"tools": list(names)})

    def all(self) -> tuple[Tool, ...]:
        """Return every tool, importing all of them."""
        tools = (source.load("_".join(words)) for source in self._sources for words in source.words())
        return tuple(tool for tool in tools if tool)

    def description(self, tool: Tool, limits: Limits) -> str:
        """Return what a model reads of a tool, with the limits in force."""
        texts = (source.description(tool, limits) for source in self._sources)
        return next((text for text in texts if text), tool.summary)
