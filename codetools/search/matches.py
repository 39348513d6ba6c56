"""What grep returns: matches by file, for programs, for the model, for pipes and for terminals."""

from typing import ClassVar

from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result, Span, Truncated
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.search.links import FollowedLink
from codetools.search.said import Skipped, counted, one_line


class MatchSpan(Record):
    """One match in a line, in characters of `text`: from `start` up to but without `end`."""

    start: int
    end: int


class Match(Record):
    """A matching line, or the lines that a match spans."""

    path: Path
    line: int
    column: Annotated[int, Arg("In characters, from 1.")]
    byte_offset: Annotated[int, Arg("Of the first match in the file.")]
    text: Annotated[str, Arg("Without its line end; … where a long line is cut.")]
    spans: tuple[MatchSpan, ...]


class ContextLine(Record):
    """A line around a match."""

    path: Path
    line: int
    text: str


class MatchingFile(Record):
    """A file with a match."""

    path: Path


class FileCount(Record):
    """A file with a match, and how many of its lines match."""

    path: Path
    count: int


class GrepResult(Result):
    """What was found, in path order unless asked; one of `matches`, `files` and `counts` is set.

    Totals are null where unknown.
    """

    pattern: str
    total_matches: int | None
    total_files: Annotated[int | None, Arg("Files with a match.")]
    files_searched: int | None
    skipped: Skipped
    engine: str
    timed_out: bool
    matches: tuple[Match, ...] | None = None
    context: tuple[ContextLine, ...] | None = None
    files: tuple[MatchingFile, ...] | None = None
    counts: tuple[FileCount, ...] | None = None
    binary_files: tuple[MatchingFile, ...] | None = None
    long_line_files: Annotated[
        tuple[MatchingFile, ...] | None, Arg("Files with a match and a line too long to show.")
    ] = None
    links: Annotated[tuple[FollowedLink, ...] | None, Arg("Links that were met, where following was asked.")] = None
    truncated: Truncated | None = None
    is_numbered: bool = True

    is_quiet: ClassVar[bool] = False  # set per value by `printed`: not data, but how a person asked to see it
    is_null: ClassVar[bool] = False
    is_marked: ClassVar[bool] = False

    def printed(self, *, is_quiet: bool, is_null: bool, is_marked: bool) -> "GrepResult":
        """Return the same, printed as it was asked: not at all, with names that end in NUL, with `>>match<<`."""
        told = self.but()
        told.__dict__.update(is_quiet=is_quiet, is_null=is_null, is_marked=is_marked)
        return told

    def text(self) -> str:
        """Return the rows grouped by file."""
        if self.answers_no():
            searched = "" if self.files_searched is None else f" in {counted(self.files_searched, 'file')}"
            return f"No matches for {self.pattern}{searched}."
        if self.files is not None:
            return "\n".join(one_line(file.path) for file in self.files)
        if self.counts is not None:
            return "\n".join(f"{one_line(file.path)}:{file.count}" for file in self.counts)
        return "\n\n".join("\n".join([one_line(path), *map(self._said, rows)]) for path, rows in self._grouped())

    def plain(self) -> str:
        """Return rows as ripgrep prints them in a pipe."""
        if self.is_quiet or self.answers_no():
            return ""
        if self.files is not None:
            ends = "\0" if self.is_null else "\n"
            return "".join(f"{file.path}{ends}" for file in self.files)
        separator = "\0" if self.is_null else ""
        if self.counts is not None:
            return "\n".join(f"{file.path}{separator or ':'}{file.count}" for file in self.counts)
        lines: list[str] = []
        for path, rows in self._grouped():
            if self._has_gaps() and lines:
                lines.append("--")
            for row in rows:
                if row is None:
                    lines.append("--")
                    continue
                mark = ":" if isinstance(row, Match) else "-"
                text = _marked(row) if self.is_marked else row.text
                for number, line in enumerate(text.split("\n"), row.line):
                    numbered = f"{number}{mark}{line}" if self.is_numbered else line
                    lines.append(f"{path}{separator or mark}{numbered}")
        return "\n".join(lines)

    def is_exact(self) -> bool:
        """Whether nothing may be added in a pipe: a line feed after names that end in NUL."""
        return self.is_null and self.files is not None

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the rows grouped by file, the matches marked."""
        if self.is_quiet:
            return ()
        if self.answers_no():
            return ((Span(self.text(), "dim"),),)
        if self.files is not None:
            return tuple((Span(file.path, "path"),) for file in self.files)
        if self.counts is not None:
            return tuple((Span(file.path, "path"), Span(f":{file.count}")) for file in self.counts)
        lines: list[tuple[Span, ...]] = []
        for path, rows in self._grouped():
            lines += [()] * bool(lines)
            lines.append((Span(path, "path"),))
            width = max(len(str(row.line)) for row in rows if row is not None)
            for row in rows:
                lines += _displayed(row, width) if row is not None else [(Span("--", "dim"),)]
        return tuple(lines)

    def status(self) -> str:
        """Return how much was found."""
        if self.answers_no():
            return "no matches"
        files = counted(self.total_files, "file") if self.total_files is not None else "many files"
        if self.files is not None:
            return files
        matches = counted(self.total_matches, "match", "matches") if self.total_matches is not None else "matches"
        return f"{matches} in {files}"

    def answers_no(self) -> bool:
        """Whether nothing matched."""
        return not (self.matches or self.files or self.counts or self.binary_files or self.long_line_files)

    def _said(self, row: "Match | ContextLine | None") -> str:
        if row is None:
            return "  --"
        mark = ":" if isinstance(row, Match) else "-"
        lines = (_marked(row) if self.is_marked else row.text).split("\n")
        if not self.is_numbered:
            return "\n".join(f"  {line}" for line in lines)
        return "\n".join(f"  {number}{mark} {line}" for number, line in enumerate(lines, row.line))

    def _has_gaps(self) -> bool:
        return self.context is not None

    def _grouped(self) -> list[tuple[Path, list["Match | ContextLine | None"]]]:
        """Return matches and context lines by file, in line order, None for a gap between lines of context."""
        groups: dict[Path, list[Match | ContextLine]] = {}
        for match in self.matches or ():
            groups.setdefault(match.path, []).append(match)
        for around in self.context or ():
            groups[around.path].append(around)
        return [(path, self._with_gaps(sorted(rows, key=lambda row: row.line))) for path, rows in groups.items()]

    def _with_gaps(self, rows: list["Match | ContextLine"]) -> list["Match | ContextLine | None"]:
        out: list[Match | ContextLine | None] = []
        following = 0
        for row in rows:
            if self._has_gaps() and out and row.line > following:
                out.append(None)
            out.append(row)
            following = row.line + row.text.count("\n") + 1
        return out


def _marked(row: Match | ContextLine) -> str:
    """Return a row's text with `>>` and `<<` around each match."""
    text, position = "", 0
    for span in row.spans if isinstance(row, Match) else ():
        text += f"{row.text[position : span.start]}>>{row.text[span.start : span.end]}<<"
        position = span.end
    return text + row.text[position:]


def _displayed(row: Match | ContextLine, width: int) -> list[tuple[Span, ...]]:
    spans = row.spans if isinstance(row, Match) else ()
    mark = ":" if isinstance(row, Match) else "-"
    lines: list[tuple[Span, ...]] = []
    start = 0
    for number, line in enumerate(row.text.split("\n"), row.line):
        pieces = [Span(f"{number:>{width}}", "line_number"), Span(f"{mark} ", "dim")]
        position = 0
        for span in spans:
            left, right = max(0, span.start - start), min(len(line), span.end - start)
            if right > left:
                pieces += [Span(line[position:left])] * (left > position) + [Span(line[left:right], "match")]
                position = right
        lines.append((*pieces, Span(line[position:])))
        start += len(line) + 1
    return lines
