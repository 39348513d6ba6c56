"""Patterns of commands in `bash(...)` rules: words, a `*` within a word, and `:*` for any further words."""

from collections.abc import Callable

from codetools.config.glob import escape, is_literal, literal, match_name
from codetools.core.errors import Failure

ANY_MORE = ":*"


def parse_command_pattern(pattern: str, malformed: Callable[[str], Failure], *, is_allowing: bool) -> None:
    """Check a pattern; raise `malformed(what)`."""
    try:
        words = _words(pattern.removesuffix(ANY_MORE))
    except ValueError as error:
        raise malformed(str(error)) from None
    if not words:
        raise malformed("no command stands before the ':*'; write the tool alone for every command")
    if is_allowing and not is_literal(words[0]):
        raise malformed("an allowed command names its program without a wildcard; write the tool alone for every one")


def command_matches(pattern: str, words: tuple[str, ...], known: int | None = None) -> bool:
    """Whether the words are surely the pattern's, word by word; more words only after `:*`.

    Of words that the shell makes, only the first `known` are certain.
    """
    wanted = _words(pattern.removesuffix(ANY_MORE))
    is_open = pattern.endswith(ANY_MORE)
    certain = len(words) if known is None else known
    if certain < len(wanted) or (not is_open and (len(words) > len(wanted) or certain < len(words))):
        return False
    return all(match_name(part, word) for part, word in zip(wanted, words, strict=False))


def command_may_match(pattern: str, words: tuple[str, ...], known: int | None) -> bool:
    """Whether words that are not all certain may turn out to be the pattern's."""
    if known is None:
        return False
    wanted = _words(pattern.removesuffix(ANY_MORE))
    return all(match_name(part, word) for part, word in zip(wanted, words[:known], strict=False))


def literal_words(pattern: str) -> tuple[str, ...]:
    """Return the words of a pattern as they are written, without quotes."""
    return tuple(literal(word) if is_literal(word) else word for word in _words(pattern.removesuffix(ANY_MORE)))


def first_word(pattern: str) -> str:
    """Return the program that a pattern names, or an empty string where a wildcard stands for it."""
    first = _words(pattern.removesuffix(ANY_MORE))[0]
    return literal(first) if is_literal(first) else ""


def quote_words(words: tuple[str, ...]) -> str:
    """Return the pattern that matches exactly these words."""
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    is_plain = word and all(character.isalnum() or character in "@%+=:,./-_~^" for character in word)
    if is_plain and not word.endswith(ANY_MORE):
        return word
    return "'" + word.replace("'", "'\\''") + "'"


def _words(text: str) -> list[str]:
    """Split as a shell splits literal words; return each as a glob in which only an unquoted `*` is special."""
    words: list[str] = []
    word: str | None = None
    quote = ""
    position = 0
    while position < len(text):
        character = text[position]
        position += 1
        if character == quote:
            quote = ""
        elif quote == "'" or (quote and character != "\\"):
            word = (word or "") + escape(character)
        elif character in "'\"":
            quote = character
            word = word or ""
        elif character == "\\" and position < len(text):
            word = (word or "") + escape(text[position])
            position += 1
        elif character in " \t":
            words += [word] if word is not None else []
            word = None
        else:
            word = (word or "") + (character if character == "*" else escape(character))
    if quote:
        raise ValueError("a quote is not closed")
    return words + ([word] if word is not None else [])
