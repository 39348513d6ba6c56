"""Regular-expression search over the workspace."""

from typing import Annotated, Literal

from codetools.context import Context
from codetools.core.arg import Arg
from codetools.core.dump import dump
from codetools.core.errors import Failure
from codetools.core.outcome import Next, Truncated
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, tool
from codetools.search.area import Area, pace_of
from codetools.search.find import Found, Pace
from codetools.search.job import Query
from codetools.search.matches import ContextLine, FileCount, GrepResult, Match, MatchingFile, MatchSpan
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
        bool,
        Arg("The pattern is plain text.", short="F", aliases=("-F", "fixed_strings", "fixed_string"), model=False),
    ] = False
    multiline: Annotated[bool, Arg("A match may span lines.", short="U", aliases=("-U",))] = False
    head_limit: Annotated[
        int | None,
        Arg("Most matches (or files) to show; 0: all.", short="m", minimum=0, aliases=("max_results", "limit")),
    ] = None
    offset: Annotated[int, Arg("Matches (or files) to skip.", minimum=0, model=False)] = 0
    include_ignored: Annotated[bool, Arg("Search ignored files too.", aliases=("no_ignore",))] = False
    line_numbers: Annotated[bool, Arg("Number the lines.", short="n", aliases=("-n",), model=False)] = True


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
