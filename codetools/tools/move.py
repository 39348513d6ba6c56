"""Give a file or directory another name or place."""

import posixpath

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result
from codetools.core.path import Path, quoted
from codetools.core.record import Record
from codetools.core.tool import STAGING, tool


class Params(Record):
    """From where to where."""

    source: Annotated[
        Path,
        Arg(
            "File, link or directory to move.",
            positional=True,
            metavar="SOURCE",
            aliases=("source_path", "old_path", "from", "src", "file_path", "path"),
        ),
    ]
    destination: Annotated[
        Path,
        Arg(
            "New path; or an existing directory, to keep the name.",
            positional=True,
            metavar="DESTINATION",
            aliases=("destination_path", "new_path", "to", "dest", "dst", "target"),
        ),
    ]
    overwrite: Annotated[bool, Arg("Replace a file that stands there.", short="f", aliases=("force",))] = False


class MoveResult(Result):
    """Where it was and where it is."""

    source: Path
    destination: Path

    def text(self) -> str:
        """Return one line that says what was done."""
        return f"Moved {quoted(self.source)} to {quoted(self.destination)}."


@tool(
    STAGING,
    aliases=("mv", "rename", "move_file", "rename_file"),
    search_hint="rename file directory folder",
    examples=("codetools move old.py new.py", "codetools move draft.md docs/"),
)
def move(params: Params, context: Context) -> MoveResult:
    """Move or rename a file or directory."""
    files = context.files
    target = params.destination
    if files.is_directory(target):
        target = Path(f"{target.rstrip('/')}/{posixpath.basename(files.workspace.absolute(params.source))}")
    old, new = files.move(params.source, target, overwrite=params.overwrite)
    return MoveResult(files.workspace.show(old.written), files.workspace.show(new.written))
