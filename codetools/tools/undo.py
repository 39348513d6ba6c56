"""Take back a change, or all of a session."""

from collections.abc import Callable

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result
from codetools.core.path import Path, quoted
from codetools.core.record import Record
from codetools.core.tool import STAGING, tool
from codetools.files.fold import net_of
from codetools.files.inverse import stage_inverse
from codetools.files.net import Net
from codetools.files.net_order import net_entries
from codetools.state.changes import Entry, Group, topmost
from codetools.state.commands import commands_that_ran
from codetools.state.journal import Journal

SESSION = "session"
MOST_COMMANDS = 5
MOST_IDS = 20
WHY_NOT = {
    "undone": "has been undone already",
    "aborted": "was never made",
    "intent": "is still being made by another process",
}


class Params(Record):
    """Which change to take back."""

    id: Annotated[
        str | None,
        Arg(
            "Undo id of the change, or session for all that this session changed; else the last one.",
            positional=True,
            metavar="ID",
            aliases=("undo", "undo_id"),
        ),
    ] = None


class UndoResult(Result):
    """What was taken back."""

    undone: Annotated[str, Arg("Undo id of the change that was taken back; of several, the newest.")]
    tool: Annotated[str, Arg("The tool that had made it; of several changes, `session`.")]
    paths: Annotated[tuple[Path, ...], Arg("What it had changed.")]
    tops: Annotated[tuple[Path, ...], Arg("Those of them that lie below no other.")]
    kept: Annotated[tuple[Path, ...], Arg("Directories it had made that stay: they hold other files.")] = ()
    changes: Annotated[int, Arg("How many changes were taken back.")] = 1

    def text(self) -> str:
        """Return one line that says what was done."""
        shown = ", ".join(map(quoted, self.tops[:10]))
        more = len(self.paths) - len(self.tops[:10])
        shown += f" and {more:,} {'more' if len(self.tops) > 10 else 'below'}" if more else ""
        kept = f" Kept, as they hold other files: {', '.join(map(quoted, self.kept))}." if self.kept else ""
        if self.tool == SESSION:
            return f"Undid all changes of the session ({self.changes:,}): {shown}.{kept}"
        return f"Undid change {self.undone} ({self.tool}): {shown}.{kept}"


@tool(
    STAGING,
    aliases=("undo_edit", "revert"),
    search_hint="revert take back last change session",
    examples=("codetools undo", "codetools undo session --session review"),
)
def undo(params: Params, context: Context) -> UndoResult:
    """Take back a change: the last one, one by its id, or all of a session."""
    journal = context.journal()
    if params.id == SESSION:
        return _undo_session(context, journal)
    if params.id is not None:
        group = journal.group(params.id)
    else:
        group = journal.latest(context.files.workspace.root, context.session)
    if group is None:
        raise _nothing(params, context)
    if group.status != "committed":
        raise Failure("no_change", f"Change {group.id} {WHY_NOT[group.status]}; nothing was undone.")
    kept = stage_inverse(context.files, _in_present_names(group), journal.content)
    context.undoes = group.id
    return _result(group, context, kept)


def _in_present_names(group: Group) -> Group:
    """Return a group that moved a directory and changed what is in it, as what can be taken back where it is now."""
    net = net_of((group,)) if len(group.entries) > 1 else None
    entries = net_entries(net) if net is not None and net.moved else None
    return group if entries is None else group.but(entries=entries)


def _undo_session(context: Context, journal: Journal) -> UndoResult:
    """Take back the net effect of all that a session did; raise `stale` where anybody else had a hand in it."""
    session, root = context.session, context.files.workspace.root
    if session is None:
        raise Failure("usage", "There is no session to undo.", "Name it: codetools undo session --session ID.")
    groups = journal.groups(root, session=session, limit=None)
    net = net_of(groups[::-1])
    standing = tuple(group.id for group in groups if group.status == "committed")
    _refuse_disturbed(net, groups, context)
    entries = net_entries(net)
    if entries is None:
        raise _entangled(net, groups, context)
    if not entries:
        raise _nothing(Params(), context)
    whole = Group(standing[0], SESSION, session, root, groups[0].at, "committed", None, entries)
    try:
        kept = stage_inverse(context.files, whole, _contents(entries, context, journal))
    except Failure as failure:
        raise _one_by_one(failure, groups) if failure.kind == "stale" else failure from None
    if not context.files.staged:
        raise _nothing(Params(), context)
    context.undoes = standing
    _say_what_stays(context, groups[-1].at)
    return _result(whole, context, kept).but(changes=len(standing))


def _refuse_disturbed(net: Net, groups: tuple[Group, ...], context: Context) -> None:
    for spot in (*net.spots, *net.covered):
        if spot.is_disturbed:
            shown = context.files.workspace.show(spot.path)
            message = f"{quoted(shown)} was changed by somebody else between two changes of this session."
            failure = Failure("stale", f"{message} Nothing was undone.", details={"path": shown.printable()})
            raise _one_by_one(failure, groups)


def _entangled(net: Net, groups: tuple[Group, ...], context: Context) -> Failure:
    """Return the refusal of directories that were moved through one another: only their order takes them back."""
    shown = ", ".join(quoted(context.files.workspace.show(one.now)) for one in net.moved)
    message = f"The directories that this session moved have each other's places now ({shown}); nothing was undone."
    return _one_by_one(Failure("stale", message), groups)


def _one_by_one(failure: Failure, groups: tuple[Group, ...]) -> Failure:
    """Return a refusal of the whole with the order in which single changes can be undone."""
    undoes = {group.id: group.undoes for group in groups}
    ids = [group.id for group in groups if group.status == "committed" and not _takes_back(group.id, undoes)]
    order = " ".join(ids[:MOST_IDS]) + (" ..." if len(ids) > MOST_IDS else "")
    hint = f"Undo the changes one by one, as far as they are not disturbed, in this order: {order}"
    return Failure(failure.kind, failure.message, hint, {**failure.details, "ids": ids})


def _takes_back(group: str, undoes: dict[str, str | None]) -> bool:
    """Whether a group is an undo; the undo of one is not."""
    undone = undoes.get(group)
    return undone is not None and not _takes_back(undone, undoes)


def _contents(entries: tuple[Entry, ...], context: Context, journal: Journal) -> Callable[[str], bytes]:
    """Return where contents come from: the journal, or for a file that was only moved, the file under its new name."""
    moved: dict[str, bytes] = {}
    new = {entry.after_sha256: entry.path for entry in entries if entry.after_sha256 is not None}
    for entry in entries:
        sha256 = entry.before.sha256 if entry.before is not None else ""
        if sha256 and sha256 in new and not journal.has(sha256):
            moved[sha256] = context.files.read(new[sha256]).content
    return lambda sha256: moved[sha256] if sha256 in moved else journal.content(sha256)


def _say_what_stays(context: Context, since: float) -> None:
    ran = commands_that_ran(context.home, context.files.workspace.root, context.session, since)
    if ran:
        shown = "; ".join(one.command for one in ran[-MOST_COMMANDS:])
        more = f" (the last {MOST_COMMANDS} of {len(ran)})" if len(ran) > MOST_COMMANDS else ""
        context.notice("not_undone", f"not undone: whatever these commands changed{more}: {shown}")


def _nothing(params: Params, context: Context) -> Failure:
    if params.id is not None:
        return Failure("not_found", f"There is no change {params.id}.", "Leave the id out to undo the last change.")
    where = f"session {context.session}" if context.session is not None else "this workspace"
    return Failure("not_found", f"There is no change to undo in {where}.")


def _result(group: Group, context: Context, kept: tuple[Path, ...]) -> UndoResult:
    show = context.files.workspace.show
    paths = tuple(show(entry.path) for entry in group.entries)
    tops = tuple(show(entry.path) for entry in topmost(group.entries))
    return UndoResult(group.id, group.tool, paths, tops, kept)
