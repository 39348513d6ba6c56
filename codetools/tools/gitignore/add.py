"""New lines for a .gitignore."""

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result
from codetools.core.path import Path, quoted
from codetools.core.record import Record
from codetools.core.tool import Effects, tool
from codetools.search.area import Area, pace_of
from codetools.search.new_rules import Addition, Matching, addition, count_matching, refuse_useless, warnings
from codetools.search.said import counted

NAME = ".gitignore"
COUNT_SECONDS = 2.0
ADDING = Effects(destructive=False, idempotent=True, open_world=False, stages=True)


class Params(Record):
    """Which patterns, and where."""

    patterns: Annotated[
        tuple[str, ...],
        Arg("Lines to add, as they are to stand there.", positional=True, aliases=("pattern", "lines", "rules")),
    ]
    path: Annotated[
        Path | None,
        Arg(
            "Directory of the .gitignore; else the workspace's root.",
            metavar="DIR",
            aliases=("directory", "dir", "file_path"),
        ),
    ] = None


class PresentPattern(Record):
    """A pattern that was there already, and its line."""

    pattern: str
    line: int


class AddResult(Result):
    """What was added to which file."""

    path: Path
    added: tuple[str, ...]
    unchanged: tuple[PresentPattern, ...]
    created: bool
    matching_files: Annotated[
        int | None, Arg("Files that searches listed until now and the new patterns match; null: not counted.")
    ] = None

    def text(self) -> str:
        """Return one line that says what was done."""
        there = ", ".join(f"{present.pattern} (line {present.line})" for present in self.unchanged)
        if not self.added:
            return f"{quoted(self.path)} has this already: {there}; nothing was changed."
        done = f"{'Created' if self.created else 'Added to'} {quoted(self.path)}{' with' if self.created else ''}: "
        done += ", ".join(self.added) + "."
        if there:
            done += f" There already: {there}."
        if self.matching_files is not None:
            match = "matches" if self.matching_files == 1 else "match"
            done += f" {counted(self.matching_files, 'file')} listed until now {match}."
        return done


@tool(
    ADDING,
    aliases=("ignore", "add_ignore"),
    search_hint="ignore files gitignore pattern add exclude",
    examples=("codetools gitignore add '*.log' /build/", "codetools gitignore add -n --path docs _site/"),
)
def add(params: Params, context: Context) -> AddResult:
    """Add patterns to a .gitignore."""
    if not params.patterns:
        raise Failure("usage", "gitignore add: no pattern is given.", "For example: codetools gitignore add '*.log'")
    for pattern in params.patterns:
        refuse_useless(pattern)
    files = context.files
    directory, file = _place(params, context)
    if not files.exists(file):
        new = addition(b"", params.patterns)
        before, location = b"", files.create(file, new.content)
        shown, is_new = files.workspace.show(location.written), True
    else:
        document = files.read(file)
        before, is_new = document.content, False
        shown = files.workspace.show(document.location.written)
        if b"\0" in before:
            raise Failure(
                "binary", f"{shown} holds NUL bytes: git would not read it as it looks.", "Convert it to UTF-8."
            )
        if files.look(file).kind == "link":
            context.notice("link", f"{shown} is a link, and git reads no .gitignore through one")
        new = addition(before, params.patterns)
        if new.added:
            files.modify(document, new.content)
    for said in warnings(before, new):
        context.notice("order", said)
    matching = _matching(directory, new, context)
    if matching is not None and not matching.is_exact:
        context.notice("timed_out", "Not all files were counted: more may match.")
    present = tuple(PresentPattern(pattern, line) for pattern, line in new.there)
    return AddResult(shown, new.added, present, is_new, None if matching is None else matching.files)


def _place(params: Params, context: Context) -> tuple[str, str]:
    """Return the directory, and the file of rules in it."""
    directory: str = context.files.workspace.root if params.path is None else params.path
    if params.path is not None and directory.rpartition("/")[2] == NAME:
        directory = directory[: -len(NAME)].rstrip("/") or ("/" if directory.startswith("/") else ".")
    if not context.files.is_directory(directory):
        raise Failure("not_found", f"{directory} is no directory.", "The directory of a .gitignore must be there.")
    return directory, f"{directory.rstrip('/')}/{NAME}"


def _matching(directory: str, new: Addition, context: Context) -> Matching | None:
    """Return how many files match what was added, if that can be told soon."""
    patterns = tuple(pattern for pattern in new.added if not pattern.startswith("!"))
    if not patterns:
        return None
    pace = pace_of(COUNT_SECONDS, context.remaining_seconds(), context.check_cancelled)
    try:
        with Area(context.files, context.settings, directory, "gitignore_add") as area:
            return count_matching(area, patterns, pace)
    except Failure as failure:
        if failure.kind in ("timeout", "interrupted"):
            raise
        return None  # the patterns are added whether they can be counted or not
