"""Entries of `banned_commands`: `curl`, `mkfs.*`, `git reset --hard`, `npm install|i -g|--global`.

The first word is the program. Others must be its first operands, in order; one that begins with `-` or `+` counts
wherever it stands. `|` stands between words of which one is enough.
"""

import re

from codetools.config.glob import match_name

_WILD = frozenset("*?[\\")
LEAST_ABBREVIATION = len("--abc")  # of a long option, which many programs take shortened
# options before the operands of which the next word is the value
_VALUED_FIRST = {
    "git": frozenset("-C -c --git-dir --work-tree --namespace --exec-path --config-env --attr-source".split()),
    "npm": frozenset("--prefix -C -w --workspace --cache --registry".split()),
    "pnpm": frozenset("-C --dir -F --filter".split()),
    "yarn": frozenset("--cwd".split()),
    "bun": frozenset("--cwd".split()),
    "cargo": frozenset("--config -C -Z --color --manifest-path".split()),
}


class BannedEntries:
    """The entries of the list, found by program."""

    def __init__(self, entries: tuple[str, ...]) -> None:
        self._named: dict[str, list[str]] = {}
        self._patterns: list[str] = []
        for entry in filter(str.strip, entries):
            for first in entry.split()[0].split("|"):
                if not set(first) & _WILD:
                    self._named.setdefault(first, []).append(entry)
                else:
                    self._patterns.append(entry)

    def find(self, program: str, arguments: tuple[str, ...]) -> str | None:
        """Return the first entry that a command falls under, or None."""
        entries = (*self._named.get(program, ()), *self._patterns)
        return next((entry for entry in entries if entry_matches(entry, program, arguments)), None)

    def may_name(self, program: str) -> bool:
        """Whether any entry is about this program."""
        return program in self._named or any(entry_matches(entry.split()[0], program, ()) for entry in self._patterns)


def entry_matches(entry: str, program: str, arguments: tuple[str, ...]) -> bool:
    """Whether a command falls under an entry."""
    first, *more = entry.split()
    if not more and first == program:
        return True
    if not any(match_name(name, program) for name in first.split("|")):
        return False
    anywhere = [word for word in more if word[0] in "-+"]
    in_order = [word for word in more if word[0] not in "-+"]
    operands = _operands(program, arguments) if in_order else []
    if len(operands) < len(in_order):
        return False
    if not all(operand in word.split("|") for operand, word in zip(operands, in_order, strict=False)):
        return False
    return all(any(_is_given(option, arguments) for option in word.split("|")) for word in anywhere)


def is_about_arguments(entry: str) -> bool:
    """Whether an entry is about some uses of its program only."""
    return len(entry.split()) > 1


def from_first_operand(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command without the options that stand before its first operand."""
    valued = _VALUED_FIRST.get(words[0], frozenset())
    index = 1
    while index < len(words) and words[index].startswith("-"):
        index += 2 if words[index] in valued else 1
    return (words[0], *words[index:])


def _operands(program: str, arguments: tuple[str, ...]) -> list[str]:
    valued = _VALUED_FIRST.get(program, frozenset())
    operands: list[str] = []
    is_value = False
    for word in arguments:
        if is_value:
            is_value = False
        elif word in valued and not operands:
            is_value = True
        elif not word.startswith(("-", "+")):
            operands.append(word)
    return operands


def _is_given(option: str, arguments: tuple[str, ...]) -> bool:
    if option.startswith("+") or "=" in option:
        return any(match_name(option, word) for word in arguments)
    if option.startswith("--"):
        names = (word.partition("=")[0] for word in arguments if word.startswith("--"))
        return any(name == option or (len(name) >= LEAST_ABBREVIATION and option.startswith(name)) for name in names)
    letter = option[1:]
    return any(re.fullmatch(r"-[A-Za-z]+", word) and letter in word for word in arguments)
