"""Why an edit does not apply: the places it could mean, or the lines that come nearest and where they part."""

from typing import Any

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.files.likely import LOOKALIKES, likely_form
from codetools.files.match import Found, line_numbers

SHOWN_LINES = 12
SHOWN_NUMBERS = 20
MOST_LINES = 50_000
MOST_COMPARED_LINES = 4000
LIKENESS = 0.6
SHOWN_CHARS = 200


class Nearest(Record):
    """The lines of a file that come nearest to a text, and the first of them that differs (0 where none does)."""

    first_line: int
    lines: tuple[str, ...]
    line: int
    file_text: str
    given_text: str


class Explanation(Record):
    """What comes nearest: words for the one-line message, lines to show, data for programs; all empty for nothing."""

    summary: str
    lines: tuple[str, ...]
    details: dict[str, Any]


def not_unique(shown: str, content: bytes, found: Found, problem: str = "") -> Failure:
    """Return `not_unique` with the number of every line where the text begins."""
    numbers, times = _places(content, found)
    message = f"{shown}: text occurs {times}{f', and {problem}' if problem else ''}."
    hint = "Add a neighbouring line, or use replace_all (--all)."
    if found.tier != "exact":
        hint = "Give the exact text, with a neighbouring line."
    return Failure("not_unique", message, hint, {"lines": numbers, "tier": found.tier})


def wrong_count(shown: str, content: bytes, found: Found, wanted: int) -> Failure:
    """Return `not_unique` for a text that occurs, but not as often as the caller says."""
    numbers, times = _places(content, found)
    message = f"{shown}: text occurs {times}, not {wanted:,}."
    details = {"lines": numbers, "tier": found.tier, "count": wanted}
    return Failure("not_unique", message, "Correct the count, or give more of the text.", details)


def no_match(shown: str, text: str, old: str) -> Failure:
    """Return `no_match` with the nearest lines and the first that differs, its blanks made visible."""
    hint = "Read the file again and copy the text exactly."
    found = explanation(text, old)
    likely = likely_form(text, old)
    if likely is not None:
        where = f"{likely.how.capitalize()}, it stands at line {likely.line}."
        details = {**found.details, "likely": {"line": likely.line, "how": likely.how}}
        found = Explanation(found.summary, (*found.lines, where), details)
    message = f"{shown}: the text does not occur{found.summary}."
    lines = [message, *found.lines, hint]
    return Failure("no_match", message, hint, found.details, text="\n".join(lines) if found.lines else "")


def explanation(text: str, old: str) -> Explanation:
    """Return what comes nearest to a text that does not occur, and where it parts from it."""
    nearest = find_nearest(text, old)
    if nearest is None:
        return Explanation("", (), {})
    last = nearest.first_line + len(nearest.lines) - 1
    details = {
        "nearest": {"first_line": nearest.first_line, "last_line": last},
        "diverges": {"line": nearest.line, "file": nearest.file_text, "given": nearest.given_text},
    }
    shown = [
        f"{number}\t{line[:SHOWN_CHARS]}" for number, line in enumerate(nearest.lines[:SHOWN_LINES], nearest.first_line)
    ]
    if not nearest.line:
        return Explanation(f"; lines {nearest.first_line} to {last} hold it in another form", tuple(shown), details)
    lines = [
        "Nearest:",
        *shown,
        f"First difference, at line {nearest.line} (· is a space, → a tab, ␍ a carriage return, \\u.... others):",
        f"  file:  {visible(nearest.file_text)}",
        f"  given: {visible(nearest.given_text)}",
        *_reason(nearest),
    ]
    return Explanation(f"; the nearest lines part at line {nearest.line}", tuple(lines), details)


def find_nearest(text: str, old: str) -> Nearest | None:
    """Return the lines that share most with `old`, or else begin like it; None where nothing is alike."""
    lines = text.split("\n")[:MOST_LINES]
    wanted = old.strip("\n").split("\n")
    start = _by_shared_lines(lines, wanted)
    if start is None:
        start = _by_likeness(lines, wanted)
    if start is None:
        return None
    first = max(start, 0)
    shown = tuple(lines[first : start + len(wanted)])
    for index, given in enumerate(wanted):
        there = lines[start + index] if 0 <= start + index < len(lines) else ""
        if there != given:
            return Nearest(first + 1, shown, max(start + index, 0) + 1, there, given)
    return Nearest(first + 1, shown, 0, "", "")


def visible(line: str) -> str:
    """Return a line with its blanks, tabs and carriage returns visible, and escapes for what has no shape."""
    marks = {" ": "·", "\t": "→", "\r": "␍"}
    shown = "".join(
        marks.get(character) or (character if _is_plain(character) else f"\\u{ord(character):04x}")
        for character in line[:SHOWN_CHARS]
    )
    return shown + ("…" if len(line) > SHOWN_CHARS else "")


def _is_plain(character: str) -> bool:
    """Whether a character is what it looks like."""
    return character.isprintable() and ord(character) not in LOOKALIKES


def _places(content: bytes, found: Found) -> tuple[list[int], str]:
    numbers = line_numbers(content, [span.start for span in found.spans])
    listed = ", ".join(map(str, numbers[:SHOWN_NUMBERS])) + (", ..." if len(numbers) > SHOWN_NUMBERS else "")
    count = f"more than {len(numbers):,}" if found.is_capped else f"{len(numbers):,}"
    where = f"line{'s' * (len(numbers) > 1)} {listed}"
    return numbers, f"{count} time{'s' * (len(numbers) > 1)} ({where})"


def _by_shared_lines(lines: list[str], wanted: list[str]) -> int | None:
    """Return the start that most lines of the text vote for, comparing them without outer blanks."""
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        places.setdefault(line.strip(), []).append(number)
    votes: dict[int, int] = {}
    for index, line in enumerate(wanted):
        body = line.strip()
        if len(body) > 2:
            for number in places.get(body, [])[:SHOWN_NUMBERS]:
                votes[number - index] = votes.get(number - index, 0) + 1
    return max(votes, key=lambda start: (votes[start], -start)) if votes else None


def _by_likeness(lines: list[str], wanted: list[str]) -> int | None:
    """Return where the line stands that is most like the text's longest one."""
    from difflib import SequenceMatcher

    index = max(range(len(wanted)), key=lambda number: len(wanted[number].strip()))
    body = wanted[index].strip()[:SHOWN_CHARS]
    if not body:
        return None
    matcher = SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(body)
    best, place = LIKENESS, None
    for number, line in enumerate(lines[:MOST_COMPARED_LINES]):
        matcher.set_seq1(line.strip()[:SHOWN_CHARS])
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best and (ratio := matcher.ratio()) > best:
            best, place = ratio, number
    return None if place is None else place - index


def _reason(nearest: Nearest) -> list[str]:
    there, given = nearest.file_text, nearest.given_text
    if there.rstrip("\r") == given:
        return ["They differ only in the line ending."]
    if there.split() == given.split():
        return ["They differ only in blanks."]
    if there.translate(LOOKALIKES) == given.translate(LOOKALIKES):
        return ["They differ only in typographic quotes, dashes or spaces."]
    if there.lower() == given.lower():
        return ["They differ only in upper and lower case."]
    if there in (given.replace('\\"', '"').replace("\\\\", "\\"), given.replace("\\", "\\\\").replace('"', '\\"')):
        return ["They differ only in escapes."]
    return []
