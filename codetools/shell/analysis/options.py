"""Tells a command's options from its operands by a table of what it may be given; what is not in it is refused."""

from typing import Protocol

from codetools.core.record import Record


class NotReading(Exception):
    """The command is not known to only read; the message says which word is not in the table."""


class Options(Protocol):
    """What one program may be given: see `readers.Reader`."""

    @property
    def flags(self) -> str:
        """Letters without a value."""

    @property
    def valued(self) -> str:
        """Letters with one."""

    @property
    def attached(self) -> str:
        """Letters whose value, if any, is attached."""

    @property
    def long(self) -> str:
        """Long options: `name`, `name=`, `name?`."""

    @property
    def counts(self) -> bool:
        """Whether -NUMBER is one too."""

    @property
    def clusters(self) -> bool:
        """Whether letters may share a word."""


class Split(Record):
    """A command's words after the program.

    `given` are the names of its options, `options` those as written, `operands` the rest; of these, the last `after`
    stand behind `--`, which is at `end` of the words (their number where there is none).
    """

    given: frozenset[str]
    options: tuple[str, ...]
    operands: tuple[str, ...]
    after: int
    end: int


def split_words(program: str, words: tuple[str, ...], table: Options) -> Split:
    """Read the options; raise NotReading for one that is not in the table."""
    given: set[str] = set()
    options: list[str] = []
    operands: list[str] = []
    queue = list(words)
    while queue:
        word = queue.pop(0)
        if word == "--":
            end = len(words) - len(queue) - 1
            return Split(frozenset(given), tuple(options), (*operands, *queue), len(queue), end)
        if not word.startswith("-") or word == "-":
            operands.append(word)
            continue
        left = len(queue)
        following = queue[:1]
        if word.startswith("--"):
            given.add(_long(program, word, table, queue))
        elif not (table.counts and word[1:].isdecimal() and word.isascii()):
            given |= _cluster(program, word, table, queue)
        options += [word, *following] if len(queue) < left else [word]
    return Split(frozenset(given), tuple(options), tuple(operands), 0, len(words))


def _long(program: str, word: str, table: Options, queue: list[str]) -> str:
    name, equals, _ = word[2:].partition("=")
    known = table.long.split()
    if (not equals and name in known) or (f"{name}?" in known) or (equals and f"{name}=" in known):
        return name
    if not equals and f"{name}=" in known and queue:
        queue.pop(0)
        return name
    raise NotReading(f"{program} {word} is not known to only read")


def _cluster(program: str, word: str, table: Options, queue: list[str]) -> set[str]:
    given: set[str] = set()
    for index, letter in enumerate(word[1:], 1):
        if letter in table.flags and (table.clusters or len(word) == 2):
            given.add(letter)
            continue
        given.add(letter)
        if letter in table.attached:
            return given
        is_last = index == len(word) - 1
        if letter in table.valued and (table.clusters or len(word) == 2) and (not is_last or queue):
            if is_last:
                queue.pop(0)
            return given
        raise NotReading(f"{program} {word} is not known to only read")
    return given
