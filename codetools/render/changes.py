"""Changed files for people: unified diffs, and one line for a change that has none."""

from collections.abc import Iterable, Iterator

from codetools.core.outcome import Change, Span
from codetools.render.spans import Line

_VERBS = {"create": "created", "modify": "modified", "delete": "deleted", "move": "moved", "mkdir": "created directory"}


def changes_plain(changes: Iterable[Change]) -> str:
    """Return the changes as a pipe gets them: a patch as it is, one line where there is no diff."""
    return "".join(_ended(change.diff or _sentence(change)) for change in changes)


def changes_lines(changes: Iterable[Change]) -> Iterator[Line]:
    """Yield the changes as lines of spans."""
    for change in changes:
        if change.diff:
            yield from diff_lines(change.diff)
        else:
            yield (Span(_sentence(change)),)


def diff_lines(diff: str) -> Iterator[Line]:
    """Yield a unified diff as lines of spans."""
    is_header = True
    for line in diff.removesuffix("\n").split("\n"):
        if line.startswith("@@"):
            is_header = False
        elif line.startswith("diff "):
            is_header = True
        yield (Span(line, _role(line, is_header=is_header)),)


def changes_status(changes: tuple[Change, ...]) -> str:
    """Return how much changed, such as `2 files, +3 -1`."""
    files = f"{len(changes)} file{'' if len(changes) == 1 else 's'}"
    added, removed = (sum(getattr(change, name) for change in changes) for name in ("additions", "removals"))
    return f"{files}, +{added} -{removed}" if added or removed else files


def _role(line: str, *, is_header: bool) -> str:
    if is_header:
        return "heading"
    if line.startswith("@@"):
        return "number"
    return {"+": "added", "-": "removed", "\\": "dim"}.get(line[:1], "plain")


def _sentence(change: Change) -> str:
    if change.source is not None:
        return f"{_VERBS[change.kind]} {change.source} -> {change.path}"
    return f"{_VERBS[change.kind]} {change.path}"


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"
