"""Regular-expression search over the workspace."""

from contextlib import ExitStack
from typing import Literal

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.dump import dump
from codetools.core.errors import Failure
from codetools.core.outcome import Next, Truncated
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, tool
from codetools.search.area import Area, pace_of
from codetools.search.find import Pace
from codetools.search.hits import Hits, hits_of, joined, page_of
from codetools.search.job import Query
from codetools.search.links import FollowedLink, follow, say_links
from codetools.search.matches import FileCount, GrepResult, MatchingFile
from codetools.search.said import (
    Skipped,
    count_passed,
    counted,
    named,
    passed_rules,
    short_size,
    unfinished,
    with_passed,
)

OutputMode = Literal["content", "files_with_matches", "count"]
Recursion = Literal["recursive", "dereference_recursive"]
RECURSION_FLAGS = (("recursive", "r"), ("dereference_recursive", "R"))
MODE_FLAGS = (("files_with_matches", "l"), ("count", "c"))
Odd = tuple[Path, ...]  # files of which lines are shown that are not UTF-8
INSTEAD = (
    ("hidden", "hidden files are searched already"),
    ("exclude exclude_dir", "-g '!GLOB' leaves files out"),
    ("max_count", "-m N is the most matches in all"),
    ("files_without_match", "bash runs grep itself"),
    ("-o only_matching", "--mark shows what matched in its line"),
    ("-H with_filename", "names are always shown"),
    ("-P perl_regexp", "patterns are those of ripgrep, without look-around"),
    ("-u -uu -uuu unrestricted", "--include-ignored searches ignored files too"),
)
LOOK_AROUND_SECONDS = 2.0  # after a search that found nothing, to say what it left out


class Params(Record):
    """What to look for, and where."""

    pattern: Annotated[
        str,
        Arg(
            "Regular expression.", positional=True, short="e", text=True, aliases=("regex", "query", "search", "regexp")
        ),
    ]
    path: Annotated[
        Path, Arg("File or directory.", positional=True, aliases=("directory", "dir", "dir_path", "file_path"))
    ] = Path(".")
    paths: Annotated[tuple[Path, ...], Arg("More files or directories.", positional=True, model=False)] = ()
    glob: Annotated[
        tuple[str, ...],
        Arg(
            "Keep paths matching GLOB (`*.py`, `src/**`); `!GLOB` drops.",
            short="g",
            metavar="GLOB",
            aliases=("include", "globs", "file_pattern", "include_pattern"),
        ),
    ] = ()
    type: Annotated[str | None, Arg("File type, as py or rust.", short="t", aliases=("file_type",))] = None
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
        Arg(
            "The pattern is plain text.",
            short="F",
            aliases=("-F", "fixed_strings", "fixed_string", "literal_text"),
            model=False,
        ),
    ] = False
    multiline: Annotated[bool, Arg("A match may span lines.", short="U", aliases=("-U",))] = False
    head_limit: Annotated[
        int | None,
        Arg("Most matches or files; 0: as allowed.", short="m", minimum=0, aliases=("max_results", "limit")),
    ] = None
    offset: Annotated[int, Arg("Matches (or files) to skip.", minimum=0, model=False)] = 0
    sort: Annotated[Literal["path", "modified"], Arg("Order of files: by path, or newest first.", model=False)] = "path"
    mark: Annotated[bool, Arg("Show matches as >>match<<.", aliases=("marks",), model=False)] = False
    include_ignored: Annotated[bool, Arg("Search ignored files too.", aliases=("no_ignore",))] = False
    follow: Annotated[
        bool, Arg("Follow links, never out of the workspace.", aliases=("-L", "follow_symlinks"), model=False)
    ] = False
    line_numbers: Annotated[bool, Arg("Number the lines.", short="n", aliases=("-n",), model=False)] = True
    invert_match: Annotated[bool, Arg("Find the lines without a match.", short="v", aliases=("-v",), model=False)] = (
        False
    )
    quiet: Annotated[bool, Arg("Print nothing; the exit code tells.", short="q", model=False)] = False
    null: Annotated[bool, Arg("End file names with NUL, for xargs -0.", short="0", model=False)] = False
    dialect: Annotated[
        Literal["extended_regexp"], Arg("Patterns are always extended.", flags=(("extended_regexp", "E"),), model=False)
    ] = "extended_regexp"
    recursion: Annotated[Recursion, Arg("Always; links are not followed.", flags=RECURSION_FLAGS, model=False)] = (
        "recursive"
    )


@tool(
    READ_ONLY,
    aliases=("grep_search", "search_files", "search_file_content", "ripgrep"),
    search_hint="find text regex code content",
    examples=("codetools grep 'def main' src", "codetools grep -l -i todo -g '*.py'"),
    instead=INSTEAD,
)
def grep(params: Params, context: Context) -> GrepResult:
    """Search file contents by regular expression."""
    limits = context.limits
    limit = limits.grep_matches_most if params.head_limit == 0 else params.head_limit or limits.grep_matches
    limit = min(limit, limits.grep_matches_most)
    query = _query(params)
    pace = pace_of(limits.search_seconds, context.remaining_seconds(), context.check_cancelled)
    paths = (params.path, *params.paths)
    with ExitStack() as stack:
        areas = [stack.enter_context(_area(params, path, context)) for path in paths]
        links = _followed(params, areas, pace, stack, context)
        hits = joined([_search(params, area, query, params.offset + limit + 1, pace) for area in areas])
        result, odd = _result(params, limit, limits.grep_line_chars, areas[0].searcher.name, hits)
        result = result.but(links=links)
        if result.answers_no():
            _refuse_unreadable(hits)
            if result.timed_out:
                raise unfinished(limits.search_seconds, result)
        if said := passed_rules(path for area in areas for path in area.passed_rules()):
            context.notice("rules", said)
        if not params.quiet:
            _tell(result, hits, odd, context)
            if result.answers_no() and not params.include_ignored:
                result = _with_passed(result, areas, pace, context)
            elif not params.include_ignored:
                _tell_excluded(areas, context)
    return result.printed(is_quiet=params.quiet, is_null=params.null, is_marked=params.mark)


def _followed(
    params: Params, areas: list[Area], pace: Pace, stack: ExitStack, context: Context
) -> tuple[FollowedLink, ...] | None:
    """Add the places that links lead to, where that was asked for; return all links."""
    if not params.follow and params.recursion != "dereference_recursive":
        return None
    links: dict[Path, FollowedLink] = {}
    for start in tuple(areas):
        followed = follow(start, lambda written, below: _area(params, Path(written), context, below), pace, stack)
        areas += followed.areas
        links |= {link.path: link for link in followed.links}
    if said := say_links(tuple(links.values())):
        context.notice("links", said)
    return tuple(links.values())


def _area(params: Params, path: Path, context: Context, below: str = "") -> Area:
    return Area(
        context.files,
        context.settings,
        path,
        "grep",
        include_ignored=params.include_ignored,
        only=params.glob,
        type=params.type,
        below=below,
    )


def _search(params: Params, area: Area, query: Query, need: int, pace: Pace) -> Hits:
    is_newest = params.sort == "modified"
    if params.output_mode == "content":
        return hits_of(area, *area.find_matches(query, need, pace, newest_first=is_newest))
    output: Literal["paths", "counts"] = "paths" if params.output_mode == "files_with_matches" else "counts"
    return hits_of(area, *area.find_files(query, output, pace, newest_first=is_newest))


def _query(params: Params) -> Query:
    if not params.pattern:
        raise Failure("usage", "grep: the pattern is empty.", "To list files use glob.")
    if params.invert_match and params.multiline:
        raise Failure("usage", "grep: lines without a match cannot be found with multiline.")
    case: Literal["sensitive", "insensitive", "smart"] = "smart" if params.smart_case else "sensitive"
    return Query(
        pattern=params.pattern if params.multiline else params.pattern.removesuffix("\n"),  # of --pattern-file
        case="insensitive" if params.case_insensitive else case,
        is_literal=params.literal,
        is_word=params.word,
        is_multiline=params.multiline,
        is_inverted=params.invert_match,
        before=params.context if params.before is None else params.before,
        after=params.context if params.after is None else params.after,
    )


def _result(params: Params, limit: int, most_chars: int, engine: str, hits: Hits) -> tuple[GrepResult, Odd]:
    skipped = Skipped(
        withheld=len(hits.withheld), binary=len(hits.binary), unreadable=len(hits.unread), large=len(hits.large)
    )
    if hits.passed is not None:
        skipped = with_passed(skipped, hits.passed)
    result = GrepResult(
        pattern=params.pattern,
        binary_files=tuple(map(MatchingFile, hits.binary[:limit])) or None,
        long_line_files=tuple(map(MatchingFile, hits.long[:limit])) or None,
        total_matches=hits.total_matches,
        total_files=hits.total_files,
        files_searched=hits.searched,
        skipped=skipped,
        engine=engine,
        timed_out=hits.timed_out,
        is_numbered=params.line_numbers,
    )
    start, end = params.offset, params.offset + limit
    odd: Odd = ()
    if params.output_mode == "files_with_matches":
        files = tuple(MatchingFile(path) for path, _ in hits.counts[start:end])
        result = result.but(files=files)
        shown, unit, more = len(files), "files", len(hits.counts) > end
    elif params.output_mode == "count":
        counts = tuple(FileCount(path, count) for path, count in hits.counts[start:end])
        result = result.but(counts=counts)
        shown, unit, more = len(counts), "files", len(hits.counts) > end
    else:
        before = params.context if params.before is None else params.before
        after = params.context if params.after is None else params.after
        page = page_of(hits, start, end, before, after, most_chars)
        has_context = bool(params.context or params.before or params.after)
        result = result.but(matches=page.matches, context=page.around if has_context else None)
        shown, unit, more, odd = len(page.matches), "matches", page.has_more, page.odd
    if not more:
        return result, odd
    total = hits.total_files if unit == "files" else hits.total_matches
    following = Next("grep", {**_arguments(params), "offset": params.offset + shown})
    return result.but(truncated=Truncated(unit, shown, total, limit, next=following)), odd


def _arguments(params: Params) -> dict[str, object]:
    written = dump(params)
    defaults = dump(Params(params.pattern))
    return {name: value for name, value in written.items() if name == "pattern" or value != defaults.get(name)}


def _refuse_unreadable(hits: Hits) -> None:
    if hits.unread:
        _, reason = hits.unread[0]
        paths = [path.printable() for path, _ in hits.unread[:20]]
        more = f" and {len(hits.unread) - 1:,} more could not be read" if len(hits.unread) > 1 else ""
        raise Failure("io", f"nothing matched, but {paths[0]}: {reason}{more}.", "", {"unreadable": paths})


def _tell(result: GrepResult, hits: Hits, odd: Odd, context: Context) -> None:
    """Say what the reader must know besides the rows."""
    cut = result.truncated
    if cut is not None:
        of = f" of {cut.total:,}" if cut.total is not None else ""
        goes_on = f"offset={cut.next.arguments['offset']} goes on" if cut.next else ""
        most = " (limits.grep_matches_most)" if cut.limit == context.limits.grep_matches_most else ""
        context.notice(
            "truncated", f"{cut.shown:,}{of} {cut.unit} shown{most}; there are more: {goes_on}, or narrow the search"
        )
    if hits.timed_out:
        context.notice("timed_out", "The search ran out of time: this is what it had found.")
    if hits.binary:
        files = counted(len(hits.binary), "binary file matches", "binary files match")
        context.notice("binary", f"{files}, lines not shown {named(hits.binary)}")
    if hits.long:
        files = counted(len(hits.long), "file matches that has", "files match that have")
        context.notice("long", f"{files} lines too long to show {named(hits.long)}; output_mode count counts theirs")
    if odd:
        files = counted(len(odd), "file is", "files are")
        context.notice(
            "encoding", f"{files} not UTF-8 {named(odd)}: � stands for each byte that is not; read guesses them"
        )
    if hits.withheld:
        files = counted(len(hits.withheld), "file that may hold secrets", "files that may hold secrets")
        context.notice("withheld", f"Not searched: {files} {named(hits.withheld)}; read asks for them")
    if hits.large:
        files = counted(len(hits.large), "file", "files")
        most = f"larger than {short_size(context.limits.grep_file_bytes)} (limits.grep_file_bytes)"
        context.notice("large", f"Not searched: {files} {most} {named(hits.large)}; name one to search it")
    if hits.denials:
        context.notice("withheld", f"Not searched: what is denied by {', '.join(hits.denials)}")
    if hits.unread:
        files = counted(len(hits.unread), "file")
        context.notice("unreadable", f"{files} could not be read {named(path for path, _ in hits.unread)}")


def _tell_excluded(areas: list[Area], context: Context) -> None:
    """Name what the default excludes alone hide at the top of what was searched."""
    hidden = [area.show(name) for area in areas for name in area.excluded_names()]
    if hidden:
        context.notice("excluded", f"Not searched by default: {named(hidden)[1:-1]}; include_ignored searches them")


def _with_passed(result: GrepResult, areas: list[Area], pace: Pace, context: Context) -> GrepResult:
    """Say which ignored entries a search that found nothing left out."""
    brief = pace_of(LOOK_AROUND_SECONDS, context.remaining_seconds(), context.check_cancelled)
    brief = brief.but(deadline=min(brief.deadline, pace.deadline))
    places = [(area, area.passed_over(brief)) for area in areas if not area.is_file]
    if not places:
        return result
    ignored = [
        area.show(path)
        for area, listing in places
        for path in sorted(entry.path for entry in listing.passed if entry.why in ("ignored", "default"))
    ]
    if ignored:
        least = "" if all(listing.is_complete for _, listing in places) else "at least "
        entries = counted(len(ignored), "ignored entry", "ignored entries")
        context.notice("ignored", f"Passed over: {least}{entries} {named(ignored)}; include_ignored searches them")
    counts = count_passed(entry for _, listing in places for entry in listing.passed)
    return result.but(skipped=with_passed(result.skipped, counts))
