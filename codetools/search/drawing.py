"""Draws a measured tree, the whole of it in so many rows: upper levels first, and what is left out is counted."""

from codetools.core.outcome import Span
from codetools.core.record import Record
from codetools.search.entries import Entry
from codetools.search.measure import Branch
from codetools.search.said import counted, one_line, short_size

BRANCH, LAST, PASS, GAP = "|-- ", "`-- ", "|   ", "    "

Line = tuple[Span, ...]


class Drawing(Record):
    """Lines below the root's, and which limits bit."""

    lines: tuple[Line, ...]
    is_cut_by_depth: bool
    is_cut_by_entries: bool
    is_cut_by_rows: bool


def draw(root: Branch, most_rows: int) -> Drawing:
    """Return a tree as lines of spans. Directories are opened level by level while there are rows for all in them."""
    opened = _choose(root, most_rows)
    lines: list[Line] = []
    seen = {"depth": False, "entries": False, "rows": False}

    def visit(branch: Branch, indent: str) -> None:
        more = branch.total_entries - len(branch.entries)
        for position, entry in enumerate(branch.entries):
            is_last = position == len(branch.entries) - 1 and not more
            below = branch.branches.get(entry.name)
            is_open = below is not None and id(below) in opened
            spans = [Span(indent + (LAST if is_last else BRANCH), "dim"), *_entry_spans(entry)]
            if below is not None and not is_open and below.total_entries:
                seen["rows" if below.entries else "depth"] = True
                spans.append(Span(f" ({_contents(below)})", "dim"))
            lines.append(tuple(spans))
            if below is not None and is_open:
                visit(below, indent + (GAP if is_last else PASS))
        if more > 0:
            seen["entries"] = True
            lines.append((Span(indent + LAST, "dim"), Span(f"… and {more:,} more", "dim")))

    visit(root, "")
    return Drawing(tuple(lines), seen["depth"], seen["entries"], seen["rows"])


def _choose(root: Branch, most_rows: int) -> set[int]:
    """Return the directories that are opened: level by level, the small ones of a level first."""
    opened = {id(root)}
    rows = len(root.entries)
    level = [root]
    while level:
        below = sorted((child for branch in level for child in branch.branches.values()), key=_rows)
        level = []
        for child in below:
            if not child.entries or rows + _rows(child) > most_rows:
                continue
            rows += _rows(child)
            opened.add(id(child))
            level.append(child)
    return opened


def _rows(branch: Branch) -> int:
    return len(branch.entries) + (branch.total_entries > len(branch.entries))


def _entry_spans(entry: Entry) -> list[Span]:
    name = one_line(entry.name)
    if entry.kind == "directory":
        return [Span(name + "/", "path")]
    if entry.kind == "link":
        return [Span(name), Span(f" -> {one_line(entry.target or '')}", "dim")]
    return [Span(name), Span(f" ({short_size(entry.size) if entry.kind == 'file' else entry.kind})", "dim")]


def _contents(branch: Branch) -> str:
    parts = [counted(branch.total_files, "file")] if branch.total_files else []
    if branch.total_directories:
        parts.append(counted(branch.total_directories, "directory", "directories"))
    return ", ".join(parts)
