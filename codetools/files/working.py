"""The bytes that texts are looked for in: the file's own, or as UTF-8 where a line break is more than one byte."""

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.files.kind import kind_of
from codetools.files.text import Encoding, detect


class Choice(Record):
    """The encoding that a caller names, and the one that the settings name for what shows none."""

    named: str | None = None
    fallback: str = ""


class Working(Record):
    """A text's working bytes, and the way from characters to them and from them to the file's bytes."""

    content: bytes
    encoding: Encoding
    shown: str

    def encode(self, text: str) -> bytes:
        """Return characters as working bytes; raise `encoding` for one that the file's encoding does not have."""
        encoded = self.encoding.encode(text, self.shown)
        return text.encode() if self.encoding.is_wide else encoded

    def decode(self, most_bytes: int) -> str:
        """Return the first characters, to be shown; U+FFFD stands for what is not valid."""
        codec = "utf-8" if self.encoding.is_wide else self.encoding.codec
        return self.content[:most_bytes].decode(codec, "replace")

    def original(self, content: bytes) -> bytes:
        """Return changed working bytes as the file's."""
        return self.encoding.from_utf_8(content, self.shown) if self.encoding.is_wide else content


NO_CHOICE = Choice()


def working(content: bytes, shown: str, choice: Choice = NO_CHOICE) -> Working:
    """Return a file's text to work on; raise `binary`, or `encoding` where the way back would not be the same."""
    if choice.named:
        return _in(_named(choice.named, content), content, shown)
    kind = kind_of(content)
    if kind.name != "text":
        what = kind.format or "binary"
        raise Failure("binary", f"{shown} is not text but {what}.", "Only text can be edited; use write or bash.")
    found = detect(content)
    if choice.fallback and found.is_guessed and not found.is_wide:
        found = _named(choice.fallback, content)
    return _in(found, content, shown)


def _in(encoding: Encoding, content: bytes, shown: str) -> Working:
    return Working(encoding.to_utf_8(content, shown) if encoding.is_wide else content, encoding, shown)


def _named(name: str, content: bytes) -> Encoding:
    from codetools.files.encoding_names import encoding_named

    return encoding_named(name, content)
