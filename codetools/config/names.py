"""Lists of names that hold secrets or run code later, and the question whether a path is one of them."""

from codetools.config.glob import match_name, match_path

_SPECIAL = frozenset("*?[\\")
_MOST_KNOWN = 10_000  # names that were asked about

# characters that some file systems leave out when they compare names
_IGNORED = dict.fromkeys([*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF])


class NameSet:
    """Patterns compared without case, at any depth; a directory's name covers what is below it.

    `name` or `several/parts` match anywhere in the path, `/absolute` at one place. `!pattern` makes an exception from
    what stands before it; for each part of a path the last pattern that matches decides.
    """

    def __init__(self, patterns: tuple[str, ...]) -> None:
        self._written = patterns
        self._folded: list[str] = []
        self._sieve: _Sieve | None = None  # made by the first question; most calls ask none

    def find(self, path: str, root: str | None = None) -> str | None:
        """Return the pattern that an absolute path matches, or None. In `root` only what lies below it has a name."""
        sieve = self._sieve or self._prepared()
        whole = _fold(path).rstrip("/").split("/")
        first = 1
        if root is not None:
            above = _fold(root).rstrip("/").split("/")
            first = len(above) if whole[: len(above)] == above else 1
        for end in range(1, len(whole) + 1):
            if end > first and sieve.lets_name_pass(whole[end - 1]):
                found = self._judge(whole[first:end], "/".join(whole[:end]))
            elif sieve.lets_place_pass(whole, end):
                found = self._judge([], "/".join(whole[:end]))
            else:
                found = None
            if found is not None:
                return found
        return None

    def _prepared(self) -> "_Sieve":
        self._folded = _folded(self._written)
        self._sieve = _Sieve([pattern for pattern in self._folded if not pattern.startswith("!")])
        return self._sieve

    def _judge(self, named: list[str], absolute: str) -> str | None:
        found: str | None = None
        for written, folded in zip(self._written, self._folded, strict=True):
            is_exception = folded.startswith("!")
            if is_exception != (found is None) and _ends_in(folded.removeprefix("!"), named, absolute):
                found = None if is_exception else written
        return found


class _Sieve:
    """A quick no for nearly every name, so that a search can ask about each file."""

    def __init__(self, patterns: list[str]) -> None:
        self._absolute = tuple(pattern for pattern in patterns if pattern.startswith("/"))
        self._fixed: set[str] = set()
        self._starts: tuple[str, ...] = ()
        self._ends: tuple[str, ...] = ()
        self._others: tuple[str, ...] = ()
        self._known: dict[str, bool] = {}  # a process that stays is asked about the same names again and again
        for pattern in patterns:
            if not pattern.startswith("/"):
                self._add(pattern.rpartition("/")[2])

    def lets_place_pass(self, parts: list[str], end: int) -> bool:
        """Whether some absolute pattern may match the first `end` parts of a path."""
        return any(match_path(pattern, "/".join(parts[:end])) for pattern in self._absolute)

    def lets_name_pass(self, name: str) -> bool:
        """Whether some other pattern may end in this name."""
        known = self._known.get(name)
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[name] = self._passes(name)
        return known

    def _passes(self, name: str) -> bool:
        if name in self._fixed or name.startswith(self._starts) or name.endswith(self._ends):
            return True
        return any(match_name(pattern, name) for pattern in self._others)

    def _add(self, last: str) -> None:
        special = _SPECIAL.intersection(last)
        if not special:
            self._fixed.add(last)
        elif special == {"*"} and last.find("*") == len(last) - 1:
            self._starts += (last[:-1],)
        elif special == {"*"} and last.rfind("*") == 0:
            self._ends += (last[1:],)
        else:
            self._others += (last,)


def _ends_in(pattern: str, named: list[str], absolute: str) -> bool:
    if pattern.startswith("/"):
        return match_path(pattern, absolute)
    if "/" not in pattern:
        return bool(named) and match_name(pattern, named[-1])
    return any(match_path(pattern, "/".join(named[start:])) for start in range(len(named)))


def _folded(patterns: tuple[str, ...]) -> list[str]:
    folded = _fold("\n".join(patterns)).split("\n") if patterns else []
    return [_tidy(pattern) if "/" in pattern else pattern for pattern in folded]


def _tidy(pattern: str) -> str:
    sign = "!" if pattern.startswith("!") else ""
    rest = pattern.removeprefix("!")
    place = "/" if rest.startswith("/") else ""
    return sign + place + "/".join(part for part in rest.split("/") if part not in ("", "."))


def _fold(path: str) -> str:
    return path.casefold().translate(_IGNORED)
