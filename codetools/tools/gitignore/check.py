"""Why paths are ignored or not."""

from codetools.context import Context
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result, Span
from codetools.core.path import Path, quoted
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, tool
from codetools.search.area import pace_of
from codetools.search.explain import Decision, Verdict, explain
from codetools.search.said import counted, passed_rules
from codetools.search.waiting import Check, ending_of

DEFAULTS = "search.exclude"
WHOSE = {
    "gitignore": "",
    "ignore": "",
    "codetoolsignore": "",
    "exclude": " (the repository's own excludes)",
    "global": " (the user's own excludes)",
}


class Params(Record):
    """Which paths."""

    paths: Annotated[
        tuple[Path, ...],
        Arg(
            "Paths, which need not exist; `/` at the end: a directory.", positional=True, aliases=("path", "file_path")
        ),
    ]


class CheckedPath(Record):
    """One path. `by` is the line that decides in searches, `git_by` in git; null: none speaks of it."""

    path: Path
    ignored: Annotated[bool, Arg("Whether searches leave it out.")]
    by: Decision | None
    git: Annotated[bool | None, Arg("Whether git ignores it; null outside of a repository.")]
    git_by: Decision | None

    def said(self) -> str:
        """Return the verdict in a sentence without an end."""
        verdict = "ignored by " if self.ignored else "not ignored"
        if self.by is not None:
            verdict += _line(self.by) if self.ignored else f": {_line(self.by)} takes it back"
        if self.git is not None and self.git != self.ignored:
            other = "ignores it" if self.git else "does not ignore it"
            line = f" by {_line(self.git_by)}" if self.git and self.git_by is not None else ""
            verdict += f"; git {other}{line}"
        if self.ignored and self.by is not None and self.by.of.rstrip("/") != self.path.rstrip("/"):
            verdict += f"; it lies in {quoted(self.by.of)}"
        return verdict


class CheckResult(Result):
    """The verdict on each path."""

    paths: tuple[CheckedPath, ...]
    total_ignored: int

    def text(self) -> str:
        """Return one verdict a line."""
        return "\n".join(f"{quoted(checked.path)}: {checked.said()}" for checked in self.paths)

    def plain(self) -> str:
        """Return what `git check-ignore -v` prints: `FILE:LINE:PATTERN`, a tab, the path; of ignored paths alone."""
        rows = ((checked, checked.by) for checked in self.paths if checked.ignored)
        return "\n".join(f"{_place(by)}:{by.pattern}\t{quoted(checked.path)}" for checked, by in rows if by is not None)

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return one verdict a line."""
        return tuple(
            (Span(checked.path, "path"), Span(": ", "dim"), Span(checked.said(), "bad" if checked.ignored else "good"))
            for checked in self.paths
        )

    def status(self) -> str:
        """Return how many are ignored."""
        return f"{self.total_ignored:,} of {counted(len(self.paths), 'path')} ignored"

    def answers_no(self) -> bool:
        """Whether none is ignored."""
        return not self.total_ignored


@tool(
    READ_ONLY,
    aliases=("check_ignore",),
    search_hint="why ignored hidden gitignore rule pattern explain",
    examples=("codetools gitignore check build/app.o", "codetools gitignore check --json src dist/"),
)
def check(params: Params, context: Context) -> CheckResult:
    """Explain whether paths are ignored, and by which line."""
    if not params.paths:
        raise Failure("usage", "gitignore check: no path is given.", "For example: codetools gitignore check build")
    limits = context.limits
    over = ending_of(pace_of(limits.search_seconds, context.remaining_seconds(), context.check_cancelled))
    excludes = tuple(name for name in context.settings.search.exclude if name != ".git")
    checked: list[CheckedPath] = []
    unread: dict[Path, None] = {}
    for path in params.paths:
        verdict = _verdict(path, excludes, context, over)
        unread |= dict.fromkeys(verdict.unread)
        checked.append(CheckedPath(path, verdict.ignored, verdict.by, verdict.git, verdict.git_by))
    if said := passed_rules(unread):
        context.notice("rules", said)
    return CheckResult(tuple(checked), sum(one.ignored for one in checked))


def _verdict(path: Path, excludes: tuple[str, ...], context: Context, over: Check) -> Verdict:
    files = context.files
    written = path.rstrip("/") or "/"
    location = files.place(written)
    is_directory = path.endswith("/")
    try:
        is_directory |= files.look(written).kind == "directory"
    except Failure as failure:
        if failure.kind != "not_found":
            raise
    return explain(location, is_directory, excludes, files.workspace.show, over)


def _line(by: Decision) -> str:
    if by.source == "git":
        return "name: .git is searched only where it is named"
    if by.source == "default":
        return f"the default excludes ({DEFAULTS}): {by.pattern}"
    return f"{_place(by)}: {by.pattern}{WHOSE[by.source]}"


def _place(by: Decision) -> str:
    if by.file is None:
        return f"{DEFAULTS if by.source == 'default' else ''}:"
    return f"{quoted(by.file)}:{by.line}"
