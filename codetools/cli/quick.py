"""The plain form of a tool's command line, read without Typer, whose import costs more than most calls.

What it reads it reads as Typer does; at anything else (help, a misspelt option, a missing value, a command written by
hand) it gives up, and Typer reads the line from the start and says what is wrong.
"""

from typing import TYPE_CHECKING, Any

from codetools.cli.doors import HELP_NAMES

if TYPE_CHECKING:
    from codetools.cli.reference import Command, Parameter


def run_quickly(words: list[str]) -> int | None:
    """Run the tool that a command line names and return the exit code; None where Typer is to read the line."""
    from codetools.engine.built_in import BUILT_IN

    known = set(BUILT_IN.words())
    own = next((tuple(words[:length]) for length in (2, 1) if tuple(words[:length]) in known), None)
    tool = BUILT_IN.find("_".join(own)) if own is not None else None
    if own is None or tool is None or own != tool.words:
        return None
    from codetools.cli.boundary import guarded
    from codetools.cli.listing import tool_reference

    reference = tool_reference(tool, own)
    typed = read_words(reference, words[len(own) :])
    if typed is None:
        return None
    from codetools.cli.run_tool import run_tool
    from codetools.cli.values import gather

    return guarded(lambda: run_tool(tool, reference, gather(reference, typed)), words)


def read_words(reference: "Command", words: list[str]) -> "list[tuple[Parameter, Any]] | None":
    """Return what was typed, in the order of the parameters, or None for words that are not in their plain form."""
    reading = _Reading(reference)
    return reading.typed() if reading.takes(words) else None


class _Reading:
    def __init__(self, reference: "Command") -> None:
        self.reference = reference
        self.named = {name: one for one in reference.options for name in (*one.spellings, *one.also)}
        self.given: dict[str, list[str]] = {}  # by the first spelling
        self.placed: list[str] = []

    def takes(self, words: list[str]) -> bool:
        rest = list(reversed(words))
        while rest:
            word = rest.pop()
            if word == "--":
                self.placed += reversed(rest)
                break
            if len(word) < 2 or word[0] != "-":
                self.placed.append(word)
            elif word in HELP_NAMES or not self._takes_option(word, rest):
                return False
        return not self.placed or bool(self.reference.arguments)

    def typed(self) -> "list[tuple[Parameter, Any]]":
        found: list[tuple[Parameter, Any]] = []
        if self.placed:
            found.append((self.reference.arguments[0], tuple(self.placed)))
        for option in self.reference.options:
            values = self.given.get(option.spellings[0])
            if values is not None:
                is_list = option.repeats and option.takes_value
                found.append((option, tuple(values) if is_list else values[-1] if option.takes_value else True))
        return found

    def _takes_option(self, word: str, rest: list[str]) -> bool:
        name, equals, value = word.partition("=")
        option = self.named.get(name) if len(name) > 2 else None  # `-type=f` too
        if option is not None and (option.takes_value or not equals):
            return self._note(option, value if equals else None, rest)
        return option is None and word[1] != "-" and self._letters(word, rest)

    def _letters(self, word: str, rest: list[str]) -> bool:
        for place in range(1, len(word)):
            option = self.named.get(f"-{word[place]}")
            if option is None or word[place] == "h":
                return False
            if option.takes_value:
                return self._note(option, word[place + 1 :] or None, rest)
            self._note(option, None, rest)
        return True

    def _note(self, option: "Parameter", value: str | None, rest: list[str]) -> bool:
        if option.takes_value and value is None:
            if not rest:
                return False
            value = rest.pop()
        if option.is_once and option.spellings[0] in self.given:
            return False
        self.given.setdefault(option.spellings[0], []).append(value or "")
        return True
