"""A path exactly as it was written; `pathlib` would rewrite it, and costs a third of a process start."""


class Path(str):
    """A file name as the caller wrote it: not normalised, not resolved; bytes that are not UTF-8 as surrogates."""

    __slots__ = ()

    @property
    def is_utf8(self) -> bool:
        """Whether the name can be printed and sent as it is."""
        return self.isascii() or not any("\ud800" <= character <= "\udfff" for character in self)

    def printable(self) -> str:
        """Return the name with every byte that is not UTF-8 replaced by U+FFFD."""
        return self if self.is_utf8 else without_surrogates(self)


def without_surrogates(text: str) -> str:
    """Return text that UTF-8 can hold: bytes that are not UTF-8 and halves of surrogate pairs become U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        try:
            return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        except UnicodeEncodeError:  # half a pair that no file name holds, from JSON
            return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    return text
