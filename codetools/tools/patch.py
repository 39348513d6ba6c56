"""Apply a patch to many files at once."""

from typing import Literal

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import STAGING, tool
from codetools.files.match import Tier
from codetools.files.patch.parse import parse_patch
from codetools.files.patch.plan import Planned, plan
from codetools.files.patch.stage import stage
from codetools.files.working import Choice

VERBS = {"create": "created", "modify": "changed", "delete": "deleted", "move": "moved", "copy": "copied"}
TIER_WORDS = {
    "exact": "",
    "line_endings": " (with the file's line endings)",
    "trailing_blanks": " (ignoring blanks at line ends)",
    "indentation": " (with the indentation shifted)",
}


class Params(Record):
    """One patch."""

    patch: Annotated[
        str,
        Arg(
            "Unified diff, or *** Begin Patch.", positional=True, metavar="PATCH", text=True, aliases=("input", "diff")
        ),
    ]
    file_path: Annotated[
        Path | None, Arg("File to patch, where the patch names none.", metavar="FILE", aliases=("path", "file"))
    ] = None


class HunkResult(Record):
    """One hunk: where its first line was found, in the file as it was, and how."""

    line: int
    tier: Annotated[Tier, Arg("How the lines were found, exact first.")]


class FileResult(Record):
    """What became of one file."""

    path: Path
    kind: Literal["create", "modify", "delete", "move", "copy"]
    hunks: tuple[HunkResult, ...] = ()
    source: Annotated[Path | None, Arg("Where a moved or copied file came from.")] = None


class PatchResult(Result):
    """What the patch changed."""

    files: tuple[FileResult, ...]

    def text(self) -> str:
        """Return one line for each file."""
        count = len(self.files)
        lines = [f"Patched {count:,} file{'s' * (count != 1)}."]
        return "\n".join([*lines, *map(_line, self.files)])


@tool(
    STAGING,
    aliases=("apply_patch",),
    search_hint="apply unified diff many files",
    examples=("codetools patch --patch-file changes.diff", "git diff | codetools patch --patch-file - -C ../copy"),
)
def patch(params: Params, context: Context) -> PatchResult:
    """Apply a patch: every hunk of every file, or nothing."""
    files = context.files
    choice = Choice(fallback=context.settings.encoding)
    planned = plan(files, parse_patch(params.patch, params.file_path), context.seen().refuse_stale, choice)
    stage(files, planned)
    for one in planned:
        if one.has_guessed_encoding:
            context.notice("encoding", f"{one.path.printable()} is not valid UTF-8; its encoding was guessed")
    return PatchResult(tuple(_result(one, context) for one in planned))


def _result(one: Planned, context: Context) -> FileResult:
    workspace = context.files.workspace
    hunks = tuple(HunkResult(hunk.line, hunk.tier) for hunk in one.hunks)
    source = None if one.source is None else workspace.show(workspace.absolute(one.source))
    return FileResult(workspace.show(workspace.absolute(one.path)), one.kind, hunks, source)


def _line(file: FileResult) -> str:
    source = f" from {file.source.printable()}" if file.source is not None else ""
    words = ", ".join(f"{hunk.line}{TIER_WORDS[hunk.tier]}" for hunk in file.hunks[:20])
    more = ", ..." if len(file.hunks) > 20 else ""
    where = f", line{'s' * (len(file.hunks) > 1)} {words}{more}" if file.hunks and file.kind != "delete" else ""
    return f"  {file.path.printable()}: {VERBS[file.kind]}{source}{where}"
