"""One simple command as it was found in a script, wherever it stood: what is known of its words before it runs."""

from typing import Literal

from codetools.core.record import Record

NO_FILES = frozenset("/dev/null /dev/stdout /dev/stderr /dev/fd/1 /dev/fd/2".split())  # output is not kept there
SEPARATOR = ";"  # between commands whose words are searched together
Kind = Literal["static", "one", "many"]


class Word(Record):
    """One word. A `static` one is its own value; one that bash makes when it runs is `one` word, or any number of them.

    The text of such a word is as written, without its quotes.
    """

    text: str
    kind: Kind = "static"

    @property
    def is_static(self) -> bool:
        """Whether the text is the word."""
        return self.kind == "static"


class Assignment(Record):
    """A variable that is set, for one command or for all that follow."""

    name: str
    value: Word

    def text(self) -> str:
        """Return it as it is written."""
        return f"{self.name}={self.value.text}"


class Redirect(Record):
    """A file that a command reads its input from, or writes its output to."""

    target: Word
    action: Literal["read", "edit"]


class Found(Record):
    """One simple command. Without words it only sets variables or redirects a group.

    `text` is what was written. `trouble` says why it cannot be known what runs. `input` is the text that it is fed,
    where that is known. `within` is the place, in the list, of the command that runs this one: a wrapper, or a shell.
    `is_guess`: it may be no command at all; it stands here to be refused, never to be allowed, and each of its first
    `may_begin` words may be the program. `is_question`: it is a test that runs nothing. `runs_others`: what it runs are
    all commands of their own in the list; `kept` are its own words without theirs, where these are to be judged.
    """

    words: tuple[Word, ...] = ()
    assigned: tuple[Assignment, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    text: str = ""
    trouble: str = ""
    input: str | None = None
    within: int | None = None
    is_guess: bool = False
    may_begin: int = 1
    is_question: bool = False
    runs_others: bool = False
    kept: tuple[Word, ...] | None = None

    def program(self) -> str:
        """Return the program's name without its directories, or an empty string where it is not known."""
        return self.words[0].text.rpartition("/")[2] if self.words and self.words[0].is_static else ""

    def static_words(self) -> tuple[str, ...] | None:
        """Return the words where every one of them is known."""
        return tuple(word.text for word in self.words) if all(word.is_static for word in self.words) else None


def static(*texts: str) -> tuple[Word, ...]:
    """Return words that are their own values."""
    return tuple(Word(text) for text in texts)
