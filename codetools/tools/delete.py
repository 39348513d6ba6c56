"""Remove files and directories."""

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result
from codetools.core.path import Path, quoted
from codetools.core.record import Record
from codetools.core.tool import STAGING, tool


class Params(Record):
    """What goes."""

    paths: Annotated[
        tuple[Path, ...],
        Arg(
            "File, link or directory to delete; repeatable.",
            positional=True,
            metavar="PATH",
            aliases=("path", "file_path", "files"),
        ),
    ]
    recursive: Annotated[bool, Arg("Delete directories with all that they hold.", short="r")] = False


class DeleteResult(Result):
    """What is gone: the paths that were named, and how much went with them."""

    paths: tuple[Path, ...]
    files: Annotated[int, Arg("Files and links removed.")]
    directories: Annotated[int, Arg("Directories removed.")]
    bytes: Annotated[int, Arg("Size of the files removed.")]

    def text(self) -> str:
        """Return one line that says what was done."""
        shown = ", ".join(map(quoted, self.paths[:10]))
        more = f" and {len(self.paths) - 10} more" if len(self.paths) > 10 else ""
        files = f"{self.files:,} file{'' if self.files == 1 else 's'}"
        directories = f", {self.directories:,} director{'y' if self.directories == 1 else 'ies'}"
        return f"Deleted {shown}{more}: {files}{directories if self.directories else ''}, {self.bytes:,} bytes."


@tool(
    STAGING,
    aliases=("rm", "remove", "delete_file", "unlink"),
    search_hint="remove erase file directory folder",
    examples=("codetools delete old.txt", "codetools delete -r build dist"),
)
def delete(params: Params, context: Context) -> DeleteResult:
    """Delete files and directories; undo brings them back."""
    files = context.files
    if not params.paths:
        raise Failure("usage", "There is nothing to delete: paths is empty.", "Name at least one path.")
    shown = []
    for path in params.paths:
        context.check_cancelled()
        if _went_with_another(path, context):
            continue
        if not params.recursive:
            files.refuse_directory(path)
        shown.append(files.workspace.show(files.delete(path, recursive=params.recursive).written))
    gone = [one for one in files.staged if one.kind == "delete"]
    return DeleteResult(
        paths=tuple(shown),
        files=sum(one.was != "directory" for one in gone),
        directories=sum(one.was == "directory" for one in gone),
        bytes=sum(one.before.size for one in gone if one.before is not None),
    )


def _went_with_another(path: Path, context: Context) -> bool:
    """Whether a path named earlier in this call takes this one away already."""
    if not context.files.staged:
        return False
    return context.files.is_gone(context.files.place(path).reached)
