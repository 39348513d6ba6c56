"""Which files of an area have names that say they hold secrets; quick enough to be asked about every file."""

import re
from collections.abc import Callable

from codetools.config.names import NameSet
from codetools.files.workspace import Location
from codetools.search.globs import name_regex

FEW_QUESTIONS = 40  # that take less time than compiling an expression for all names


class Secrets:
    """The setting `secrets` as it reads below one directory.

    Where that directory is a secret itself, who named it was asked about it, and nothing below it is one more.
    `last_names` are globs that the name of every secret file matches, but for those in a directory that is a secret.
    """

    def __init__(self, patterns: tuple[str, ...], location: Location) -> None:
        self._names = NameSet(patterns)
        self._root = location.root if location.inside else None
        self._bases = {location.written.rstrip("/"), location.reached.rstrip("/")}
        positive = [pattern.strip("/") for pattern in patterns if not pattern.startswith("!")]
        if any(self._names.find(base, self._root) for base in self._bases):
            positive = []
        self.last_names = tuple(dict.fromkeys(pattern.rpartition("/")[2] for pattern in positive))
        self._asked = 0
        self._may_be: Callable[[str], object] | None = None

    def may_hold(self, path: str) -> bool:
        """Whether a name on a path is like a secret's."""
        return bool(self.last_names) and self._sieve()(path) is not None

    def holds(self, path: str) -> bool:
        """Whether the name of a file (relative) or of a directory above it is a secret's."""
        if not self.last_names:
            return False
        self._asked += 1
        if self._asked > FEW_QUESTIONS and path.isascii() and not self._sieve()(path):
            return False
        return any(self._names.find(f"{base}/{path}", self._root) for base in self._bases)

    def _sieve(self) -> Callable[[str], object]:
        """Return a quick no for nearly every path."""
        if self._may_be is None:
            names = "|".join(name_regex(name) for name in self.last_names)
            self._may_be = re.compile(rf"(?:^|/)(?:{names})(?:/|\Z)", re.IGNORECASE).search
        return self._may_be
