"""Splits any script into the commands it may run, too many rather than too few: for the banned scan alone.

This is no parser of bash and nothing is ever allowed because of it: it takes quotes and backslashes away, and begins a
new command at every separator, bracket and substitution.
"""

import re

from codetools.core.record import Record
from codetools.shell.analysis.ansi import unescaped

MAX_DEPTH = 8  # of substitutions within substitutions

_SKIPPED = frozenset("! { } if then elif else do while until time coproc case esac fi done function".split())
_ASSIGNMENT = re.compile(r"\w+(\[[^\]]*\])?\+?=")


class Loose(Record):
    """One command that a script may run; `written` are the files that it redirects its output to."""

    words: tuple[str, ...]
    written: tuple[str, ...] = ()


def loose_commands(script: str, depth: int = 0) -> list[Loose]:
    """Return every command that the script may run, those inside substitutions among them."""
    if depth > MAX_DEPTH:
        return []
    found: list[Loose] = []
    _Scan(script, found, depth).run()
    return found


class _Scan:
    def __init__(self, text: str, found: list[Loose], depth: int) -> None:
        self.text = text
        self.found = found
        self.depth = depth
        self.position = 0
        self.words: list[str] = []
        self.written: list[str] = []
        self.word: str | None = None
        self.is_target = False

    def run(self) -> None:
        while self.position < len(self.text):
            character = self.text[self.position]
            if character == "\\":
                self._add(self.text[self.position + 1 : self.position + 2].replace("\n", ""), 2)
            elif character == "'":
                self._single()
            elif self.text.startswith("$'", self.position):
                self._ansi()
            elif character == '"':
                self._double()
            elif character == "`" or self.text.startswith(("$(", "<(", ">("), self.position):
                self._substitution()
            elif character in " \t\r":
                self._end_word()
                self.position += 1
            elif character == ">":
                self._end_word()
                self.position += 1
                while self.text[self.position : self.position + 1] in tuple(">|&"):
                    self.position += 1
                self.is_target = True
            elif character in "\n;|&()":
                self._end_command()
                self.position += 1
            else:
                self._add(character, 1)
        self._end_command()

    def _add(self, text: str, length: int) -> None:
        self.word = (self.word or "") + text
        self.position += length

    def _single(self) -> None:
        end = self.text.find("'", self.position + 1)
        end = len(self.text) if end < 0 else end
        self._add(self.text[self.position + 1 : end], end + 1 - self.position)

    def _ansi(self) -> None:
        end = self.position + 2
        while end < len(self.text) and self.text[end] != "'":
            end += 2 if self.text[end] == "\\" else 1
        self._add(unescaped(self.text[self.position + 2 : end]), end + 1 - self.position)

    def _double(self) -> None:
        self._add("", 1)
        while self.position < len(self.text) and self.text[self.position] != '"':
            if self.text[self.position] == "\\":
                self._add(self.text[self.position + 1 : self.position + 2], 2)
            elif self.text[self.position] == "`" or self.text.startswith("$(", self.position):
                self._substitution()
            else:
                self._add(self.text[self.position], 1)
        self.position += 1

    def _substitution(self) -> None:
        """Scan what a substitution runs; in the place of a program, any of its words may be the program."""
        if self.text[self.position] == "`":
            start, end = self.position + 1, self.text.find("`", self.position + 1)
        else:
            start, end = self.position + 2, _closing(self.text, self.position + 2)
        end = len(self.text) if end < 0 else end
        inner = loose_commands(self.text[start:end], self.depth + 1)
        self.found += inner
        if not self.words and not self.is_target:
            self.found += [Loose((word,)) for command in inner for word in command.words[1:]]
        self._add("$()", end + 1 - self.position)

    def _end_word(self) -> None:
        if self.word is None:
            return
        if self.is_target:
            self.written.append(self.word)
            self.is_target = False
        elif self.word == "{" and self.words:  # what follows a function's name, or that of a coproc
            self.word = None
            self._end_command()
        elif self.words or not (self.word in _SKIPPED or _ASSIGNMENT.match(self.word)):
            self.words += _braced(self.word) if not self.words else [self.word]
        self.word = None

    def _end_command(self) -> None:
        self._end_word()
        if self.words or self.written:
            self.found.append(Loose(tuple(self.words), tuple(self.written)))
        self.words, self.written, self.is_target = [], [], False


def _braced(word: str) -> list[str]:
    if word.startswith("{") and word.endswith("}") and "," in word:
        return word[1:-1].split(",")
    return [word]


def _closing(text: str, start: int) -> int:
    depth = 1
    for position in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
    return -1
