"""A path exactly as it was written; `pathlib` would rewrite it, and costs a third of a process start."""

_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


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


def quoted(name: str) -> str:
    """Return a name as git shows it: in quotes and escaped where it could be taken for anything but one name.

    Different names give different texts, and none of them has a second line.
    """
    if name.isprintable() and '"' not in name and "\\" not in name:
        return name
    return '"' + "".join(_ESCAPES.get(character) or _octal(character) for character in name) + '"'


def _octal(character: str) -> str:
    if character.isprintable():
        return character
    form = "surrogateescape" if "\udc80" <= character <= "\udcff" else "surrogatepass"
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", form))


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
