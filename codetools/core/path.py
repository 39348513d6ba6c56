"""A path exactly as it was written; `pathlib` would rewrite it, and costs a third of a process start."""


class Path(str):
    """A file name as the caller wrote it: not normalised, not resolved; bytes that are not UTF-8 as surrogates."""

    __slots__ = ()

    @property
    def is_utf8(self) -> bool:
        """Whether the name can be printed and sent as it is."""
        return not any("\ud800" <= character <= "\udfff" for character in self)

    def printable(self) -> str:
        """Return the name with every byte that is not UTF-8 replaced by U+FFFD."""
        return self if self.is_utf8 else self.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
