"""Regular-expression search over the workspace."""

from typing import Annotated, Literal

from codetools.context import Context
from codetools.core.arg import Arg
from codetools.core.dump import dump
from codetools.core.errors import Failure
from codetools.core.outcome import Next, Result, Span, Truncated
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, tool
from codetools.search.area import Area, pace_of
from codetools.search.find import Found, Pace
from codetools.search.job import Query
from codetools.search.permitted import Withheld
from codetools.search.rows import Row, read_rows
from codetools.search.said import Skipped, count_passed, counted, named

OutputMode = Literal["content", "files_with_matches", "count"]
MODE_FLAGS = (("files_with_matches", "l"), ("count", "c"))
LOOK_AROUND_SECONDS = 2.0  # after a search that found nothing, to say what it left out


class Params(Record):
    """What to look for, and where."""

    pattern: Annotated[str, Arg("Regular expression.", positional=True, aliases=("regex", "query", "search", "regexp"))]
    path: Annotated[Path, Arg("File or directory.", positional=True, aliases=("directory", "dir", "file_path"))] = Path(
        "."
    )
    glob: Annotated[
        tuple[str, ...],
        Arg(
            "Keep paths matching GLOB (`*.py`, `src/**`); `!GLOB` drops.",
            short="g",
            metavar="GLOB",
            aliases=("include", "globs", "file_pattern"),
        ),
    ] = ()
    type: Annotated[str | None, Arg("File type, such as py or rust.", short="t", aliases=("file_type",))] = None
    output_mode: Annotated[OutputMode, Arg("What to return.", flags=MODE_FLAGS)] = "content"
    context: Annotated[
        int,
        Arg("Lines to show around each match.", short="C", minimum=0, maximum=1000, aliases=("-C", "context_lines")),
    ] = 0
    before: Annotated[
        int | None,
        Arg("Lines before each match.", short="B", minimum=0, maximum=1000, aliases=("-B",), model=False),
    ] = None
    after: Annotated[
        int | None, Arg("Lines after each match.", short="A", minimum=0, maximum=1000, aliases=("-A",), model=False)
    ] = None
    case_insensitive: Annotated[bool, Arg("Ignore case.", short="i", aliases=("-i", "ignore_case"))] = False
    smart_case: Annotated[
        bool, Arg("Ignore case where the pattern has no capital.", short="S", aliases=("-S",), model=False)
    ] = False
    word: Annotated[bool, Arg("Match whole words only.", short="w", aliases=("-w", "word_regexp"), model=False)] = False
    literal: Annotated[
        bool, Arg("The pattern is plain text.", short="F", aliases=("-F", "fixed_strings", "fixed_string"))
    ] = False
    multiline: Annotated[bool, Arg("A match may span lines.", short="U", aliases=("-U",))] = False
    head_limit: Annotated[
        int | None,
        Arg("Most matches (or files) to show; 0: all.", short="m", minimum=0, aliases=("max_results", "limit")),
    ] = None
    offset: Annotated[int, Arg("Matches (or files) to skip.", minimum=0, model=False)] = 0
    include_ignored: Annotated[bool, Arg("Search ignored files too.", aliases=("no_ignore",))] = False
    line_numbers: Annotated[bool, Arg("Number the lines.", aliases=("-n",), model=False)] = True


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
    """What was found, in path order; one of `matches`, `files` and `counts` is set. Totals are null where unknown."""

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
    truncated: Truncated | None = None
    is_numbered: bool = True

    def text(self) -> str:
        """Return the rows grouped by file."""
        if self.answers_no():
            searched = "" if self.files_searched is None else f" in {counted(self.files_searched, 'file')}"
            return f"No matches for {self.pattern}{searched}."
        if self.files is not None:
            return "\n".join(file.path for file in self.files)
        if self.counts is not None:
            return "\n".join(f"{file.path}:{file.count}" for file in self.counts)
        return "\n\n".join("\n".join([path, *map(self._said, rows)]) for path, rows in self._grouped())

    def plain(self) -> str:
        """Return rows as ripgrep prints them in a pipe."""
        if self.answers_no():
            return ""
        if self.matches is None:
            return self.text()
        lines: list[str] = []
        for path, rows in self._grouped():
            if self._has_gaps() and lines:
                lines.append("--")
            for row in rows:
                if row is None:
                    lines.append("--")
                    continue
                mark = ":" if isinstance(row, Match) else "-"
                for number, line in enumerate(row.text.split("\n"), row.line):
                    lines.append(f"{path}{mark}{number}{mark}{line}" if self.is_numbered else f"{path}{mark}{line}")
        return "\n".join(lines)

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the rows grouped by file, the matches marked."""
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
        return not (self.matches or self.files or self.counts or self.binary_files)

    def _said(self, row: "Match | ContextLine | None") -> str:
        if row is None:
            return "  --"
        mark = ":" if isinstance(row, Match) else "-"
        lines = row.text.split("\n")
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


@tool(
    READ_ONLY,
    aliases=("grep_search", "search_files", "ripgrep"),
    search_hint="find text regex code content",
    examples=("codetools grep 'def main' src", "codetools grep -l -i todo -g '*.py'"),
)
def grep(params: Params, context: Context) -> GrepResult:
    """Search file contents by regular expression."""
    limits = context.limits
    limit = limits.grep_matches_most if params.head_limit == 0 else params.head_limit or limits.grep_matches
    limit = min(limit, limits.grep_matches_most)
    query = _query(params)
    pace = pace_of(limits.search_seconds, context.remaining_seconds(), context.check_cancelled)
    with Area(
        context.files,
        context.settings,
        params.path,
        "grep",
        include_ignored=params.include_ignored,
        only=params.glob,
        type=params.type,
    ) as area:
        if params.output_mode == "content":
            found, withheld = area.find_matches(query, params.offset + limit + 1, pace)
        else:
            output: Literal["paths", "counts"] = "paths" if params.output_mode == "files_with_matches" else "counts"
            found, withheld = area.find_files(query, output, pace)
        result = _result(params, limit, limits.grep_line_chars, area, found, withheld)
        if result.answers_no():
            _refuse_unreadable(found, area)
        _tell(result, found, withheld, area, context)
        if result.answers_no() and not params.include_ignored and not area.is_file:
            result = _with_passed(result, area, pace, context)
    return result


def _query(params: Params) -> Query:
    if not params.pattern:
        raise Failure("usage", "grep: the pattern is empty.", "To list files use glob.")
    case: Literal["sensitive", "insensitive", "smart"] = "smart" if params.smart_case else "sensitive"
    return Query(
        pattern=params.pattern,
        case="insensitive" if params.case_insensitive else case,
        is_literal=params.literal,
        is_word=params.word,
        is_multiline=params.multiline,
        before=params.context if params.before is None else params.before,
        after=params.context if params.after is None else params.after,
    )


def _result(params: Params, limit: int, most_chars: int, area: Area, found: Found, withheld: Withheld) -> GrepResult:
    skipped = Skipped(withheld=len(withheld.paths), binary=len(found.binary), unreadable=len(found.unread))
    result = GrepResult(
        pattern=params.pattern,
        binary_files=tuple(MatchingFile(area.show(path)) for path in found.binary[:limit]) or None,
        total_matches=found.total_matches,
        total_files=found.total_files,
        files_searched=found.searched,
        skipped=skipped,
        engine=area.engine.name,
        timed_out=found.timed_out,
        is_numbered=params.line_numbers,
    )
    start, end = params.offset, params.offset + limit
    if params.output_mode == "files_with_matches":
        files = tuple(MatchingFile(area.show(path)) for path, _ in found.counts[start:end])
        result = result.but(files=files)
        shown, unit, more = len(files), "files", len(found.counts) > end
    elif params.output_mode == "count":
        counts = tuple(FileCount(area.show(path), count) for path, count in found.counts[start:end])
        result = result.but(counts=counts)
        shown, unit, more = len(counts), "files", len(found.counts) > end
    else:
        matches, around, more = _rows(params, found, area, start, end, most_chars)
        has_context = bool(params.context or params.before or params.after)
        result = result.but(matches=matches, context=around if has_context else None)
        shown, unit = len(matches), "matches"
    if not more:
        return result
    total = found.total_files if unit == "files" else found.total_matches
    following = Next("grep", {**_arguments(params), "offset": params.offset + shown})
    return result.but(truncated=Truncated(unit, shown, total, limit, next=following))


def _rows(
    params: Params, found: Found, area: Area, start: int, end: int, most_chars: int
) -> tuple[tuple[Match, ...], tuple[ContextLine, ...], bool]:
    """Return the matches from `start` to `end` in path order, the lines around them, and whether there are more."""
    matches: list[Match] = []
    around: list[ContextLine] = []
    before = params.context if params.before is None else params.before
    after = params.context if params.after is None else params.after
    position = 0
    for file in found.files:
        first, position = position, position + file.matched
        if position <= start:
            continue
        if first >= end:
            return tuple(matches), tuple(around), True
        path = area.show(file.path)
        rows = read_rows(file, most_chars)
        shown = [row for row in rows if row.is_match][max(0, start - first) : end - first]
        matches += [_match(path, row) for row in shown]
        around += [
            ContextLine(path, row.line, row.text)
            for row in rows
            if not row.is_match and _is_near(row, shown, before, after)
        ]
    return tuple(matches), tuple(around), position > end


def _is_near(row: Row, shown: list[Row], before: int, after: int) -> bool:
    return any(match.line - before <= row.line <= match.line + match.text.count("\n") + after for match in shown)


def _match(path: Path, row: Row) -> Match:
    spans = tuple(MatchSpan(start, end) for start, end in row.spans if end > start)
    return Match(path, row.line, row.column, row.byte_offset, row.text, spans)


def _arguments(params: Params) -> dict[str, object]:
    written = dump(params)
    defaults = dump(Params(params.pattern))
    return {name: value for name, value in written.items() if name == "pattern" or value != defaults.get(name)}


def _refuse_unreadable(found: Found, area: Area) -> None:
    if found.unread:
        first = found.unread[0]
        paths = [area.show(unread.path).printable() for unread in found.unread[:20]]
        more = f" and {len(found.unread) - 1:,} more could not be read" if len(found.unread) > 1 else ""
        raise Failure("io", f"nothing matched, but {paths[0]}: {first.reason}{more}.", "", {"unreadable": paths})


def _tell(result: GrepResult, found: Found, withheld: Withheld, area: Area, context: Context) -> None:
    """Say what the reader must know besides the rows."""
    cut = result.truncated
    if cut is not None:
        of = f" of {cut.total:,}" if cut.total is not None else ""
        goes_on = f"offset={cut.next.arguments['offset']} goes on" if cut.next else ""
        context.notice(
            "truncated", f"{cut.shown:,}{of} {cut.unit} shown; there are more: {goes_on}, or narrow the search"
        )
    if found.timed_out:
        context.notice("timed_out", "The search ran out of time: this is what it had found.")
    if found.binary:
        files = counted(len(found.binary), "binary file matches", "binary files match")
        context.notice("binary", f"{files}, lines not shown {named(found.binary, area.show)}")
    if withheld.paths:
        files = counted(len(withheld.paths), "file that may hold secrets", "files that may hold secrets")
        context.notice("withheld", f"Not searched: {files} {named(withheld.paths, area.show)}; read asks for them")
    if withheld.rules:
        context.notice("withheld", f"Not searched: what is denied by {', '.join(withheld.rules)}")
    if found.unread:
        files = counted(len(found.unread), "file")
        context.notice("unreadable", f"{files} could not be read {named((u.path for u in found.unread), area.show)}")


def _with_passed(result: GrepResult, area: Area, pace: Pace, context: Context) -> GrepResult:
    """Say which ignored entries a search that found nothing left out."""
    brief = pace_of(LOOK_AROUND_SECONDS, context.remaining_seconds(), context.check_cancelled)
    listing = area.passed_over(brief.but(deadline=min(brief.deadline, pace.deadline)))
    counts = count_passed(listing.passed)
    ignored = sorted(entry.path for entry in listing.passed if entry.why in ("ignored", "default"))
    if ignored:
        least = "" if listing.is_complete else "at least "
        entries = counted(len(ignored), "ignored entry", "ignored entries")
        context.notice(
            "ignored", f"Passed over: {least}{entries} {named(ignored, area.show)}; include_ignored searches them"
        )
    skipped = result.skipped.but(ignored=counts.ignored, links=counts.links, special=counts.special)
    return result.but(skipped=skipped)


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
