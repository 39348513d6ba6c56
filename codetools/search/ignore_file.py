"""One file of ignore rules as git reads it: which line says what of a path."""

import os
import re
import stat
from collections.abc import Callable

from codetools.search.overgrown import MOST_BYTES, MOST_LINES
from codetools.search.wildmatch import Matcher, expression_of, wild_matcher

RULES_BETWEEN_CHECKS = 1000

_FIRST = re.compile(rb"[^*?\[\\]*").match
_MARKED = bytes.maketrans(b"?[]\\", b"****")
_MARK = b"\xef\xbb\xbf"


class Rule:
    """One line: its number, the pattern as written, and whether it takes back (`!`)."""

    __slots__ = (
        "_end",
        "_is_of_directories",
        "_is_path",
        "_matches",
        "_pattern",
        "_start",
        "line",
        "takes_back",
        "written",
    )

    def __init__(self, written: bytes, line: int) -> None:
        self.line = line
        self.written = written
        self.takes_back = written.startswith(b"!")
        pattern = written[self.takes_back :]
        self._is_of_directories = pattern.endswith(b"/")
        pattern = pattern[:-1] if self._is_of_directories else pattern
        self._is_path = b"/" in pattern
        self._pattern = pattern.removeprefix(b"/") if self._is_path else pattern
        first = _FIRST(self._pattern)
        self._start = first[0] if first else b""
        self._end = self._pattern.translate(_MARKED).rpartition(b"*")[2].lstrip(b"/")
        self._matches: Matcher | None = None

    @property
    def pattern(self) -> str:
        """The line as written, without what counts for nothing."""
        return os.fsdecode(self.written)

    @property
    def only_name(self) -> bytes | None:
        """The one name that the pattern is, at any depth; None where it is more than that."""
        pattern = self._pattern.removeprefix(b"**/") if self._is_path else self._pattern
        anchored = self._is_path and pattern is self._pattern
        return None if anchored or _is_more(pattern) else pattern

    @property
    def only_ending(self) -> bytes | None:
        """What comes after the `*` of a pattern such as `*.o`; None where it is another."""
        ending = self._pattern[1:]
        is_one = not self._is_path and self._pattern.startswith(b"*.") and not _is_more(ending)
        return ending if is_one else None

    @property
    def only_path(self) -> bytes | None:
        """The one path that the pattern is; None where it is another."""
        return self._pattern if self._is_path and not _is_wild(self._pattern) else None

    @property
    def name_expression(self) -> bytes | None:
        """A regular expression that matches just the names which a pattern of names does; None where there is none."""
        return None if self._is_path else expression_of(self._pattern)

    def holds(self, path: bytes, name: bytes, is_directory: bool) -> bool:
        """Whether the line speaks of a path, relative to the directory of its file; `name` is its last name."""
        if self._is_of_directories and not is_directory:
            return False
        text = path if self._is_path else name
        if not text.startswith(self._start) or not text.endswith(self._end):
            return False
        if self._matches is None:
            # as in git, what stands before the first wildcard of a path is no part of what is matched
            pattern = self._pattern[len(self._start) :] if self._is_path else self._pattern
            self._matches = wild_matcher(pattern, is_path=self._is_path)
        return bool(self._matches(text[len(self._start) :] if self._is_path else text))


def _is_more(text: bytes) -> bool:
    """Whether a text is more than one plain name."""
    return b"/" in text or _is_wild(text)


def _is_wild(text: bytes) -> bool:
    return any(byte in text for byte in b"*?[\\")


class IgnoreFile:
    """The rules of one file, the last first: of those that hold, it decides. `file` is its path as it is shown."""

    def __init__(self, file: str, rules: list[Rule]) -> None:
        self.file = file
        self._last_first = rules[::-1]

    def decide(self, path: bytes, is_directory: bool, check: Callable[[], None] | None = None) -> Rule | None:
        """Return the line that decides about a path (relative to the file's directory), or None.

        `check` may raise: it is called now and then.
        """
        name = path.rpartition(b"/")[2]
        for number, rule in enumerate(self._last_first):
            if check is not None and number % RULES_BETWEEN_CHECKS == 0:
                check()
            if rule.holds(path, name, is_directory):
                return rule
        return None


def read_lines(
    name: str, directory: int | None, refused: Callable[[str], object] = lambda name: None
) -> list[bytes] | None:
    """Return the lines of a regular file in an open directory.

    Return None where there is none; `refused` is told the name of what is no such file, or too long.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
    try:
        descriptor = os.open(name, flags | (os.O_NOFOLLOW if directory is not None else 0), dir_fd=directory)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        content = file.read(MOST_BYTES + 1) if is_file else b""
        if is_file and len(content) <= MOST_BYTES and content.count(b"\n") <= MOST_LINES:
            return split_lines(content)
    refused(name)
    return None


def split_lines(content: bytes) -> list[bytes]:
    """Return the lines of a content without their ends."""
    return [line.removesuffix(b"\r") for line in content.removeprefix(_MARK).split(b"\n")]


def rules_of(lines: list[bytes]) -> list[Rule]:
    """Return what lines say; blank ones and comments say nothing."""
    rules = (read_rule(line, number) for number, line in enumerate(lines, 1))
    return [rule for rule in rules if rule is not None]


def read_rule(line: bytes, number: int = 1) -> Rule | None:
    """Return what one line says, or None: blanks at its end count only after a backslash."""
    written = without_blanks(line.partition(b"\0")[0])
    return None if not written or written.startswith(b"#") else Rule(written, number)


def without_blanks(line: bytes) -> bytes:
    """Return a line without the spaces at its end; `\\ ` is one that stays."""
    end, position = 0, 0
    if not line.endswith(b" "):
        return line
    while position < len(line):
        if line[position : position + 1] == b"\\":
            position += 1
            if position == len(line):
                return line
            end = position + 1
        elif line[position : position + 1] != b" ":
            end = position + 1
        position += 1
    return line[:end]
