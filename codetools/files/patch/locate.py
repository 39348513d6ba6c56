"""Where the hunks of one file belong: exactly before loosely, in one place only, never by likeness."""

from collections.abc import Iterator

from codetools.core.record import Record
from codetools.files.match import BLANKS, Tier, margin_of
from codetools.files.patch.lines import FileLines, body_of, top_of
from codetools.files.patch.model import Hunk
from codetools.files.patch.region import Region, regions

TIERS: tuple[Tier, ...] = ("exact", "line_endings", "trailing_blanks", "indentation")
NEWLINE = 0x0A
MOST_PLACES = 1000
ANCHORS = 4
NEAR_LINES = 10  # that a stated line may be off by, where every other place is at least FARTHER times as far
FARTHER = 3


class Place(Record):
    """Lines `start` to `end` (0-based, end excluded) that a hunk's old lines are; `shift` is their indentation."""

    start: int
    end: int
    tier: Tier
    shift: bytes = b""

    def below(self, lines: int) -> "Place":
        """Return the same place, counted from so many lines further up."""
        return self.but(start=self.start + lines, end=self.end + lines) if lines else self


class Located(Record):
    """What was found for one hunk: its place, or all the places it could mean, or none and why."""

    place: Place | None
    candidates: tuple[Place, ...] = ()
    problem: str = ""


class Target(Record):
    """A hunk in the file's own encoding: its old lines, and the lines that it must stand below."""

    hunk: Hunk
    old: tuple[bytes, ...]
    headers: tuple[bytes, ...]


def part_around(content: bytes, target: Target, *, with_bom: bool) -> FileLines | None:
    """Return the lines around the only exact place of a hunk; None where the file's other lines have a say in it.

    So most hunks need a few lines of a large file, and not a list of them all.
    """
    is_last = target.hunk.is_at_end or any(line.is_unterminated for line in target.hunk.lines)
    if not target.old or target.headers or is_last:
        return None
    old = b"".join(target.old)
    start = _line_with(content, old, 0, with_bom=with_bom)
    if start < 0 or _line_with(content, old, start + 1, with_bom=with_bom) >= 0:
        return None
    end = content.find(b"\n", start + len(old)) + 1  # with the line below, which tells that the file goes on
    return FileLines(content, with_bom=with_bom, start=start, end=end or None)


def locate(file: FileLines, targets: tuple[Target, ...]) -> tuple[Located, ...]:
    """Return where each hunk belongs. A line number only chooses between places that are equally good."""
    found = [_places(file, target) for target in targets]
    drift = 0
    located: list[Located] = []
    for target, places in zip(targets, found, strict=True):
        if isinstance(places, str):
            located.append(Located(None, problem=places))
            continue
        place = places[0] if len(places) == 1 else _by_number(places, target.hunk.at, drift)
        if place is not None and _is_doubtful(file, target.hunk, place, places):
            place = None
        if place is not None and target.hunk.at is not None:
            drift = place.start - (target.hunk.at - 1)
        located.append(Located(place, tuple(places)))
    return tuple(located)


def _line_with(content: bytes, old: bytes, start: int, *, with_bom: bool) -> int:
    """Return the next place of whole lines, or -1."""
    top = top_of(content, with_bom=with_bom)
    while (start := content.find(old, start)) >= 0:
        if start == top or (start and content[start - 1] == NEWLINE):
            return start
        start += 1
    return -1


def _places(file: FileLines, target: Target) -> list[Place] | str:
    """Return the places at the strictest tier that has any, in the blocks that the headers open, else below them."""
    blocks = regions(file, target.headers)
    if isinstance(blocks, str):
        return blocks
    if not target.old:
        return _insertion(file, target, blocks)
    for is_wide in (False, True) if target.headers else (False,):
        allowed = [Region(min(block.start for block in blocks), len(file))] if is_wide else blocks
        for tier in TIERS:
            found = [
                place
                for place in _at_tier(file, target, tier)
                if any(block.start <= place.start < block.end for block in allowed)
            ]
            if found:
                return found
    return []


def _insertion(file: FileLines, target: Target, blocks: list[Region]) -> list[Place] | str:
    """Return where lines without any old line belong: at the end, or below the header."""
    if not file.lines or target.hunk.is_at_end:
        return [Place(len(file), len(file), "exact")]
    if target.headers:
        return [Place(block.start + 1, block.start + 1, "exact") for block in blocks]
    return "it only adds lines and does not say where: it has no context line"


def _at_tier(file: FileLines, target: Target, tier: Tier) -> Iterator[Place]:
    keys = file.keys(tier)
    old = [_key(line, tier) for line in target.old]
    if tier in ("trailing_blanks", "indentation") and not any(line.strip(BLANKS) for line in old):
        return
    anchor = _rarest(keys, old)
    position, count = -1, 0
    while count < MOST_PLACES:
        try:
            position = keys.index(old[anchor], position + 1)
        except ValueError:
            return
        start = position - anchor
        end = start + len(old)
        if start < 0 or keys[start:end] != old or not _may_end(file, target.hunk, end):
            continue
        shift = _shift(file, target, start) if tier == "indentation" else b""
        if shift is not None:
            count += 1
            yield Place(start, end, tier, shift)


def _rarest(keys: list[bytes], old: list[bytes]) -> int:
    """Return the number of the old line to look for first: of the longest ones that which the file holds least."""
    longest = sorted(range(len(old)), key=lambda number: -len(old[number]))[:ANCHORS]
    return min(longest, key=lambda number: keys.count(old[number])) if len(longest) > 1 else longest[0]


def _key(line: bytes, tier: Tier) -> bytes:
    if tier == "exact":
        return line
    body = body_of(line)
    return body if tier == "line_endings" else body.rstrip(BLANKS) if tier == "trailing_blanks" else body.strip(BLANKS)


def _may_end(file: FileLines, hunk: Hunk, end: int) -> bool:
    """Whether old lines may end there: those that say that the file ends with them end with it."""
    is_last = hunk.is_at_end or any(line.is_unterminated for line in hunk.lines)
    return end == len(file) or not is_last


def _shift(file: FileLines, target: Target, start: int) -> bytes | None:
    """Return the indentation that stands in the file in place of the margin; None where the lines disagree."""
    margin = margin_of([body_of(line) for line in target.old])
    bare = file.keys("trailing_blanks")
    shift: bytes | None = None
    for number, line in enumerate(target.old, start):
        rest = body_of(line).rstrip(BLANKS)[len(margin) :]
        if not rest:
            continue
        if not bare[number].endswith(rest):
            return None
        found = bare[number][: len(bare[number]) - len(rest)]
        if found.strip(BLANKS) or (shift is not None and found != shift):
            return None
        shift = found
    return shift


def _by_number(places: list[Place], at: int | None, drift: int) -> Place | None:
    """Return the place at the stated line, or the only one near it; None where that does not decide."""
    if at is None or not places:
        return None
    for stated in (at - 1 + drift, at - 1):
        for place in places:
            if place.start == stated:
                return place
    if at <= 1:
        return None  # what models write where they do not know
    nearest, second = sorted(abs(place.start - (at - 1 + drift)) for place in places)[:2]
    if nearest > NEAR_LINES or second < FARTHER * nearest:
        return None
    return min(places, key=lambda place: abs(place.start - (at - 1 + drift)))


def _is_doubtful(file: FileLines, hunk: Hunk, place: Place, places: list[Place]) -> bool:
    """Whether another place is at the end of the file, where a hunk belongs that has context above it only."""
    says_end = hunk.lines[0].mark == " " and hunk.lines[-1].mark != " "
    return says_end and place.end != len(file) and any(other.end == len(file) for other in places)
