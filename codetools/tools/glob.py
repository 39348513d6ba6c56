"""Files by the shape of their path."""

from contextlib import ExitStack
from typing import ClassVar

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result, Span, Truncated
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, tool
from codetools.search.area import Area, pace_of
from codetools.search.entries import newest_first
from codetools.search.find import Listing, Pace
from codetools.search.globs import matcher, split_base
from codetools.search.links import FollowedLink, follow, say_links
from codetools.search.said import counted, named, one_line, passed_rules, unfinished


class Params(Record):
    """Which files."""

    pattern: Annotated[
        str,
        Arg("Glob, as `src/**/*.ts`.", positional=True, aliases=("glob", "glob_pattern", "query", "file_pattern")),
    ]
    path: Annotated[Path, Arg("Where to start.", positional=True, aliases=("directory", "dir", "root"))] = Path(".")
    include_ignored: Annotated[bool, Arg("List ignored files too.", aliases=("no_ignore",), model=False)] = False
    follow: Annotated[
        bool,
        Arg("Follow links, never out of the workspace.", short="L", aliases=("-L", "follow_symlinks"), model=False),
    ] = False
    null: Annotated[bool, Arg("End paths with NUL, for xargs -0.", short="0", model=False)] = False


class FoundPath(Record):
    """A file or link. `mtime` is in seconds since the epoch."""

    path: Path
    size: int
    mtime: float


class GlobResult(Result):
    """The files that match, newest first."""

    pattern: str
    paths: tuple[FoundPath, ...]
    total_paths: Annotated[int, Arg("At least, where the search ran out of time.")]
    engine: str
    timed_out: bool
    truncated: Truncated | None = None
    links: Annotated[tuple[FollowedLink, ...] | None, Arg("Links that were met, where following was asked.")] = None

    is_null: ClassVar[bool] = False  # set per value by `printed`: not data

    def printed(self, *, is_null: bool) -> "GlobResult":
        """Return the same, printed as it was asked."""
        told = self.but()
        told.__dict__.update(is_null=is_null)
        return told

    def text(self) -> str:
        """Return one path a line."""
        if not self.paths:
            return f"No paths match {self.pattern}."
        return "\n".join(one_line(found.path) for found in self.paths)

    def plain(self) -> str:
        """Return one path a line, and nothing where none matches."""
        end = "\0" if self.is_null else "\n"
        return "".join(found.path + end for found in self.paths)

    def is_exact(self) -> bool:
        """Whether nothing may be added in a pipe: a line feed after paths that end in NUL."""
        return self.is_null

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return one path a line."""
        if not self.paths:
            return ((Span(self.text(), "dim"),),)
        return tuple((Span(found.path, "path"),) for found in self.paths)

    def status(self) -> str:
        """Return how many match."""
        return counted(self.total_paths, "path")

    def answers_no(self) -> bool:
        """Whether nothing matched."""
        return not self.paths


@tool(
    READ_ONLY,
    aliases=("glob_search", "find_files"),
    search_hint="find files names paths pattern",
    examples=("codetools glob '**/*.py'", "codetools glob '*.{ts,tsx}' src"),
)
def glob(params: Params, context: Context) -> GlobResult:
    """List files whose path matches a glob, newest first."""
    directory, pattern = _start(params)
    matches = matcher(pattern)
    limits = context.limits
    pace = pace_of(limits.search_seconds, context.remaining_seconds(), context.check_cancelled)
    with ExitStack() as stack:
        area = stack.enter_context(_area(params, directory, context))
        if area.is_file:
            raise Failure("not_a_file", f"{directory} is a file, not a directory to start from.")
        places, links = _places(params, area, pace, stack, context)
        listing, every = _listed(area, pace)
        found = newest_first(area.scope.fd, filter(matches, every))
        for place in places:
            further, paths = _listed(place, pace)
            listing = listing.but(is_complete=listing.is_complete and further.is_complete)
            rows = newest_first(place.scope.fd, (path for path in paths if matches(place.below + path)))
            found += [(place.below + path, size, mtime) for path, size, mtime in rows]
        if places:
            found.sort(key=lambda row: (-row[2], row[0]))
        most = limits.glob_paths
        result = GlobResult(
            pattern=params.pattern,
            paths=tuple(FoundPath(area.show(path), size, mtime) for path, size, mtime in found[:most]),
            total_paths=len(found),
            engine=area.engine.name,
            timed_out=not listing.is_complete,
            links=links,
            truncated=Truncated("paths", most, len(found), most) if len(found) > most else None,
        )
        if result.timed_out and result.answers_no():
            raise unfinished(limits.search_seconds, result)
        if result.truncated:
            context.notice("truncated", f"{most:,} of {len(found):,} paths shown, the newest; narrow the pattern")
        if said := passed_rules(area.passed_rules()):
            context.notice("rules", said)
        if result.timed_out:
            context.notice("timed_out", "The search ran out of time: this is what it had found.")
        if listing.unread:
            directories = counted(len(listing.unread), "directory", "directories")
            unread = named((entry.path for entry in listing.unread), area.show)
            context.notice("unreadable", f"{directories} could not be read {unread}")
        if not found:
            ignored = sorted(entry.path for entry in listing.passed if entry.why in ("ignored", "default"))
            _explain_nothing(params, pattern, every, ignored, area, context)
        else:
            excluded = sorted(row.path for row in listing.passed if row.why == "default" and "/" not in row.path)
            if excluded:
                names = named(excluded, area.show)[1:-1]
                context.notice("excluded", f"Not listed by default: {names}; include_ignored lists them")
    return result.printed(is_null=params.null)


def _area(params: Params, path: str, context: Context, below: str = "") -> Area:
    return Area(context.files, context.settings, path, "glob", include_ignored=params.include_ignored, below=below)


def _places(
    params: Params, start: Area, pace: Pace, stack: ExitStack, context: Context
) -> tuple[tuple[Area, ...], tuple[FollowedLink, ...] | None]:
    """Return the directories that links lead to, where that was asked for; a link to a file is listed as itself."""
    if not params.follow:
        return (), None
    followed = follow(start, lambda written, below: _area(params, written, context, below), pace, stack)
    if said := say_links(followed.links):
        context.notice("links", said)
    return tuple(place for place in followed.areas if not place.is_file), followed.links


def _listed(area: Area, pace: Pace) -> tuple[Listing, list[str]]:
    """Return the listing of a place, and its files and links."""
    listing = area.list_files(pace, explains=True)
    return listing, [*listing.paths, *(entry.path for entry in listing.passed if entry.why == "link")]


def _start(params: Params) -> tuple[str, str]:
    """Return the directory to start from and the pattern below it."""
    if not params.pattern:
        raise Failure("usage", "glob: the pattern is empty.", "'**' lists all files.")
    base, pattern = split_base(params.pattern.removeprefix("./"))
    is_elsewhere = base.startswith("/") or ".." in base.split("/")
    if not is_elsewhere:
        return params.path, params.pattern.removeprefix("./")
    return base if base.startswith("/") else f"{params.path}/{base}", pattern


def _explain_nothing(
    params: Params, pattern: str, every: list[str], ignored: list[str], area: Area, context: Context
) -> None:
    """Say what a glob that found nothing passed over, or which one was probably meant."""
    below = matcher("**/" + pattern)
    deeper = sum(1 for path in every if below(path)) if "**" not in pattern else 0
    if deeper:
        context.notice("hint", f"**/{pattern} matches {counted(deeper, 'path')}, in directories below")
    if pattern.endswith("/"):
        context.notice("hint", f"Only files are listed; {pattern}** lists those in the directory")
    if ignored and not params.include_ignored:
        entries = counted(len(ignored), "ignored entry", "ignored entries")
        context.notice("ignored", f"Passed over: {entries} {named(ignored, area.show)}; include_ignored lists them")
