"""Entries of every kind by name, size, time and depth; nothing is done to them."""

from contextlib import ExitStack
from typing import ClassVar, Literal

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result, Span, Truncated
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, tool
from codetools.search.area import Area, pace_of
from codetools.search.criteria import Kind
from codetools.search.findings import Findings, Wanted, find_entries
from codetools.search.globs import is_plain
from codetools.search.links import FollowedLink, follow, say_links
from codetools.search.said import counted, moment_words, named, one_line, passed_rules, short_size, unfinished

ONLY_LISTS = "find only lists"
RUN = f"{ONLY_LISTS}: run bash, or pipe the paths: codetools find '*.tmp' -0 | xargs -0 COMMAND"
INSTEAD = (
    ("exec execdir ok okdir", RUN),
    ("delete", f"{ONLY_LISTS}: the tool delete removes, and undo brings back"),
    ("print ls printf fprint fprintf fls", "paths are always printed; data has size, mtime and kind of each"),
    ("path wholename ipath iwholename", "a name with / is matched against the path: 'src/**/*.py'"),
    ("not prune", "ignored files and default excludes are left out already; name takes '!(*.pyc)'"),
    ("o or", "name takes alternatives: '*.{c,h}'"),
    ("a and", "what is given must all hold"),
    ("H", "follow: true follows links, never out of the workspace"),
    ("perm user group uid gid links inum samefile nouser nogroup", "run find itself with bash"),
)


class Params(Record):
    """Which entries."""

    name: Annotated[
        str | None,
        Arg(
            "Glob of the name; one with `/` is of the path.",
            positional=True,
            aliases=("-name", "pattern", "glob", "query"),
        ),
    ] = None
    path: Annotated[Path, Arg("Directory to start from.", positional=True, aliases=("directory", "dir", "root"))] = (
        Path(".")
    )
    kind: Annotated[
        Kind | None, Arg("What it is; other: FIFOs, sockets, devices.", short="t", aliases=("-type", "type"))
    ] = None
    size: Annotated[
        tuple[str, ...],
        Arg(
            "`+10k` larger, `-1M` smaller, `0` bytes; two make a range.", short="s", metavar="SIZE", aliases=("-size",)
        ),
    ] = ()
    newer: Annotated[
        str | None,
        Arg(
            "Changed since WHEN: an age (`2d`, `3h`), date or file.",
            metavar="WHEN",
            aliases=("-newer", "-newermt", "modified_after", "since"),
        ),
    ] = None
    older: Annotated[
        str | None, Arg("Not changed since WHEN.", metavar="WHEN", aliases=("-older", "modified_before", "before"))
    ] = None
    max_depth: Annotated[
        int | None, Arg("Levels to go down; 1: PATH alone.", minimum=1, aliases=("-maxdepth", "depth", "maxdepth"))
    ] = None
    min_depth: Annotated[
        int, Arg("Leave out what is less deep.", minimum=0, aliases=("-mindepth", "mindepth"), model=False)
    ] = 0
    empty: Annotated[bool, Arg("Only files of no bytes and directories of no entries.", aliases=("-empty",))] = False
    regex: Annotated[str | None, Arg("Regular expression found in the path.", metavar="REGEX", aliases=("-regex",))] = (
        None
    )
    case_insensitive: Annotated[bool, Arg("Ignore case in name and regex.", short="i", aliases=("ignore_case",))] = (
        False
    )
    iname: Annotated[str | None, Arg("As name, ignoring case.", aliases=("-iname",), model=False)] = None
    mtime: Annotated[
        str | None, Arg("As find: `-7` changed in the last 7 days, `+7` before.", aliases=("-mtime",), model=False)
    ] = None
    mmin: Annotated[str | None, Arg("The same in minutes.", aliases=("-mmin",), model=False)] = None
    sort: Annotated[Literal["newest", "name"], Arg("Order of the paths.", model=False)] = "newest"
    include_ignored: Annotated[bool, Arg("List ignored entries too.", aliases=("no_ignore",))] = False
    follow: Annotated[
        bool,
        Arg("Follow links, never out of the workspace.", short="L", aliases=("-L", "-follow"), model=False),
    ] = False
    null: Annotated[
        bool, Arg("End paths with NUL, for xargs -0.", short="0", aliases=("-print0", "print0"), model=False)
    ] = False


class FoundEntry(Record):
    """One entry. `size` and `mtime` (seconds since the epoch) are its own; a link is not followed."""

    path: Path
    size: int
    mtime: float
    kind: Literal["file", "directory", "link", "FIFO", "socket", "device"]


class FindResult(Result):
    """The entries that are wanted."""

    paths: tuple[FoundEntry, ...]
    total_paths: Annotated[int, Arg("At least, where the search ran out of time.")]
    engine: str
    timed_out: bool
    truncated: Truncated | None = None
    links: Annotated[tuple[FollowedLink, ...] | None, Arg("Links that were met, where following was asked.")] = None

    is_null: ClassVar[bool] = False  # these are set per value by `printed`: not data
    has_sizes: ClassVar[bool] = False
    has_times: ClassVar[bool] = False

    def printed(self, *, is_null: bool, has_sizes: bool, has_times: bool) -> "FindResult":
        """Return the same, printed as it was asked."""
        told = self.but()
        told.__dict__.update(is_null=is_null, has_sizes=has_sizes, has_times=has_times)
        return told

    def text(self) -> str:
        """Return one path a line, with the size or time after it where that was asked about."""
        if not self.paths:
            return "Nothing was found."
        return "\n".join(f"{one_line(found.path)}{_slash(found)}{self._more(found)}" for found in self.paths)

    def plain(self) -> str:
        """Return one path a line, and nothing where none was found."""
        end = "\0" if self.is_null else "\n"
        return "".join(found.path + end for found in self.paths)

    def is_exact(self) -> bool:
        """Whether nothing may be added in a pipe: a line feed after paths that end in NUL."""
        return self.is_null

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return sizes, times and paths in columns."""
        if not self.paths:
            return ((Span(self.text(), "dim"),),)
        return tuple(
            (
                Span(short_size(found.size) if found.kind == "file" else "-", "number"),
                Span("", "column"),
                Span(moment_words(found.mtime), "dim"),
                Span("", "column"),
                Span(found.path + _slash(found), "path" if found.kind == "directory" else "plain"),
                Span("" if found.kind in ("file", "directory") else f" ({found.kind})", "dim"),
            )
            for found in self.paths
        )

    def status(self) -> str:
        """Return how many there are."""
        return f"{'at least ' if self.timed_out else ''}{counted(self.total_paths, 'path')}"

    def answers_no(self) -> bool:
        """Whether nothing was found."""
        return not self.paths

    def _more(self, found: FoundEntry) -> str:
        size = f"  {short_size(found.size)}" if self.has_sizes else ""
        return size + (f"  {moment_words(found.mtime)}" if self.has_times else "")


@tool(
    READ_ONLY,
    aliases=("find_by_name", "file_search"),
    search_hint="find files directories links by name size time empty old large",
    examples=("codetools find '*.py' src -t f", "codetools find -s +1M --newer 2d"),
    instead=INSTEAD,
)
def find(params: Params, context: Context) -> FindResult:
    """List files, directories and links by name, size, time and depth."""
    limits = context.limits
    if params.name is not None and "\0" in params.name:
        raise Failure("usage", "the name holds a NUL character, which no file name can.")
    wanted = _wanted(params, context)
    pace = pace_of(limits.search_seconds, context.remaining_seconds(), context.check_cancelled)
    with ExitStack() as stack:

        def enter(path: str, below: str = "") -> Area:
            return Area(
                context.files, context.settings, path, "find", include_ignored=params.include_ignored, below=below
            )

        area = stack.enter_context(enter(wanted.start))
        if area.is_file:
            raise Failure("not_a_file", f"{wanted.start} is a file, not a directory to start from.", "ls shows one.")
        followed = follow(area, enter, pace, stack) if params.follow else None
        places = tuple(place for place in followed.areas if not place.is_file) if followed is not None else ()
        findings = find_entries((area, *places), wanted, limits.glob_paths, pace)
        rows, total = findings.rows, findings.total
        result = FindResult(
            paths=tuple(FoundEntry(area.show(row.path), row.size, row.mtime, row.kind) for row in rows),
            total_paths=total,
            engine=area.engine.name,
            timed_out=findings.timed_out or (followed is not None and not followed.is_whole),
            links=followed.links if followed is not None else None,
            truncated=Truncated("paths", len(rows), total, limits.glob_paths) if total > len(rows) else None,
        )
        if result.answers_no():
            _refuse_unread(findings, area)
            if result.timed_out:
                raise unfinished(limits.search_seconds, result)
        if followed is not None and (said := say_links(followed.links)):
            context.notice("links", said)
        _tell(wanted, result, findings, area, context)
    has_times = any(given is not None for given in (params.newer, params.older, params.mtime, params.mmin))
    return result.printed(is_null=params.null, has_sizes=bool(params.size), has_times=has_times)


def _wanted(params: Params, context: Context) -> Wanted:
    """Return what is asked for; a name that was meant as the place is where to start, as in find(1)."""
    name, start = params.name, params.path
    if name == "" or params.iname == "":
        raise Failure("usage", "find: the name is empty.", "Leave it out to list everything.")
    if name is not None and start == "." and _is_place(name, params, context):
        start, name = Path(name), None
        if start != ".":
            context.notice("hint", f"{start} was read as the directory to start from")
    if name is not None and params.iname is not None:
        raise Failure("usage", "find: name and iname are given; give one.")
    return Wanted(
        start=start,
        name=name if params.iname is None else params.iname,
        ignores_case=params.case_insensitive or params.iname is not None,
        kind=params.kind,
        sizes=params.size,
        newer=params.newer,
        older=params.older,
        mtime=params.mtime,
        mmin=params.mmin,
        least_depth=params.min_depth,
        most_depth=params.max_depth,
        is_empty=params.empty,
        regex=params.regex,
        order=params.sort,
        mtime_of=lambda path: context.files.look(path).mtime_ns / 1e9,
        inside=tuple(root.path for root in context.files.workspace.roots),
    )


def _is_place(name: str, params: Params, context: Context) -> bool:
    """Whether a name is a place: written as one, or a directory's beside what find(1) would test in it."""
    if name in (".", "..") or (name.startswith(("./", "../", "/")) and is_plain(name)):
        return True
    tests = (params.iname, params.regex, params.newer, params.older, params.mtime, params.mmin)
    is_tested = any(test is not None for test in tests) or bool(params.size) or params.empty
    return (is_tested or params.kind in ("f", "file", "l", "link")) and _is_directory(name, context)


def _refuse_unread(findings: Findings, area: Area) -> None:
    if findings.unread:
        path, reason = findings.unread[0]
        shown = area.show(path).printable()
        more = f" and {len(findings.unread) - 1:,} more could not be read" if len(findings.unread) > 1 else ""
        paths = [area.show(path).printable() for path, _ in findings.unread[:20]]
        raise Failure("io", f"nothing was found, but {shown}: {reason}{more}.", "", {"unreadable": paths})


def _tell(wanted: Wanted, result: FindResult, findings: Findings, area: Area, context: Context) -> None:
    """Say what the reader must know besides the paths."""
    cut = result.truncated
    if cut is not None:
        which = "the newest" if wanted.order == "newest" else "by name"
        context.notice("truncated", f"{cut.shown:,} of {cut.total:,} paths shown, {which}; narrow the search")
    if said := passed_rules(area.passed_rules()):
        context.notice("rules", said)
    if result.timed_out:
        context.notice("timed_out", "The search ran out of time: this is what it had found.")
    if findings.unread:
        directories = counted(len(findings.unread), "directory", "directories")
        unread = named((path for path, _ in findings.unread), area.show)
        context.notice("unreadable", f"{directories} could not be read {unread}")
    if findings.too_deep:
        directories = counted(len(findings.too_deep), "directory lies", "directories lie")
        context.notice("depth", f"{directories} too deep to be entered {named(findings.too_deep, area.show)}")
    if wanted.name is not None and wanted.start == "." and _is_directory(wanted.name, context):
        context.notice("hint", f"{wanted.name} was taken as a name; to list it: name '*', path {wanted.name}")
    if result.answers_no() and findings.ignored:
        entries = counted(len(findings.ignored), "ignored entry", "ignored entries")
        where = named(findings.ignored, area.show)
        context.notice("ignored", f"Passed over: {entries} {where}; include_ignored lists them")
    elif findings.excluded:
        names = named(findings.excluded, area.show)[1:-1]
        context.notice("excluded", f"Not listed by default: {names}; include_ignored lists them")


def _is_directory(name: str, context: Context) -> bool:
    try:
        return is_plain(name) and context.files.is_directory(name)
    except Failure:
        return False


def _slash(found: FoundEntry) -> str:
    return "/" * (found.kind == "directory")
