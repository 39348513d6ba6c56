"""Which commands there are, tools and written by hand alike, without importing one."""

from typing import TYPE_CHECKING

from codetools.cli.handmade import COMMANDS_PACKAGE, find_handmade, handmade_words
from codetools.cli.reference import Command, output_parameters, parameters_of
from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.core.tool import TOOLS_PACKAGE, Tool
from codetools.engine.built_in import BUILT_IN
from codetools.engine.options import Options, StagingOptions

if TYPE_CHECKING:
    from codetools.cli.handmade import Handmade

TOP_SUMMARY = "The hands of a coding agent, as one command: files, search, commands, with permissions and undo."


class Listed(Record):
    """One command by its words; `tool` is the name of the tool it runs, or empty."""

    words: tuple[str, ...]
    tool: str = ""

    def loaded(self) -> "Tool | Handmade":
        """Import the command."""
        found = BUILT_IN.find(self.tool) if self.tool else find_handmade(self.words)
        if found is None:
            raise LookupError(f"no command {self.words}")
        return found

    def takes_tool(self) -> bool:
        """Whether the command goes on with the name of a tool."""
        return not self.tool and getattr(self.loaded(), "takes_tool", False)

    def reference(self) -> Command:
        """Import the command and return what it takes."""
        found = self.loaded()
        return tool_reference(found, self.words) if isinstance(found, Tool) else found.reference()


def every_command() -> tuple[Listed, ...]:
    """Return every command, sorted by its words."""
    tools = tuple(Listed(words, "_".join(words)) for words in BUILT_IN.words())
    return tuple(sorted((*tools, *map(Listed, handmade_words())), key=lambda one: one.words))


def missing_word(words: tuple[str, ...]) -> Failure:
    """Return the failure of a group's words without one of its commands."""
    depth, name = len(words), " ".join(words)
    below = {one.words[depth] for one in every_command() if one.words[:depth] == words and len(one.words) > depth}
    message = f"{name}: say which: {', '.join(sorted(below))}."
    return Failure("usage", message, f"See: codetools {name} --help")


def tools_below(words: tuple[str, ...]) -> tuple[Listed, ...]:
    """Return every tool as a command below `words`."""
    return tuple(Listed((*words, *own), "_".join(own)) for own in BUILT_IN.words())


def tool_reference(tool: Tool, words: tuple[str, ...]) -> Command:
    """Return what a tool takes on the command line."""
    options = StagingOptions if tool.effects.stages else Options
    own = parameters_of(tool.params, options)
    taken = {spelling for parameter in own for spelling in (*parameter.spellings, *parameter.also)}
    streams = not tool.effects.stages and not tool.effects.read_only
    every = (*own, *output_parameters(streams, taken))
    if words == tool.words:
        return Command(words, tool.name, tool.summary, every, tool.examples, instead=tool.instead)
    examples = tuple(_below(words, tool.words, example) for example in tool.examples)
    above = " ".join(words[: -len(tool.words)])
    return Command(words, above, f"Say what would be decided, and do nothing: {tool.summary}", every, examples)


def _below(words: tuple[str, ...], own: tuple[str, ...], example: str) -> str:
    """Return an example of a tool's command as one of the command below `words`."""
    return example.replace(f"codetools {' '.join(own)}", f"codetools {' '.join(words)}")


def summary_of(words: tuple[str, ...]) -> str:
    """Return what a group of commands is for: the first line of its package's docstring."""
    if not words:
        return TOP_SUMMARY
    for package in (COMMANDS_PACKAGE, TOOLS_PACKAGE):
        try:
            module = __import__(package + ".".join(words), fromlist=["*"])
        except ModuleNotFoundError:
            continue
        return (module.__doc__ or "").split("\n")[0]
    return ""
