"""Take back a change."""

from typing import Annotated

from codetools.context import Context
from codetools.core.arg import Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import STAGING, tool
from codetools.files.inverse import stage_inverse
from codetools.state.changes import Group

WHY_NOT = {
    "undone": "has been undone already",
    "aborted": "was never made",
    "intent": "is still being made by another process",
}


class Params(Record):
    """Which change to take back."""

    id: Annotated[
        str | None, Arg("Undo id of the change; else the last one.", positional=True, metavar="ID", aliases=("undo",))
    ] = None


class UndoResult(Result):
    """What was taken back."""

    undone: Annotated[str, Arg("Undo id of the change that was taken back.")]
    tool: Annotated[str, Arg("The tool that had made it.")]
    paths: Annotated[tuple[Path, ...], Arg("What it had changed.")]
    kept: Annotated[tuple[Path, ...], Arg("Directories it had made that stay: they hold other files.")] = ()

    def text(self) -> str:
        """Return one line that says what was done."""
        shown = ", ".join(self.paths[:10]) + (f" and {len(self.paths) - 10} more" if len(self.paths) > 10 else "")
        kept = f" Kept, as they hold other files: {', '.join(self.kept)}." if self.kept else ""
        return f"Undid change {self.undone} ({self.tool}): {shown}.{kept}"


@tool(
    STAGING,
    search_hint="revert take back last change",
    examples=("codetools undo", "codetools undo 17"),
)
def undo(params: Params, context: Context) -> UndoResult:
    """Take back a change: the last one, or one by its id."""
    files, journal = context.files, context.journal()
    if params.id is not None:
        group = journal.group(params.id)
    else:
        group = journal.latest(files.workspace.root, context.session)
    if group is None:
        raise _nothing(params, context)
    if group.status != "committed":
        raise Failure("no_change", f"Change {group.id} {WHY_NOT[group.status]}; nothing was undone.")
    kept = stage_inverse(files, group, journal.content)
    context.undoes = group.id
    return UndoResult(group.id, group.tool, _paths(group, context), kept)


def _nothing(params: Params, context: Context) -> Failure:
    if params.id is not None:
        return Failure("not_found", f"There is no change {params.id}.", "Leave the id out to undo the last change.")
    where = f"session {context.session}" if context.session is not None else "this workspace"
    return Failure("not_found", f"There is no change to undo in {where}.")


def _paths(group: Group, context: Context) -> tuple[Path, ...]:
    return tuple(context.files.workspace.show(entry.path) for entry in group.entries)
