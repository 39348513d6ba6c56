"""What a search tool says about what it did not search or show: counted for programs, in a sentence for the reader."""

import time
from collections.abc import Callable, Iterable, Mapping

from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.search.notes import Passed

NAMES_SHOWN = 5
NOT_READ = "No rules were read from what is no file, or over 1 MiB or 10,000 lines long"


class Skipped(Record):
    """How many entries were passed over; a directory counts once. Null: not counted on this search."""

    withheld: Annotated[int, Arg("Files that may not be shown unasked.")] = 0
    binary: Annotated[int, Arg("Binary files with a match, whose lines are not shown.")] = 0
    unreadable: int = 0
    large: Annotated[int, Arg("Files above limits.grep_file_bytes.")] = 0
    ignored: Annotated[int | None, Arg("By ignore rules or default excludes.")] = None
    links: int | None = None
    special: Annotated[int | None, Arg("FIFOs, sockets and devices.")] = None


def count_passed(passed: Iterable[Passed]) -> dict[str, int]:
    """Return how many entries an engine passed over, by reason."""
    counts: dict[str, int] = {}
    for entry in passed:
        counts[entry.why] = counts.get(entry.why, 0) + 1
    return counts


def with_passed(skipped: Skipped, counts: Mapping[str, int]) -> Skipped:
    """Return the same with the counts of what an engine passed over."""
    ignored = counts.get("ignored", 0) + counts.get("default", 0)
    return skipped.but(ignored=ignored, links=counts.get("link", 0), special=counts.get("special", 0))


def named(paths: Iterable[str], show: Callable[[str], Path] = Path) -> str:
    """Return the first few paths in brackets, as they are printed."""
    every = list(paths)
    shown = ", ".join(show(path).printable() for path in every[:NAMES_SHOWN])
    return f"({shown}{', …' if len(every) > NAMES_SHOWN else ''})"


def passed_rules(paths: Iterable[Path]) -> str:
    """Return what is said of ignore files that are none or too long, if there are any."""
    every = list(paths)
    return f"{NOT_READ} {named(every)}" if every else ""


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return `1 match` or `2,000 matches`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def unfinished(seconds: float, result: Result) -> Failure:
    """Return what a search is that found nothing before its time ran out: no answer, least of all a no."""
    message = f"the search ran out of time after {seconds:g} seconds with nothing found yet; there may be more."
    return Failure(
        "timeout", message, "Name a smaller directory or a glob, or raise limits.search_seconds.", data=result
    )


def short_size(size: int) -> str:
    """Return a size in bytes as `512B`, `1.5K`, `30M`."""
    number, unit = float(size), "B"
    for following in "KMGTP":
        if number < 1024:
            break
        number, unit = number / 1024, following
    return f"{number:.1f}{unit}" if unit != "B" and number < 10 else f"{number:.0f}{unit}"


def moment_words(seconds: float) -> str:
    """Return a time (since the epoch) as `2024-05-01 10:30`, where the machine is."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (ValueError, OverflowError, OSError):
        return "?"


def one_line(name: str) -> str:
    """Return a name in one row: control characters escaped, and then the whole in quotes."""
    if name.isprintable():
        return name
    shown = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    escaped = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown.replace("\\", "\\\\")
    )
    return escaped if escaped == shown else f'"{escaped}"'
