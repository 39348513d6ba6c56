"""The tiny grammar of commands that can be understood without doubt; everything else is refused, never guessed (I7).

A script is simple commands of literal words, joined by `&&`, `||`, `|`, `;` or a newline, with no other redirections
than `2>/dev/null`, `2>&1` and `< file`. What bash would expand, quote in another way or interpret is refused.
"""

from typing import Literal

from codetools.core.record import Record

MAX_SCRIPT_CHARS = 100_000
MOST_COMMANDS = 1000  # that are looked at one by one
_BLANKS = " \t"
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,+@%=^")
RESERVED = frozenset(
    """! [[ ]] { } case coproc do done elif else esac fi for function if in select then time until while""".split()
)
_NOT_IN_DOUBLE_QUOTES = frozenset("$`\\")

Joint = Literal["&&", "||", "|", ";"]


class Refused(Exception):
    """The script is not of the tiny grammar; the message says what stands in the way."""


class Simple(Record):
    """One command: its words as the program will get them, and what its input is and its errors go to."""

    words: tuple[str, ...]
    stdin: str | None = None
    errors_to: Literal["", "null", "stdout"] = ""


class Script(Record):
    """Commands and what stands between them: `joints[n]` follows `commands[n]`."""

    commands: tuple[Simple, ...]
    joints: tuple[Joint, ...]


def parse(command: str) -> Script:
    """Return the script that bash would run for `command`, or raise Refused."""
    return _Parser(command).script()


def quote(word: str) -> str:
    """Return a word in single quotes, so that bash reads exactly this word."""
    return "'" + word.replace("'", "'\\''") + "'"


class _Parser:
    def __init__(self, text: str) -> None:
        refuse_odd_characters(text)
        self.text = text
        self.position = 0
        self.commands: list[Simple] = []
        self.joints: list[Joint] = []

    def script(self) -> Script:
        self._skip(_BLANKS + "\n")
        while self.position < len(self.text):
            self.commands.append(self._simple())
            joint = self._joint()
            if joint is not None:
                self.joints.append(joint)
        if len(self.joints) == len(self.commands):
            if self.joints and self.joints[-1] != ";":
                raise Refused(f"nothing follows {self.joints[-1]!r}")
            self.joints = self.joints[:-1]
        if not self.commands:
            raise Refused("there is no command")
        return Script(tuple(self.commands), tuple(self.joints))

    def _simple(self) -> Simple:
        words: list[str] = []
        found = Simple(())
        while True:
            self._skip(_BLANKS)
            if self._peek(1) in ("", "\n", ";", "|", "&"):
                break
            if self._peek(2) == "2>" or self._peek(1) in "<>":
                found = self._redirected(found)
                continue
            word = self._word(is_first=not words)
            words.append(word)
        if not words:
            raise Refused(f"a command is missing before {self._peek(2).strip()!r}")
        return found.but(words=tuple(words))

    def _redirected(self, simple: Simple) -> Simple:
        for written, target in (("2>/dev/null", "null"), ("2> /dev/null", "null"), ("2>&1", "stdout")):
            if self._peek(len(written)) == written and self._ends_a_word(self.position + len(written)):
                if simple.errors_to:
                    raise Refused("errors are redirected twice")
                self.position += len(written)
                return simple.but(errors_to=target)
        if self._peek(1) != "<" or self._peek(2)[1:] in ("<", ">", "&", "("):
            raise Refused("a redirection other than 2>/dev/null, 2>&1 and < file")
        if simple.stdin is not None:
            raise Refused("input is redirected twice")
        self.position += 1
        self._skip(_BLANKS)
        if self._peek(1) in ("", "\n", ";", "|", "&", "<", ">"):
            raise Refused("no file follows '<'")
        return simple.but(stdin=self._word(is_first=False))

    def _word(self, *, is_first: bool) -> str:
        start = self.position
        word = ""
        while not self._ends_a_word(self.position):
            character = self.text[self.position]
            if character in "'\"":
                word += self._quoted(character)
            elif character in _PLAIN or character > "\x7f" or self._is_plain_here(character, is_first=is_first):
                word += character
                self.position += 1
            else:
                raise Refused(f"{character!r} means something to the shell")
        written = self.text[start : self.position]
        if self._peek(1) in ("<", ">") and written.isdigit():
            raise Refused("a redirection other than 2>/dev/null, 2>&1 and < file")
        if is_first:
            _refuse_first_word(word, written)
        return word

    def _quoted(self, mark: str) -> str:
        end = self.text.find(mark, self.position + 1)
        if end < 0:
            raise Refused("a quote is not closed")
        inside = self.text[self.position + 1 : end]
        if mark == '"' and not _NOT_IN_DOUBLE_QUOTES.isdisjoint(inside) and not _is_plain_in_double_quotes(inside):
            raise Refused("double quotes hold what the shell expands")
        self.position = end + 1
        return inside

    def _joint(self) -> Joint | None:
        if self.position >= len(self.text):
            return None
        joint: Joint
        for written in ("&&", "||"):
            if self._peek(2) == written:
                self.position += 2
                joint = "&&" if written == "&&" else "||"
                break
        else:
            if self._peek(2) in ("|&", ";;", ";&") or self._peek(1) == "&":
                raise Refused(f"{self._peek(2).strip()!r} joins commands in another way")
            joint = "|" if self._peek(1) == "|" else ";"
            self.position += 1
        self._skip(_BLANKS + "\n")
        return joint

    def _ends_a_word(self, position: int) -> bool:
        return position >= len(self.text) or self.text[position] in " \t\n;|&<>"

    def _is_plain_here(self, character: str, *, is_first: bool) -> bool:
        """Whether it is a word of its own, as in `find . ! -name x` and `[ -f x ]`, or the `~` of `HEAD~2`."""
        before = self.text[self.position - 1] if self.position else " "
        if character == "~":
            return not is_first and (before in "^~" or (before.isascii() and before.isalnum()))
        if character in "[]":
            is_alone = (self.position == 0 or before in " \t\n;|&") and self._ends_a_word(self.position + 1)
            return is_alone and is_first == (character == "[")
        return not is_first and character == "!" and before in _BLANKS and self._ends_a_word(self.position + 1)

    def _skip(self, characters: str) -> None:
        while self.position < len(self.text) and self.text[self.position] in characters:
            self.position += 1

    def _peek(self, count: int) -> str:
        return self.text[self.position : self.position + count]


def _is_plain_in_double_quotes(inside: str) -> bool:
    """Whether all that looks special are backslashes that stay: those before a character that needs none."""
    if "$" in inside or "`" in inside:
        return False
    return all(part[:1] not in ("", "\\", "\n") for part in inside.split("\\")[1:])


def _refuse_first_word(word: str, written: str) -> None:
    if word in RESERVED or not word:
        raise Refused(f"{word!r} is a word of the shell's own grammar")
    name, equals, _ = written.partition("=")
    if equals and not written.startswith(("'", '"')) and name.rstrip("+").replace("_", "a").isalnum():
        raise Refused("an assignment stands before the command")


def refuse_odd_characters(text: str) -> None:
    """Raise Refused for a text that holds what is invisible or no character of a script."""
    if len(text) > MAX_SCRIPT_CHARS:
        raise Refused(f"it is longer than {MAX_SCRIPT_CHARS} characters")
    if text.isascii():
        odd = next((character for character in text if not (character.isprintable() or character in "\n\t")), "")
    else:
        odd = next((character for character in text if _is_odd(character)), "")
    if odd:
        raise Refused(f"it holds the character U+{ord(odd):04X}")


def _is_odd(character: str) -> bool:
    """Whether it is a control, a blank that is not ASCII, half a surrogate, or invisible."""
    import unicodedata

    if character.isascii():
        return not (character.isprintable() or character in "\n\t")
    return unicodedata.category(character)[0] in "CZ" or character in "\u115f\u1160\u3164\uffa0\u2800"
