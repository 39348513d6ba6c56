"""Replace exact texts in a file."""

from typing import Literal

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import STAGING, tool
from codetools.files.document import Document
from codetools.files.editing import Edited, Placed, Replacement, apply_edits
from codetools.files.match import Tier
from codetools.files.working import Choice

RECENT_FILES = 20  # of the session, that are searched for a text that is not in the file
TIERS: tuple[Tier, ...] = ("exact", "line_endings", "trailing_blanks", "indentation")
TIER_WORDS = {
    "exact": "",
    "line_endings": ", with the file's line endings",
    "trailing_blanks": ", ignoring blanks at line ends",
    "indentation": ", with the indentation shifted",
}


class Edit(Record):
    """One of several replacements."""

    old_string: Annotated[str, Arg("Old text.", aliases=("old_text", "old_str"))]
    new_string: Annotated[str, Arg("New text.", aliases=("new_text", "new_str"))]
    replace_all: Annotated[bool, Arg("All.", aliases=("all",))] = False


class Params(Record):
    """One replacement, or several."""

    file_path: Annotated[
        Path,
        Arg("File to edit.", positional=True, metavar="FILE", aliases=("path", "file", "absolute_path", "target_file")),
    ]
    old_string: Annotated[
        str | None,
        Arg(
            "Text to replace. Empty: make a new file.",
            positional=True,
            metavar="OLD",
            text=True,
            aliases=("old_text", "old_str"),
            example=True,
        ),
    ] = None
    new_string: Annotated[
        str | None,
        Arg(
            "Replacement, literal.",
            positional=True,
            metavar="NEW",
            text=True,
            aliases=("new_text", "new_str"),
            example=True,
        ),
    ] = None
    replace_all: Annotated[bool, Arg("Replace every exact place.", short="a", aliases=("all",))] = False
    edits: Annotated[tuple[Edit, ...], Arg("Several edits, instead.", text=True)] = ()
    partial: Annotated[bool, Arg("Of several edits, make those that fit.", model=False)] = False
    count: Annotated[
        int | None,
        Arg("Replace exactly N places.", minimum=1, metavar="N", aliases=("expected_replacements",), model=False),
    ] = None
    near_line: Annotated[
        int | None, Arg("Of equal places, take the one nearest to line N.", minimum=1, metavar="N", model=False)
    ] = None
    encoding: Annotated[str | None, Arg("Encoding of the file, where its bytes do not show it.", model=False)] = None
    expect_sha256: Annotated[
        str | None, Arg("Refuse unless the file has this SHA-256.", metavar="HASH", model=False)
    ] = None


class EditStatus(Record):
    """What became of one of several edits."""

    edit: Annotated[int, Arg("Its number, from 1.")]
    status: Literal["applied", "failed"]
    tier: Tier | None = None
    lines: tuple[int, ...] = ()
    error: Annotated[str | None, Arg("Why it failed, and its kind before that.")] = None


class EditResult(Result):
    """What was replaced, and how it was found."""

    path: Path
    replacements: Annotated[int, Arg("Texts replaced; 0 for a new file.")]
    tier: Annotated[Tier, Arg("How the text was found, exact first; of several edits the loosest.")]
    lines: Annotated[tuple[int, ...], Arg("Lines where the replaced texts began.")] = ()
    edits: Annotated[tuple[EditStatus, ...], Arg("Each of several edits.")] = ()

    def text(self) -> str:
        """Return what was done: one line, and one for each edit that was not exact or failed."""
        if not self.replacements:
            return f"Created {self.path}."
        shown = ", ".join(map(str, self.lines[:20])) + (", ..." if len(self.lines) > 20 else "")
        where = f"line {shown}" if self.replacements == 1 else f"lines {shown}"
        times = "1 replacement" if self.replacements == 1 else f"{self.replacements:,} replacements"
        if not self.edits:
            return f"Edited {self.path}: {times}, {where}{TIER_WORDS[self.tier]}."
        made = sum(edit.status == "applied" for edit in self.edits)
        of = f"{made} of {len(self.edits)}" if made < len(self.edits) else str(made)
        lines = [f"Edited {self.path}: {of} edits, {times}, {where}."]
        for edit in self.edits:
            if edit.error is not None:
                lines.append(f"Edit {edit.edit} was not made: {edit.error}")
            elif edit.tier not in ("exact", None):
                lines.append(f"Edit {edit.edit}{TIER_WORDS[edit.tier]}.")
        return "\n".join(lines)


@tool(
    STAGING,
    aliases=("str_replace", "replace", "edit_file", "multi_edit", "multiedit"),
    search_hint="replace change text in file",
    examples=('codetools edit app.py "DEBUG = True" "DEBUG = False"', "codetools edit -a app.py old_name new_name"),
)
def edit(params: Params, context: Context) -> EditResult:
    """Replace a text that occurs exactly once in a file."""
    files = context.files
    replacements = _replacements(params)
    if not replacements[0].old:
        return _create(params.file_path, replacements[0].new, context)
    document = _read(params, context)
    shown = files.workspace.show(document.location.written)
    context.seen().refuse_stale(document, params.expect_sha256)
    choice = Choice(params.encoding, context.settings.encoding)
    try:
        edited = apply_edits(document, shown, replacements, partial=params.partial, choice=choice)
    except Failure as failure:
        raise _with_other_file(failure, replacements, document, context) from None
    if edited.encoding.is_guessed and not all(one.new.isascii() for one in replacements):
        context.notice("encoding", f"{shown} is not valid UTF-8; the new text was encoded as {edited.encoding.name}")
    files.modify(document, edited.content)
    return _result(shown, edited, is_many=bool(params.edits))


def _replacements(params: Params) -> tuple[Replacement, ...]:
    """Return what is to be replaced; raise `usage` where that is not said, or said twice."""
    old, new = params.old_string, params.new_string
    if not params.edits:
        missing = [name for name, text in (("old_string", old), ("new_string", new)) if text is None]
        if old is None or new is None:
            example = '{"file_path": "app.py", "old_string": "old text", "new_string": "new text"}'
            hint = f"Give both, or edits. A valid call: edit {example}"
            words = ", ".join(name.split("_")[0].upper() for name in missing)
            raise Failure("usage", f"edit: missing {', '.join(missing)} ({words}).", hint, {"missing": missing})
        return (Replacement(old, new, params.replace_all, params.count, params.near_line),)
    if old or new:
        raise Failure("usage", "edit: old_string and new_string stand for one edit, edits for several.", "Give one.")
    if params.count is not None or params.near_line is not None or params.replace_all:
        problem = "replace_all, count and near_line are for one edit; each of edits has a replace_all of its own."
        raise Failure("usage", f"edit: {problem}")
    for number, one in enumerate(params.edits, 1):
        if not one.old_string and len(params.edits) > 1:
            problem = f"edit {number} has an empty old_string, which makes a new file and nothing else."
            raise Failure("usage", f"edit: {problem}", "Make the file with write, then edit it.")
    return tuple(Replacement(one.old_string, one.new_string, one.replace_all) for one in params.edits)


def _create(path: Path, content: str, context: Context) -> EditResult:
    if not content:
        raise Failure("no_change", "Old and new text are both empty; nothing would change.")
    if context.files.exists(path):
        message = f"{path.printable()} already exists, and an empty old text only makes new files."
        raise Failure("exists", message, "Give the text to replace, or use write to replace the whole file.")
    location = context.files.create(path, content.encode())
    return EditResult(context.files.workspace.show(location.written), 0, "exact")


def _read(params: Params, context: Context) -> Document:
    try:
        return context.files.read(params.file_path)
    except Failure as failure:
        if failure.kind != "not_found":
            raise
        from codetools.files.near import not_found

        raise not_found(context.files, params.file_path) from None


def _result(shown: Path, edited: Edited, *, is_many: bool) -> EditResult:
    placed = edited.placed
    lines = tuple(sorted(line for one in placed for line in one.lines))
    tier = max((one.tier for one in placed if one.failure is None), key=TIERS.index)
    statuses = tuple(_status(number, one) for number, one in enumerate(placed, 1)) if is_many else ()
    return EditResult(shown, len(lines), tier, lines, statuses)


def _status(number: int, one: Placed) -> EditStatus:
    if one.failure is None:
        return EditStatus(number, "applied", one.tier, one.lines)
    return EditStatus(number, "failed", error=f"{one.failure.kind}: {one.failure.message}")


def _with_other_file(
    failure: Failure, replacements: tuple[Replacement, ...], document: Document, context: Context
) -> Failure:
    """Return the failure with the other file that this session has read and that does hold the text."""
    marks = context.marks()
    if failure.kind != "no_match" or marks is None or context.session is None:
        return failure
    from codetools.files.elsewhere import found_elsewhere

    statuses = failure.details.get("edits", ())
    failed = next((status["edit"] - 1 for status in statuses if status.get("kind") == "no_match"), 0)
    paths = marks.recent(context.session, RECENT_FILES)
    other = found_elsewhere(context.files, paths, document.location.reached, replacements[failed].old)
    if other is None:
        return failure
    where = f"The text is in {other.printable()}."
    text = f"{failure.model_text()}\n{where}"
    return Failure(failure.kind, failure.message, where, {**failure.details, "found_in": other.printable()}, text=text)
