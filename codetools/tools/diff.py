"""What the agent just did: everything since a session began, as one diff."""

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result, Span, Truncated
from codetools.core.path import Path, quoted
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, tool
from codetools.files.fold import net_of
from codetools.files.since import Since, changes_since
from codetools.state.changes import Group
from codetools.state.commands import commands_that_ran

MOST_COMMANDS = 20
ROLES = {"+": "added", "-": "removed", "@": "heading"}


class Params(Record):
    """Since when."""

    session: Annotated[str | None, Arg("Everything this session did; else the call's own session.", model=False)] = None
    since: Annotated[
        str | None, Arg("Undo id of the first change to take in.", positional=True, metavar="ID", aliases=("id",))
    ] = None
    path: Annotated[
        Path | None, Arg("Only this file, or what is below this directory.", aliases=("file_path", "file"))
    ] = None


class FileDiff(Record):
    """One path's net change; `hidden` where its content may not be shown unasked.

    `source` is the former name of a moved file. `is_foreign`: it is not as the recorded changes left it.
    """

    path: Path
    kind: Annotated[str, Arg("create, modify, delete, move, mkdir or hidden.")]
    diff: str
    additions: int
    removals: int
    source: Path | None = None
    is_foreign: bool = False


class RanCommand(Record):
    """A command that may have changed files: no journal knows. `at` is in seconds since the epoch."""

    at: float
    command: str


class DiffResult(Result):
    """The net change of every file, and what undo cannot take back."""

    files: tuple[FileDiff, ...]
    additions: int
    removals: int
    total_files: int
    commands: Annotated[tuple[RanCommand, ...], Arg("Commands that ran meanwhile; undo does not cover them.")]
    total_commands: int
    truncated: Truncated | None = None

    def text(self) -> str:
        """Return one unified diff, then what it cannot show."""
        return "\n".join(part for part in (self.plain().rstrip("\n"), *self._notes()) if part)

    def plain(self) -> str:
        """Return the unified diff alone."""
        if not self.files:
            return "" if self.commands else "Nothing has changed."
        return "".join(one.diff for one in self.files)

    def plain_error(self) -> str:
        """Return what the diff cannot show."""
        return "".join(note + "\n" for note in self._notes())

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the diff with its lines marked."""
        shown = self.plain().rstrip("\n").split("\n") if self.plain() else []
        lines = [(Span(line, ROLES.get(line[:1], "plain")),) for line in shown]
        return (*lines, *((Span(note, "dim"),) for note in self._notes()))

    def status(self) -> str:
        """Return the totals."""
        if not self.total_files:
            return ""
        files = f"{self.total_files:,} file{'' if self.total_files == 1 else 's'}"
        return f"{files} changed, +{self.additions:,} -{self.removals:,}"

    def answers_no(self) -> bool:
        """Nothing has changed, as far as it is known."""
        return not self.files and not self.commands

    def _notes(self) -> list[str]:
        notes = []
        if hidden := [quoted(one.path) for one in self.files if one.kind == "hidden"]:
            notes.append(f"[changed, but not to be shown without asking: {_some(hidden)}]")
        if foreign := [quoted(one.path) for one in self.files if one.is_foreign]:
            notes.append(f"[also changed by somebody else, which undo refuses to touch: {_some(foreign)}]")
        if self.commands:
            ran = "".join(f"\n  {one.command}" for one in self.commands)
            more = f" (the last {len(self.commands)} of {self.total_commands})"
            more = more if self.total_commands > len(self.commands) else ""
            notes.append(f"[not covered by this diff or by undo: what these commands changed{more}]{ran}")
        return notes


@tool(
    READ_ONLY,
    search_hint="what changed session review unified diff since",
    examples=("codetools diff --session review", "codetools diff 17"),
)
def diff(params: Params, context: Context) -> DiffResult:
    """Show everything that changed since the session began, as one diff."""
    groups = _groups(params, context)
    journal, limits = context.journal(), context.limits
    session = params.session or context.session
    spots = net_of(groups)
    chosen = spots.spots
    if params.path is not None:
        top = context.files.locate(params.path).reached
        chosen = tuple(one for one in chosen if one.path == top or one.path.startswith(f"{top.rstrip('/')}/"))
    found = changes_since(context.files, chosen, journal, limits.diff_chars)
    found += [_moved_directory(context, one.first, one.now) for one in spots.moved]
    since = groups[0].at if groups else 0.0
    ran = commands_that_ran(context.home, context.files.workspace.root, session, 0.0 if session else since)
    if params.since is not None:
        ran = [one for one in ran if one.at >= since]
    kept = _fitting(found, limits.read_chars)
    result = DiffResult(
        files=tuple(_file(one) for one in found[:kept]),
        additions=sum(one.additions for one in found),
        removals=sum(one.removals for one in found),
        total_files=len(found),
        commands=tuple(RanCommand(one.at, one.command) for one in ran[-MOST_COMMANDS:]),
        total_commands=len(ran),
        truncated=Truncated("files", kept, len(found), limits.read_chars) if kept < len(found) else None,
    )
    if result.truncated is not None:
        names = _some([quoted(one.path) for one in found[kept:]])
        context.notice("truncated", f"{kept} of {len(found)} changed files shown; not shown: {names}; path shows one")
    return result


def _groups(params: Params, context: Context) -> tuple[Group, ...]:
    """Return the changes to take in, oldest first."""
    journal, root = context.journal(), context.files.workspace.root
    session = params.session or context.session
    first = None
    if params.since is not None:
        first = journal.group(params.since)
        if first is None or first.root != root:
            raise Failure("not_found", f"There is no change {params.since}.", "codetools history lists them.")
        session = params.session
    groups = journal.groups(root, session=session, limit=None)
    return tuple(group for group in reversed(groups) if first is None or int(group.id) >= int(first.id))


def _moved_directory(context: Context, source: Path, path: Path) -> Since:
    old, new = context.files.workspace.show(source), context.files.workspace.show(path)
    return Since(new, "move", f"rename from {quoted(old)}\nrename to {quoted(new)}\n", source=old)


def _fitting(found: list[Since], most_chars: int) -> int:
    """Return how many of the diffs fit, one at least."""
    total = 0
    for place, one in enumerate(found):
        total += len(one.diff)
        if total > most_chars and place:
            return place
    return len(found)


def _file(one: Since) -> FileDiff:
    return FileDiff(one.path, one.kind, one.diff, one.additions, one.removals, one.source, one.is_foreign)


def _some(names: list[str]) -> str:
    return ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
