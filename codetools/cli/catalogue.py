"""Every command and group at once, imported: what generated files are made from."""

from codetools.cli.listing import Listed, every_command, summary_of
from codetools.cli.reference import Command, Parameter
from codetools.core.limits import Limits
from codetools.core.record import Record
from codetools.core.tool import Tool
from codetools.engine.built_in import BUILT_IN
from codetools.search.file_types import TYPES

CHECK_WORDS = ("permissions", "check")


class Group(Record):
    """Some words that are no command, and the words that may follow: (word, what it does)."""

    words: tuple[str, ...]
    summary: str
    below: tuple[tuple[str, str], ...]


class Catalogue(Record):
    """All commands, the groups they form (the top is the group of no words), and the names of the tools."""

    commands: tuple[Command, ...]
    groups: tuple[Group, ...]
    tools: tuple[str, ...]

    def offers(self, parameter: Parameter) -> tuple[str, ...]:
        """Return the words that a parameter can be given, where they are known."""
        if parameter.completes == "tool":
            return self.tools
        if parameter.completes == "command":
            return tuple(word for word, _ in self.groups[0].below)
        if parameter.completes == "file_type":
            return tuple(TYPES)
        return parameter.choices

    def described(self, parameter: Parameter) -> tuple[tuple[str, str], ...]:
        """Return the words that a parameter can be given, each with what it does, or an empty text."""
        known = dict(self.groups[0].below)
        if parameter.completes == "tool":
            known = {command.tool: command.summary for command in self.commands if command.tool in self.tools}
        said = known if parameter.completes in ("tool", "command") else {}
        return tuple((word, said.get(word, "")) for word in self.offers(parameter))


def catalogue() -> Catalogue:
    """Import every command."""
    commands = tuple(_described(one) for one in every_command())
    words = {command.words[:length] for command in commands for length in range(len(command.words))}
    groups = [Group(above, summary_of(above), _below(above, commands)) for above in sorted(words)]
    return Catalogue(commands, tuple(groups), BUILT_IN.names())


def _described(one: Listed) -> Command:
    """Return what a command takes, with what a model is told of it under the default limits."""
    found = one.loaded()
    reference = one.reference()
    return reference.but(description=BUILT_IN.description(found, Limits())) if isinstance(found, Tool) else reference


def _below(above: tuple[str, ...], commands: tuple[Command, ...]) -> tuple[tuple[str, str], ...]:
    depth = len(above)
    found: dict[str, str] = {}
    for command in commands:
        if command.words[:depth] == above and len(command.words) > depth:
            word = command.words[depth]
            is_command = len(command.words) == depth + 1
            found.setdefault(word, command.summary if is_command else summary_of((*above, word)))
    return tuple(found.items())
