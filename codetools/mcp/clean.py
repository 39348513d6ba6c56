"""Text of a server that a person or a model is to read: without escapes and without what cannot be seen (I9)."""


def clean(text: str) -> str:
    """Return the text without control, format and private characters; line feeds and tabs stay, odd blanks are blanks.

    Terminal escapes go with their control character. What has no form of its own cannot carry words that only a model
    would read.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_kept, _without_escapes(text).replace("\r\n", "\n")))


def _kept(character: str) -> str:
    if character.isprintable() or character in "\n\t":
        return character
    return " " if character.isspace() else ""


def _without_escapes(text: str) -> str:
    if "\x1b" not in text and "\x9b" not in text:
        return text
    import re

    return re.sub(r"\x1b\][^\x07\x1b]*(\x07|\x1b\\)|(\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]", "", text)
