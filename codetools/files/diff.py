"""What would change in a file, as a unified diff with exact counts."""

from collections.abc import Iterator

from codetools.core.path import quoted
from codetools.core.record import Record

CONTEXT_LINES = 3
MOST_COMPARED = 4_000_000  # pairs of lines; a larger block is shown as replaced whole
MOST_SCATTERED = 0.1  # of the lines, up to which two texts of equal length are compared line by line

Block = tuple[int, int, int, int]  # lines [0:1] of the old text become lines [2:3] of the new one


class Diff(Record):
    """`text` is empty where nothing changes, and ends with a line that says so where it was cut."""

    text: str
    additions: int
    removals: int


def diff(old: str | None, new: str | None, path: str, most_chars: int) -> Diff:
    """Return the change from `old` to `new`; None stands for no file."""
    before, after = _lines(old), _lines(new)
    blocks = list(_blocks(before, after))
    additions = sum(block[3] - block[2] for block in blocks)
    removals = sum(block[1] - block[0] for block in blocks)
    header = [_header("---", "a", path, old), _header("+++", "b", path, new)]
    return Diff(_capped(header, _hunks(before, after, blocks), most_chars) if blocks else "", additions, removals)


def size_diff(what: str, path: str, old_size: int | None, new_size: int | None) -> str:
    """Return one line for a change of content that is not text, or too large to compare; `what` names its kind."""
    sizes = [f"{size:,} bytes" if size is not None else "nothing" for size in (old_size, new_size)]
    return f"{what} {quoted(path)} changes: {sizes[0]} to {sizes[1]}.\n"


def _lines(text: str | None) -> list[str]:
    lines = (text or "").split("\n")
    last = lines.pop()
    lines = [line + "\n" for line in lines]
    return [*lines, last] if last else lines


def _header(mark: str, side: str, path: str, text: str | None) -> str:
    return f"{mark} /dev/null\n" if text is None else f"{mark} {quoted(side + '/' + path.lstrip('/'))}\n"


def _blocks(before: list[str], after: list[str]) -> Iterator[Block]:
    """Yield what differs; equal lines at both ends are set aside before anything is compared at a cost."""
    start, most = 0, min(len(before), len(after))
    while start < most and before[start] == after[start]:
        start += 1
    end = 0
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    if not old and not new:
        return
    if len(old) <= 1 or len(new) <= 1:
        inner: Iterator[Block] = iter([(0, len(old), 0, len(new))])
    else:
        inner = _inner_blocks(old, new)
    for first, last, new_first, new_last in inner:
        yield first + start, last + start, new_first + start, new_last + start


def _inner_blocks(old: list[str], new: list[str]) -> Iterator[Block]:
    if len(old) == len(new):
        changed = [index for index, line in enumerate(old) if line != new[index]]
        if len(changed) <= max(1, len(old) * MOST_SCATTERED):
            yield from _runs(changed)
            return
    if len(old) * len(new) > MOST_COMPARED:
        yield 0, len(old), 0, len(new)
        return
    from difflib import SequenceMatcher

    for tag, first, last, new_first, new_last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield first, last, new_first, new_last


def _runs(indexes: list[int]) -> Iterator[Block]:
    start = previous = indexes[0]
    for index in [*indexes[1:], -1]:
        if index != previous + 1:
            yield start, previous + 1, start, previous + 1
            start = index
        previous = index


def _hunks(before: list[str], after: list[str], blocks: list[Block]) -> Iterator[str]:
    group: list[Block] = []
    for block in blocks:
        if group and block[0] - group[-1][1] > 2 * CONTEXT_LINES:
            yield from _hunk(before, after, group)
            group = []
        group.append(block)
    yield from _hunk(before, after, group)


def _hunk(before: list[str], after: list[str], group: list[Block]) -> Iterator[str]:
    first, last = max(0, group[0][0] - CONTEXT_LINES), min(len(before), group[-1][1] + CONTEXT_LINES)
    new_first = group[0][2] - (group[0][0] - first)
    new_last = group[-1][3] + (last - group[-1][1])
    yield f"@@ -{_range(first, last)} +{_range(new_first, new_last)} @@\n"
    position = first
    for old_start, old_end, new_start, new_end in group:
        yield from (_line(" ", line) for line in before[position:old_start])
        yield from (_line("-", line) for line in before[old_start:old_end])
        yield from (_line("+", line) for line in after[new_start:new_end])
        position = old_end
    yield from (_line(" ", line) for line in before[position:last])


def _range(first: int, last: int) -> str:
    """Return a hunk's range: the line before it where it is empty, and no count where it is one line."""
    length = last - first
    if length == 1:
        return str(first + 1)
    return f"{first + 1 if length else first},{length}"


def _line(mark: str, line: str) -> str:
    return mark + line if line.endswith("\n") else f"{mark}{line}\n\\ No newline at end of file\n"


def _capped(header: list[str], hunks: Iterator[str], most_chars: int) -> str:
    shown = list(header)
    size = sum(map(len, shown))
    left = 0
    for line in hunks:
        size += len(line)
        if size > most_chars:
            left += 1
        else:
            shown.append(line)
    if left:
        shown.append(f"... {left:,} more lines of this diff\n")
    return "".join(shown)
