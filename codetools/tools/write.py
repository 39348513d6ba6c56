"""Write a whole file."""

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import STAGING, tool
from codetools.files.document import Document
from codetools.files.kind import kind_of
from codetools.files.text import UTF_8, detect

LEAST_LINES = 50  # of a file that is said to have shrunk
LEAST_SHARE = 0.25  # of its lines, below which it has


class Params(Record):
    """A file and all that it is to hold."""

    file_path: Annotated[
        Path,
        Arg(
            "File to write.", positional=True, metavar="FILE", aliases=("path", "file", "absolute_path", "target_file")
        ),
    ]
    content: Annotated[
        str, Arg("Whole content.", positional=True, metavar="CONTENT", text=True, aliases=("text", "contents"))
    ]
    expect_sha256: Annotated[
        str | None, Arg("Refuse unless the file has this SHA-256.", metavar="HASH", model=False)
    ] = None
    encoding: Annotated[
        str | None,
        Arg("Encoding to write, UTF-8 unless given; utf-8-bom and utf-16 get a mark.", metavar="NAME", model=False),
    ] = None


class WriteResult(Result):
    """What the file holds now."""

    path: Path
    bytes: int
    lines: int
    created: bool
    is_same: Annotated[bool, Arg("The file held exactly this already; nothing was changed.")] = False

    def text(self) -> str:
        """Return one line that says what was done."""
        size = f"{self.bytes:,} bytes, {self.lines:,} line{'' if self.lines == 1 else 's'}"
        if self.is_same:
            return f"{self.path} already holds exactly this ({size}); nothing was changed."
        return f"{'Created' if self.created else 'Replaced'} {self.path}: {size}."


@tool(
    STAGING,
    aliases=("write_file", "create_file"),
    search_hint="create save overwrite new file",
    examples=('codetools write notes.txt "one line"', "codetools write src/new.py --content-file -"),
)
def write(params: Params, context: Context) -> WriteResult:
    """Create a file, or replace all that it holds."""
    files = context.files
    content = params.content.encode() if params.encoding is None else _encoded(params, params.encoding)
    lines = params.content.count("\n") + (not params.content.endswith("\n") and bool(params.content))
    if not files.exists(params.file_path):
        if params.expect_sha256 is not None:
            files.read(params.file_path)  # not found: there is nothing that could have the expected content
        location = files.create(params.file_path, content)
        return WriteResult(files.workspace.show(location.written), len(content), lines, created=True)
    document = files.read(params.file_path)
    shown = files.workspace.show(document.location.written)
    context.seen().refuse_stale(document, params.expect_sha256)
    is_same = content == document.content
    if not is_same:
        files.modify(document, content)
        _tell_encoding(document, shown, params, context)
        _tell_loss(document, shown, lines, context)
    return WriteResult(shown, len(content), lines, created=False, is_same=is_same)


def _encoded(params: Params, name: str) -> bytes:
    from codetools.files.encoding_names import encoding_named

    encoding = encoding_named(name)
    return encoding.bom + encoding.encode(params.content, params.file_path)


def _tell_encoding(document: Document, shown: Path, params: Params, context: Context) -> None:
    """Say that a file has another encoding now: a program that reads it may not expect that."""
    if params.encoding is not None or kind_of(document.content).name != "text":
        return
    before = detect(document.content)
    if before.name != UTF_8:
        context.notice("encoding", f"{shown} was {before.name} and is utf-8 now; `encoding` keeps another")


def _tell_loss(document: Document, shown: Path, lines: int, context: Context) -> None:
    """Say that a file has lost most of its lines: a model may have left out what it meant to keep."""
    before = document.content.count(b"\n")
    if before > LEAST_LINES and lines < LEAST_SHARE * before:
        held = f"{lines:,} line{'' if lines == 1 else 's'}"
        context.notice("shrunk", f"{shown} had {before:,} lines and has {held} now; if that was not meant, undo it")
