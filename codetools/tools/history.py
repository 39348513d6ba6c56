"""Which changes were made, and by which id each is taken back."""

import time
from typing import Literal

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Next, Result, Span, Truncated
from codetools.core.path import Path, quoted
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, tool
from codetools.state.changes import Entry, Group, topmost

MOST_PATHS = 100  # of one change in `data`; a deleted tree has thousands
MOST_SHOWN = 3
STATUS_WORDS = {"committed": "", "undone": "undone", "aborted": "not made", "intent": "being made"}


class Params(Record):
    """Whose changes, and how many."""

    path: Annotated[
        Path | None,
        Arg("Only changes of this file, or below this directory.", positional=True, aliases=("file_path", "file")),
    ] = None
    session: Annotated[
        str | None, Arg("Changes of this session; else of the call's own, if it has one.", model=False)
    ] = None
    all: Annotated[bool, Arg("Changes of every session.", short="a", model=False)] = False
    limit: Annotated[int, Arg("Most changes listed, newest first.", minimum=1, maximum=1000, short="n")] = 20


class ChangedPath(Record):
    """One path of a change; a moved one came from `source`."""

    path: Path
    kind: Literal["create", "modify", "delete", "move", "mkdir"]
    additions: int
    removals: int
    source: Path | None = None


class PastChange(Record):
    """One call's changes. `id` is what undo takes; `at` is in seconds since the epoch."""

    id: str
    at: float
    tool: str
    session: str | None
    status: Literal["intent", "committed", "aborted", "undone"]
    undoes: tuple[str, ...]
    paths: tuple[ChangedPath, ...]
    total_paths: int
    total_tops: Annotated[int, Arg("How many of the first paths lie below no other.")]
    additions: int
    removals: int


class HistoryResult(Result):
    """Changes, newest first."""

    changes: tuple[PastChange, ...]
    truncated: Truncated | None = None

    def text(self) -> str:
        """Return one change a line: id, time, tool, paths, lines added and removed."""
        if not self.changes:
            return "No changes are recorded."
        return "\n".join(f"{_head(one)}  {_what(one)}" for one in self.changes)

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the same in columns."""
        return tuple(
            (
                Span(one.id, "number"),
                Span("", "column"),
                Span(_when(one.at), "dim"),
                Span("", "column"),
                Span(one.tool),
                Span("", "column"),
                Span(f"+{one.additions}", "added"),
                Span(" "),
                Span(f"-{one.removals}", "removed"),
                Span("", "column"),
                Span(_names(one), "path"),
                Span(_state(one), "dim"),
            )
            for one in self.changes
        )

    def status(self) -> str:
        """Return how many changes there are."""
        return f"{len(self.changes)} change{'' if len(self.changes) == 1 else 's'}" if self.changes else ""

    def answers_no(self) -> bool:
        """Nothing was recorded."""
        return not self.changes


@tool(
    READ_ONLY,
    search_hint="log of changes edits undo ids session file",
    examples=("codetools history", "codetools history src/app.py -n 5"),
)
def history(params: Params, context: Context) -> HistoryResult:
    """List what was changed, newest first, with the ids that undo takes."""
    files = context.files
    session = None if params.all else params.session or context.session
    path = None if params.path is None else files.locate(params.path).reached
    found = context.journal().groups(files.workspace.root, path, session, params.limit + 1)
    changes = tuple(_change(group, context) for group in found[: params.limit])
    if len(found) <= params.limit:
        return HistoryResult(changes)
    arguments = {"limit": min(1000, params.limit * 5)} | ({"path": str(params.path)} if params.path else {})
    context.notice("truncated", f"the {params.limit} newest changes; limit shows more")
    return HistoryResult(
        changes, Truncated("changes", params.limit, None, params.limit, next=Next("history", arguments))
    )


def _change(group: Group, context: Context) -> PastChange:
    undoes = (group.undoes, *group.also_undoes) if group.undoes is not None else ()
    return PastChange(
        id=group.id,
        at=group.at,
        tool=group.tool,
        session=group.session,
        status=group.status,
        undoes=undoes,
        paths=tuple(_path(entry, context) for entry in _tops_first(group.entries)[:MOST_PATHS]),
        total_tops=len(topmost(group.entries)),
        total_paths=len(group.entries),
        additions=sum(entry.additions for entry in group.entries),
        removals=sum(entry.removals for entry in group.entries),
    )


def _tops_first(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    tops = topmost(entries)
    chosen = {id(entry) for entry in tops}
    return (*tops, *(entry for entry in entries if id(entry) not in chosen))


def _path(entry: Entry, context: Context) -> ChangedPath:
    show = context.files.workspace.show
    source = None if entry.source is None else show(entry.source)
    return ChangedPath(show(entry.path), entry.kind, entry.additions, entry.removals, source)


def _head(one: PastChange) -> str:
    return f"{one.id}  {_when(one.at)}  {one.tool}"


def _what(one: PastChange) -> str:
    return f"{_names(one)}  +{one.additions} -{one.removals}{_state(one)}"


def _names(one: PastChange) -> str:
    """Return the topmost paths, and how many more there are or lie below them."""
    tops = one.paths[: min(MOST_SHOWN, one.total_tops)]
    more = one.total_paths - len(tops)
    below = "below" if one.total_tops <= len(tops) else "more"
    return ", ".join(map(_name, tops)) + (f" and {more:,} {below}" if more > 0 else "")


def _name(path: ChangedPath) -> str:
    if path.source is not None:
        return f"{quoted(path.source)} -> {quoted(path.path)}"
    return quoted(path.path) + {"create": " (new)", "delete": " (deleted)", "mkdir": "/ (new)"}.get(path.kind, "")


def _state(one: PastChange) -> str:
    words = [STATUS_WORDS[one.status]] if STATUS_WORDS[one.status] else []
    if one.undoes:
        words.append(f"undid {', '.join(one.undoes[:MOST_SHOWN])}{', ...' if len(one.undoes) > MOST_SHOWN else ''}")
    return f"  [{'; '.join(words)}]" if words else ""


def _when(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))
