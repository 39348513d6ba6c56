"""Make a directory."""

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result
from codetools.core.path import Path, quoted
from codetools.core.record import Record
from codetools.core.tool import STAGING_NEW, tool


class Params(Record):
    """Which directory."""

    path: Annotated[
        Path,
        Arg(
            "Directory to make.", positional=True, metavar="DIR", aliases=("dir_path", "directory", "dir", "file_path")
        ),
    ]
    parents: Annotated[bool, Arg("Always so: those above it are made too.", short="p", model=False)] = False


class MkdirResult(Result):
    """The directory that is there now."""

    path: Path
    created: Annotated[bool, Arg("False where it was there already; nothing was changed.")]

    def text(self) -> str:
        """Return one line that says what was done."""
        if not self.created:
            return f"{quoted(self.path)} is a directory already; nothing was changed."
        return f"Made the directory {quoted(self.path)}."


@tool(
    STAGING_NEW,
    aliases=("make_directory", "create_directory", "create_dir"),
    search_hint="create new directory folder",
    examples=("codetools mkdir src/parsers", "codetools mkdir -n a/b/c"),
)
def mkdir(params: Params, context: Context) -> MkdirResult:
    """Make a directory, and those above it."""
    files = context.files
    if files.is_directory(params.path):
        return MkdirResult(files.workspace.show(files.locate(params.path).written), created=False)
    return MkdirResult(files.workspace.show(files.mkdir(params.path).written), created=True)
