"""Replace one exact text in a file."""

from typing import Annotated

from codetools.context import Context
from codetools.core.arg import Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import STAGING, tool
from codetools.files.document import Document
from codetools.files.editing import apply_edit
from codetools.files.match import Tier
from codetools.files.stale import refuse_stale

TIER_WORDS = {
    "exact": "",
    "line_endings": ", with the file's line endings",
    "trailing_blanks": ", ignoring blanks at line ends",
    "indentation": ", with the indentation shifted",
}


class Params(Record):
    """One replacement."""

    file_path: Annotated[Path, Arg("File to edit.", positional=True, metavar="FILE", aliases=("path", "file"))]
    old_string: Annotated[
        str,
        Arg(
            "Text to replace. Empty: make a new file.",
            positional=True,
            metavar="OLD",
            text=True,
            aliases=("old_text", "old_str"),
        ),
    ]
    new_string: Annotated[
        str, Arg("Replacement, literal.", positional=True, metavar="NEW", text=True, aliases=("new_text", "new_str"))
    ]
    replace_all: Annotated[bool, Arg("Replace every exact occurrence.", short="a", aliases=("all",))] = False
    expect_sha256: Annotated[
        str | None, Arg("Refuse unless the file has this SHA-256.", metavar="HASH", model=False)
    ] = None


class EditResult(Result):
    """What was replaced, and how it was found."""

    path: Path
    replacements: Annotated[int, Arg("Texts replaced; 0 for a new file.")]
    tier: Annotated[Tier, Arg("How the text was found, exact first.")]
    lines: Annotated[tuple[int, ...], Arg("Lines where the replaced texts began.")] = ()

    def text(self) -> str:
        """Return one line that says what was done."""
        if not self.replacements:
            return f"Created {self.path}."
        shown = ", ".join(map(str, self.lines[:20])) + (", ..." if len(self.lines) > 20 else "")
        where = f"line {shown}" if self.replacements == 1 else f"lines {shown}"
        times = "1 replacement" if self.replacements == 1 else f"{self.replacements:,} replacements"
        return f"Edited {self.path}: {times}, {where}{TIER_WORDS[self.tier]}."


@tool(
    STAGING,
    aliases=("str_replace", "edit_file"),
    search_hint="replace change text in file",
    examples=('codetools edit app.py "DEBUG = True" "DEBUG = False"', "codetools edit -a app.py old_name new_name"),
)
def edit(params: Params, context: Context) -> EditResult:
    """Replace a text that occurs exactly once in a file."""
    files = context.files
    if not params.old_string:
        return _create(params, context)
    document = _read(params, context)
    shown = files.workspace.show(document.location.written)
    refuse_stale(document, shown, params.expect_sha256, context.marks(), context.session)
    edited = apply_edit(document, shown, params.old_string, params.new_string, replace_all=params.replace_all)
    if edited.encoding.is_guessed and not params.new_string.isascii():
        context.notice("encoding", f"{shown} is not valid UTF-8; the new text was encoded as {edited.encoding.name}")
    files.modify(document, edited.content)
    return EditResult(shown, len(edited.lines), edited.tier, edited.lines)


def _create(params: Params, context: Context) -> EditResult:
    if not params.new_string:
        raise Failure("no_change", "Old and new text are both empty; nothing would change.")
    if context.files.exists(params.file_path):
        message = f"{params.file_path} already exists, and an empty old text only makes new files."
        raise Failure("exists", message, "Give the text to replace, or use write to replace the whole file.")
    location = context.files.create(params.file_path, params.new_string.encode())
    return EditResult(context.files.workspace.show(location.written), 0, "exact")


def _read(params: Params, context: Context) -> Document:
    try:
        return context.files.read(params.file_path)
    except Failure as failure:
        if failure.kind != "not_found":
            raise
        from codetools.files.near import not_found

        raise not_found(context.files, params.file_path) from None
