"""The bytes that texts are looked for in: the file's own, or UTF-16 as UTF-8, so that a line break is one byte."""

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.files.kind import kind_of
from codetools.files.text import Encoding, detect


class Working(Record):
    """A text's working bytes, and the way from characters to them and from them to the file's bytes."""

    content: bytes
    encoding: Encoding
    shown: str

    def encode(self, text: str) -> bytes:
        """Return characters as working bytes; raise `encoding` for one that the file's encoding does not have."""
        return text.encode() if self.encoding.is_wide else self.encoding.encode(text, self.shown)

    def decode(self, most_bytes: int) -> str:
        """Return the first characters, to be shown; U+FFFD stands for what is not valid."""
        codec = "utf-8" if self.encoding.is_wide else self.encoding.codec
        return self.content[:most_bytes].decode(codec, "replace")

    def original(self, content: bytes) -> bytes:
        """Return changed working bytes as the file's."""
        if not self.encoding.is_wide:
            return content
        return content.decode("utf-8", "surrogatepass").encode(self.encoding.codec, "surrogatepass")


def working(content: bytes, shown: str) -> Working:
    """Return a file's text to work on; raise `binary`, or `encoding` where the way back would not be the same."""
    kind = kind_of(content)
    if kind.name != "text":
        what = kind.format or "binary"
        raise Failure("binary", f"{shown} is not text but {what}.", "Only text can be edited; use write or bash.")
    encoding = detect(content)
    if not encoding.is_wide:
        return Working(content, encoding, shown)
    found = Working(content.decode(encoding.codec, "surrogatepass").encode("utf-8", "surrogatepass"), encoding, shown)
    if found.original(found.content) != content:
        raise Failure("encoding", f"{shown} is not valid UTF-16.", "Convert it first.")
    return found
