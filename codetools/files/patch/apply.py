"""A located hunk as bytes: its context keeps the file's, its new lines take the file's endings and indentation."""

from codetools.files.match import Span, margin_of, shift_back
from codetools.files.patch.lines import FileLines, body_of, ending_of
from codetools.files.patch.locate import Place
from codetools.files.patch.model import Hunk, Line
from codetools.files.working import Working


class Changed:
    """The lines that a hunk changes, from the first to the last: what `span_of` replaces."""

    def __init__(self, hunk: Hunk, place: Place) -> None:
        marks = [line.mark != " " for line in hunk.lines]
        first = marks.index(True)
        last = len(marks) - marks[::-1].index(True)
        self.lines = hunk.lines[first:last]
        self.start = place.start + first
        self.end = self.start + sum(line.mark != "+" for line in self.lines)


def span_of(text: Working, file: FileLines, hunk: Hunk, place: Place) -> Span | None:
    """Return the bytes that a hunk replaces; None where a new line cannot be indented as the file is."""
    changed = Changed(hunk, place)
    out: list[bytes] = []
    at = changed.start
    run: list[Line] = []
    for line in (*changed.lines, None):
        if line is not None and line.mark != " ":
            run.append(line)
            continue
        removed = sum(one.mark == "-" for one in run)
        added = _added(text, file, hunk, place, run, at)
        if added is None:
            return None
        out += added
        at += removed
        run = []
        if line is not None:
            out.append(file.lines[at])
            at += 1
    _end_lines(out, file, hunk, place, changed.end)
    start, end = file.offset(changed.start), file.offset(changed.end)
    is_below_unterminated = out and changed.start == len(file) and file.is_unterminated
    return Span(start, end, (file.ending if is_below_unterminated else b"") + b"".join(out))


def _added(text: Working, file: FileLines, hunk: Hunk, place: Place, run: list[Line], at: int) -> list[bytes] | None:
    """Return the new lines of one run of changes, whose removed lines begin at line `at` of the file."""
    lines = [line for line in run if line.mark == "+"]
    given = [text.encode(line.text) for line in lines]
    if place.tier == "exact" and (place.start < place.end or any(line.endswith(b"\r") for line in given)):
        return [body + (b"" if line.is_unterminated else b"\n") for body, line in zip(given, lines, strict=True)]
    bodies = [body.removesuffix(b"\r") for body in given]
    if place.tier == "indentation":
        margin = margin_of([body_of(text.encode(line.text)) for line in hunk.side("-")])
        shifted = [shift_back(body, margin, place.shift) for body in bodies]
        if any(body is None for body in shifted):
            return None
        bodies = [body for body in shifted if body is not None]
    removed = sum(line.mark == "-" for line in run)
    endings = [ending for line in file.lines[at : at + removed] if (ending := ending_of(line))]
    endings = endings or [_ending_near(file, place, at)]
    return [body + endings[min(number, len(endings) - 1)] for number, body in enumerate(bodies)]


def _ending_near(file: FileLines, place: Place, at: int) -> bytes:
    """Return the ending of the hunk's line above, else below, else of most lines."""
    near = [*file.lines[place.start : at][::-1], *file.lines[at : place.end]]
    return next((ending for line in near if (ending := ending_of(line))), file.ending)


def _end_lines(out: list[bytes], file: FileLines, hunk: Hunk, place: Place, end: int) -> None:
    """End every line but the last of the file, and that one as the file does unless the patch changes it."""
    for number, line in enumerate(out if end < len(file) else out[:-1]):
        if not line.endswith(b"\n"):
            out[number] = line + file.ending
    if not out or end < len(file):
        return
    old, new = hunk.side("-"), hunk.side("+")
    if place.tier == "exact" and old:
        return
    was, is_now = (bool(side) and side[-1].is_unterminated for side in (old, new))
    is_unterminated = file.is_unterminated if was == is_now else is_now
    if is_unterminated and out[-1].endswith(b"\n"):
        out[-1] = body_of(out[-1])
    elif not is_unterminated and not out[-1].endswith(b"\n"):
        out[-1] += file.ending
