"""What one directory holds."""

from typing import ClassVar, Literal

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result, Span, Truncated
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, tool
from codetools.search.area import Area, pace_of
from codetools.search.entries import Entry, read_entries
from codetools.search.said import counted, moment_words, named, one_line, passed_rules, short_size


class Params(Record):
    """Which directory."""

    path: Annotated[
        Path,
        Arg("Directory, or one entry.", positional=True, aliases=("directory", "dir", "file_path", "dir_path")),
    ] = Path(".")
    include_ignored: Annotated[
        bool, Arg("List ignored entries too.", short="a", aliases=("all", "no_ignore"), model=False)
    ] = False
    long: Annotated[bool, Arg("Show sizes and times too, in a pipe as on a terminal.", short="l", model=False)] = False


class ListedEntry(Record):
    """One entry. `size` and `mtime` (seconds since the epoch) are its own, `target` is what a link says."""

    path: Path
    kind: Literal["file", "directory", "link", "FIFO", "socket", "device"]
    size: int
    mtime: float
    target: Path | None = None


class LsResult(Result):
    """A directory's entries by name."""

    path: Path
    entries: tuple[ListedEntry, ...]
    total_entries: int
    ignored: Annotated[int, Arg("Entries left out by ignore rules.")]
    truncated: Truncated | None = None
    is_long: ClassVar[bool] = False  # set per value by `printed`: not data, but how a person asked to see it

    def printed(self, *, is_long: bool) -> "LsResult":
        """Return the same, printed as it was asked: with sizes and times."""
        told = self.but()
        told.__dict__.update(is_long=is_long)
        return told

    def text(self) -> str:
        """Return one entry a line."""
        if not self.entries:
            return f"{one_line(self.path)} is empty." if not self.ignored else "All entries are ignored."
        return "\n".join(f"{_name(entry, one_line(entry.path))}{_size(entry)}" for entry in self.entries)

    def plain(self) -> str:
        """Return one path a line, `/` after directories; where asked, with size and time before it."""
        if self.is_long:
            return "\n".join(
                f"{_bytes(entry):>6}  {moment_words(entry.mtime)}  {_long_name(entry)}" for entry in self.entries
            )
        return "\n".join(entry.path + "/" * (entry.kind == "directory") for entry in self.entries)

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return sizes and paths in columns."""
        return tuple(
            (
                Span(_bytes(entry), "number"),
                Span("", "column"),
                *((Span(moment_words(entry.mtime), "dim"), Span("", "column")) if self.is_long else ()),
                Span(entry.path + "/" * (entry.kind == "directory"), "path" if entry.kind == "directory" else "plain"),
                Span(f" -> {entry.target}" if entry.target is not None else "", "dim"),
                Span(f" ({entry.kind})" if entry.kind in ("FIFO", "socket", "device") else "", "dim"),
            )
            for entry in self.entries
        )

    def status(self) -> str:
        """Return how many entries there are."""
        return counted(self.total_entries, "entry", "entries")


@tool(
    READ_ONLY,
    aliases=("list_directory", "list_dir", "list_files"),
    search_hint="list directory names folder",
    examples=("codetools ls", "codetools ls -la src"),
)
def ls(params: Params, context: Context) -> LsResult:
    """List one directory."""
    pace = pace_of(context.limits.search_seconds, context.remaining_seconds(), context.check_cancelled)
    most = context.limits.tree_entries
    if not context.files.is_directory(params.path):
        found = context.files.look(params.path)
        shown = ListedEntry(params.path, found.kind, found.size, found.mtime_ns / 1e9, found.target)
        return LsResult(params.path, (shown,), 1, 0).printed(is_long=params.long)
    with Area(context.files, context.settings, params.path, "ls", include_ignored=params.include_ignored) as area:
        hidden = area.hidden(pace, depth=1)
        every = [entry for entry in read_entries(area.scope.fd) if not hidden.holds(entry.name)]
        result = LsResult(
            path=area.show(""),
            entries=tuple(_listed(entry, area) for entry in every[:most]),
            total_entries=len(every),
            ignored=len(hidden.paths),
            truncated=Truncated("entries", most, len(every), most) if len(every) > most else None,
        )
        if said := passed_rules(area.passed_rules()):
            context.notice("rules", said)
        if result.truncated:
            context.notice("truncated", f"{most:,} of {len(every):,} entries shown, by name; glob finds the others")
        if hidden.paths:
            entries = counted(len(hidden.paths), "ignored entry", "ignored entries")
            left_out = f"Not listed: {entries} {named(hidden.paths, area.show)}"
            context.notice("ignored", f"{left_out}; include_ignored lists them")
    return result.printed(is_long=params.long)


def _listed(entry: Entry, area: Area) -> ListedEntry:
    return ListedEntry(area.show(entry.name), entry.kind, entry.size, entry.mtime, entry.target)


def _bytes(entry: ListedEntry) -> str:
    return short_size(entry.size) if entry.kind == "file" else "-"


def _long_name(entry: ListedEntry) -> str:
    target = f" -> {entry.target}" if entry.target is not None else ""
    return f"{entry.path}{'/' * (entry.kind == 'directory')}{target}"


def _name(entry: ListedEntry, shown: str) -> str:
    if entry.target is not None:
        return f"{shown} -> {one_line(entry.target)}"
    return shown + "/" * (entry.kind == "directory")


def _size(entry: ListedEntry) -> str:
    if entry.kind == "file":
        return f"  {short_size(entry.size)}"
    return "" if entry.kind in ("directory", "link") else f"  ({entry.kind})"
