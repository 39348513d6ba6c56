"""Which part of a file the `@@` lines of a hunk mean: the blocks that the named lines open."""

from codetools.core.record import Record
from codetools.files.match import BLANKS
from codetools.files.patch.lines import FileLines

MOST_STARTS = 500


class Region(Record):
    """Lines `start` to `end`, 0-based, end excluded."""

    start: int
    end: int


def regions(file: FileLines, headers: tuple[bytes, ...]) -> list[Region] | str:
    """Return each part that the headers allow, the whole file without any; a text says which header is not there."""
    found = [Region(0, max(1, len(file)))]
    for header in headers:
        starts = _starts(file, header, found) or _starts(
            file, header, [Region(part.start, len(file)) for part in found]
        )
        if not starts:
            return f"its @@ line does not occur{' below the one before it' if header != headers[0] else ''}: " + repr(
                header.decode("utf-8", "replace")
            )
        if len(starts) > MOST_STARTS:
            return f"its @@ line occurs {len(starts):,} times"
        found = [Region(start, _block_end(file, start)) for start in starts]
    return found


def _starts(file: FileLines, header: bytes, parts: list[Region]) -> list[int]:
    """Return the lines that are the header, at the strictest of three tries: all of it, blanks aside, its start."""
    stripped, wanted = file.keys("indentation"), header.strip(BLANKS)
    bare = file.keys("trailing_blanks")
    numbers = sorted({number for part in parts for number in range(part.start, min(part.end, len(file)))})
    return (
        [number for number in numbers if bare[number] == header.rstrip(BLANKS)]
        or [number for number in numbers if stripped[number] == wanted]
        or [number for number in numbers if _begins(stripped[number], wanted)]
    )


def _begins(line: bytes, header: bytes) -> bool:
    return line.startswith(header) and not line[len(header) : len(header) + 1].isalnum()


def _block_end(file: FileLines, start: int) -> int:
    """Return the first line below that has a text and is not indented deeper."""
    bare, stripped = file.keys("trailing_blanks"), file.keys("indentation")
    depth = len(bare[start]) - len(stripped[start])
    for number in range(start + 1, len(file)):
        if stripped[number] and len(bare[number]) - len(stripped[number]) <= depth:
            return number
    return len(file)
