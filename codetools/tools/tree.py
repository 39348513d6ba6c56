"""A directory tree with sizes and totals."""

from contextlib import ExitStack

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result, Span, Truncated
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, tool
from codetools.search.area import Area, pace_of
from codetools.search.drawing import draw
from codetools.search.links import FollowedLink, follow, say_links
from codetools.search.measure import attach
from codetools.search.said import counted, named, one_line, passed_rules

SMALL_DEPTH = 3


class Params(Record):
    """Which tree, how deep."""

    path: Annotated[Path, Arg("Directory at the top.", positional=True, aliases=("directory", "dir", "dir_path"))] = (
        Path(".")
    )
    depth: Annotated[
        int, Arg("Levels to show.", short="L", minimum=1, maximum=100, aliases=("max_depth", "level", "levels"))
    ] = SMALL_DEPTH
    include_ignored: Annotated[bool, Arg("Show ignored entries too.", short="a", aliases=("all", "no_ignore"))] = False
    follow: Annotated[
        bool,
        Arg("Follow links, never out of the workspace.", short="l", aliases=("-l", "follow_symlinks"), model=False),
    ] = False


class TreeResult(Result):
    """The drawing, and the totals of the whole tree, however deep it was drawn."""

    path: Path
    tree: str
    total_files: Annotated[int, Arg("Links and odd files included; at least, where time ran out.")]
    total_dirs: int
    ignored: Annotated[int, Arg("Entries left out by ignore rules; a directory counts once.")]
    engine: str
    timed_out: bool
    truncated: Truncated | None = None
    links: Annotated[tuple[FollowedLink, ...] | None, Arg("Links that were met, where following was asked.")] = None

    def text(self) -> str:
        """Return the drawing and the totals."""
        return f"{self.tree}\n\n{self.status()}"

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the drawing with lines for a terminal."""
        return tuple(_styled(line, is_first=number == 0) for number, line in enumerate(self.tree.split("\n")))

    def status(self) -> str:
        """Return the totals."""
        least = "at least " if self.timed_out else ""
        directories = counted(self.total_dirs, "directory", "directories")
        return f"{least}{directories}, {counted(self.total_files, 'file')}"


@tool(
    READ_ONLY,
    aliases=("scan_codebase", "directory_tree"),
    search_hint="overview structure directories layout",
    examples=("codetools tree", "codetools tree -L 2 src"),
)
def tree(params: Params, context: Context) -> TreeResult:
    """Draw a directory tree with sizes and totals."""
    limits = context.limits
    pace = pace_of(limits.search_seconds, context.remaining_seconds(), context.check_cancelled)
    with ExitStack() as stack:

        def enter(path: str, below: str = "") -> Area:
            return Area(
                context.files, context.settings, path, "tree", include_ignored=params.include_ignored, below=below
            )

        area = stack.enter_context(enter(params.path))
        if area.is_file:
            raise Failure("not_a_file", f"{params.path} is a file, not a directory.", "read shows it.")
        hidden = area.hidden(pace)
        measured = area.measure(hidden, params.depth, limits.tree_entries, pace)
        followed = follow(area, enter, pace, stack) if params.follow else None
        for place in followed.areas if followed is not None else ():
            if not place.is_file:
                depth = params.depth - place.below.count("/")
                further = place.measure(place.hidden(pace), depth, limits.tree_entries, pace)
                attach(measured, place.below, further)
        drawing = draw(measured.root, limits.tree_rows)
        top = one_line(area.show("").rstrip("/")) + "/"
        lines = [top, *("".join(span.text for span in line) for line in drawing.lines)]
        shown = len(drawing.lines)
        is_cut = drawing.is_cut_by_entries or drawing.is_cut_by_rows
        total = measured.root.total_files + measured.root.total_directories
        result = TreeResult(
            path=area.show(""),
            tree="\n".join(lines),
            total_files=measured.root.total_files,
            total_dirs=measured.root.total_directories,
            ignored=len(hidden.paths),
            engine=area.engine.name,
            timed_out=not measured.is_whole or (followed is not None and not followed.is_whole),
            links=followed.links if followed is not None else None,
            truncated=Truncated("entries", shown, total, limits.tree_rows) if is_cut else None,
        )
        if followed is not None and (said := say_links(followed.links)):
            context.notice("links", said)
        if drawing.is_cut_by_entries:
            context.notice("truncated", f"At most {limits.tree_entries:,} entries of a directory are shown")
        if drawing.is_cut_by_rows:
            context.notice("truncated", f"Not all of depth {params.depth} fits into {limits.tree_rows:,} rows")
        if drawing.is_cut_by_depth:
            context.notice("depth", f"Directories below level {params.depth} are counted, not shown; depth opens more")
        if said := passed_rules(area.passed_rules()):
            context.notice("rules", said)
        if result.timed_out:
            context.notice("timed_out", "The walk ran out of time or depth: the totals are lower bounds.")
        if measured.root.unread:
            context.notice(
                "unreadable", f"{counted(measured.root.unread, 'directory', 'directories')} could not be read"
            )
        if hidden.paths:
            entries = counted(len(hidden.paths), "ignored entry", "ignored entries")
            context.notice(
                "ignored", f"Not shown: {entries} {named(hidden.paths, area.show)}; include_ignored shows them"
            )
    return result


def _styled(line: str, *, is_first: bool) -> tuple[Span, ...]:
    if is_first:
        return (Span(line, "path"),)
    start = 0
    while line[start : start + 4] in ("|-- ", "`-- ", "|   ", "    "):
        start += 4
    lines = line[:start].replace("|-- ", "├── ").replace("`-- ", "└── ").replace("|", "│")
    name = line[start:]
    size = name.rfind(" (") if name.endswith(")") else -1
    end = size if size > 0 else len(name)
    role = "path" if name[:end].endswith("/") else "plain"
    return (Span(lines, "dim"), Span(name[:end], role), Span(name[end:], "dim"))
