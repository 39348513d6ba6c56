"""What an entry must be for `find`: the words of sizes, times and kinds, read once, and the test made of them."""

import os
import re
import stat
import time
from collections.abc import Callable
from typing import Literal

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.search.globs import anchored, matcher

Kind = Literal["file", "directory", "link", "other", "f", "d", "l"]
Matches = Callable[[str], object]

UNIT_BYTES = {"": 1, "c": 1, "k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
UNIT_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
DAY_SECONDS = 86_400.0
MINUTE_SECONDS = 60.0

_KIND_WORDS = {stat.S_IFREG: "file", stat.S_IFDIR: "directory", stat.S_IFLNK: "link"}
_SIZE = r"([+-]?)(\d{1,15})([ckKMGT]?)(?:i?B)?"
_AGE = r"(\d{1,6}(?:\.\d{1,6})?) ?(s|m|h|d|w|sec|min|hour|day|week|second|minute)s?(?: ago)?"
_COUNT = r"([+-]?)(\d{1,9})"


class Between(Record):
    """A size or time that is at least `least` and less than `below`; None where there is no bound."""

    least: float | None = None
    below: float | None = None

    def holds(self, value: float) -> bool:
        """Whether a value lies there."""
        return (self.least is None or value >= self.least) and (self.below is None or value < self.below)


class Criteria(Record):
    """What a wanted entry is. `name` takes a name where `is_path` is False, else a path."""

    name: Matches | None = None
    is_path: bool = False
    kind: str = ""
    sizes: tuple[Between, ...] = ()
    times: tuple[Between, ...] = ()
    is_empty: bool = False

    def status(self, directory: int, path: str, entry: "os.DirEntry[str]") -> os.stat_result | None:
        """Return the status of an entry of an open directory if it is wanted; one whose name fits is looked at."""
        if self.name is not None and not self.name(path if self.is_path else entry.name):
            return None
        try:
            if self.kind == "directory" and not entry.is_dir(follow_symlinks=False):
                return None
            if self.kind == "file" and not entry.is_file(follow_symlinks=False):
                return None
            status = entry.stat(follow_symlinks=False)
        except OSError:
            return None  # removed since it was listed
        if not self.takes(status) or (self.is_empty and stat.S_ISDIR(status.st_mode) and _holds(directory, entry.name)):
            return None
        return status

    def takes(self, status: os.stat_result) -> bool:
        """Whether an object is of the wanted kind, size and time; sizes are those of files."""
        kind = kind_word(status.st_mode)
        if self.kind and kind != self.kind:
            return False
        if self.sizes and (kind != "file" or not all(size.holds(status.st_size) for size in self.sizes)):
            return False
        if self.is_empty and (kind not in ("file", "directory") or (kind == "file" and status.st_size)):
            return False
        return all(moment.holds(status.st_mtime) for moment in self.times)


def kind_word(mode: int) -> str:
    """Return which of the four kinds that can be asked for an object is."""
    return _KIND_WORDS.get(stat.S_IFMT(mode), "other")


def whole_kind(kind: Kind | None) -> str:
    """Return a kind in full: find's letters stand for theirs."""
    return {"f": "file", "d": "directory", "l": "link"}.get(kind or "", kind or "")


def name_matcher(glob: str, *, ignores_case: bool) -> tuple[Matches, bool]:
    """Return the test of a glob, and whether it is one of paths: that is so where the glob holds a `/`."""
    is_path = "/" in glob
    pattern = anchored(glob) if is_path else glob
    if not ignores_case:
        return matcher(pattern), is_path
    matches = matcher(pattern.lower())
    return lambda text: matches(text.lower()), is_path


def size_range(text: str) -> Between:
    """Read `+10k` (larger), `-1M` (smaller), `10k` (when rounded up to whole KiB) or `120` (bytes)."""
    found = re.fullmatch(_SIZE, text.strip())
    if found is None:
        raise Failure(
            "usage", f"size: {_shown(text)} is no size.", "Write +10k (larger), -1M (smaller) or 120 (bytes)."
        )
    sign, digits, unit = found.groups()
    bytes_of_one = UNIT_BYTES[unit]
    size = int(digits) * bytes_of_one
    if sign == "+":
        return Between(least=size + 1)
    if sign == "-":
        return Between(below=size)
    return Between(least=size - bytes_of_one + 1, below=size + 1)


def age_in_units(text: str, field: str, unit_seconds: float, now: float) -> Between:
    """Read find's `-7` (less than 7 units ago), `+7` (more) or `7`, as times."""
    found = re.fullmatch(_COUNT, text.strip())
    if found is None:
        raise Failure("usage", f"{field}: {_shown(text)} is no number.", "Write -7 (less than), +7 (more than) or 7.")
    sign, digits = found[1], int(found[2])
    if sign == "-":
        return Between(least=now - digits * unit_seconds)
    if sign == "+":
        whole = digits + (unit_seconds == DAY_SECONDS)  # as find, which counts whole days only
        return Between(below=now - whole * unit_seconds)
    return Between(least=now - (digits + 1) * unit_seconds, below=now - digits * unit_seconds)


def moment(text: str, field: str, now: float, mtime_of: Callable[[str], float]) -> float:
    """Read an age (`2d`), a date or time (`2024-05-01`, `2024-05-01T10:30`), `@SECONDS`, or a file's mtime."""
    text = text.strip()
    if age := re.fullmatch(_AGE, text):
        return now - float(age[1]) * UNIT_SECONDS[age[2][0]]
    if re.fullmatch(r"@\d{1,12}", text):
        return float(text[1:])
    if re.match(r"\d{4}-\d\d", text):
        return _date(text, field)
    try:
        return mtime_of(text)
    except Failure as failure:
        if failure.kind != "not_found":
            raise
        message = f"{field}: {_shown(text)} is no age, no date and no file."
        raise Failure("usage", message, "Write 2d, 3h, 2024-05-01, 2024-05-01T10:30 or a path.") from None


def now_seconds() -> float:
    """Return the present, as times of files count."""
    return time.time()


def _holds(parent: int, name: str) -> bool:
    """Whether a directory holds anything at all, or cannot be read."""
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    except OSError:
        return True
    try:
        with os.scandir(descriptor) as entries:
            return next(entries, None) is not None
    except OSError:
        return True
    finally:
        os.close(descriptor)


def _date(text: str, field: str) -> float:
    from datetime import datetime

    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError) as error:
        message = f"{field}: {_shown(text)} is no date: {error}."
        raise Failure("usage", message, "Write 2024-05-01 or 2024-05-01T10:30.") from None


def _shown(text: str) -> str:
    return repr(text[:60])
