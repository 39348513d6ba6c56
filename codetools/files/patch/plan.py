"""Every file of a patch read, every hunk located and every new content made, before anything is staged."""

from collections.abc import Callable
from itertools import pairwise
from typing import Literal

from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.files.document import Document
from codetools.files.files import Files
from codetools.files.match import Span, Tier, replaced
from codetools.files.near import not_found
from codetools.files.patch.apply import Changed, span_of
from codetools.files.patch.lines import FileLines
from codetools.files.patch.locate import Located, Place, Target, locate, part_around
from codetools.files.patch.model import FilePatch, Hunk
from codetools.files.patch.names import joined, refuse_outside
from codetools.files.patch.report import Problem, failure_of, of_failure, of_hunk
from codetools.files.working import NO_CHOICE, Choice, Working, working

GATHERED_EXIT_CODES = (65, 66)  # what does not fit the files is told all at once; a refusal ends the call

Check = Callable[[Document], None]


class PlacedHunk(Record):
    """Where a hunk was found: the first of its old lines, 1-based, in the file as it was."""

    line: int
    tier: Tier


class Planned(Record):
    """What will become of one file. `content` is its new one, `source` where a renamed or copied file comes from."""

    kind: Literal["create", "modify", "delete", "move", "copy"]
    path: Path
    hunks: tuple[PlacedHunk, ...] = ()
    document: Document | None = None
    content: bytes | None = None
    source: Path | None = None
    mode: int | None = None
    has_guessed_encoding: bool = False


def plan(files: Files, patches: tuple[FilePatch, ...], check: Check, choice: Choice = NO_CHOICE) -> tuple[Planned, ...]:
    """Return what is to be staged; raise one failure that names everything that does not fit.

    `check` raises for a document that must not be changed, such as a stale one; `choice` is of encodings.
    """
    refuse_outside(files, patches)
    planned: list[Planned] = []
    problems: list[Problem] = []
    deleted: set[Path] = set()
    for group in joined(files, patches):
        try:
            planned.append(_planned(files, group, check, choice, problems, deleted))
        except Failure as failure:
            if failure.exit_code not in GATHERED_EXIT_CODES:
                raise
            problems.append(of_failure(failure))
    if problems:
        raise failure_of(problems, sum(len(patch.hunks) for patch in patches))
    return tuple(planned)


def _planned(
    files: Files,
    group: tuple[FilePatch, ...],
    check: Check,
    choice: Choice,
    problems: list[Problem],
    deleted: set[Path],
) -> Planned:
    patch = group[0]
    if patch.kind == "add":
        if patch.path not in deleted:
            _refuse_taken(files, patch.path)
        return Planned("create", patch.path, content=patch.new_text().encode(), mode=patch.mode)
    if patch.kind == "delete" or patch.destination is not None:
        _refuse_link(files, patch.path)
    if patch.removes_any:
        deleted.add(patch.path)
        return Planned("delete", patch.path)
    document = _read(files, patch)
    shown = files.workspace.show(document.location.written).printable()
    check(document)
    if patch.destination is not None:
        _refuse_taken(files, patch.destination)
    if not any(one.hunks for one in group) and patch.kind != "delete":
        content: bytes | None = document.content
        hunks: tuple[PlacedHunk, ...] = ()
        is_guessed = False
    else:
        text = working(document.content, shown, choice)
        content, hunks = _applied(text, group, problems)
        is_guessed = text.encoding.is_guessed
    if patch.kind == "delete":
        if content is not None and content.strip(b"\xef\xbb\xbf\xff\xfe"):
            raise Failure("patch_failed", f"{shown}: it holds more than the lines that the patch removes.")
        deleted.add(patch.path)
        return Planned("delete", patch.path, hunks)
    source = patch.path if patch.destination is not None else None
    if content == document.content and source is None:
        raise Failure("no_change", f"{shown}: the patch changes nothing.", "Leave the file out.")
    kind: Literal["modify", "move", "copy"] = (
        "copy" if patch.kind == "copy" else "modify" if patch.destination is None else "move"
    )
    return Planned(
        kind,
        patch.destination or patch.path,
        hunks,
        document,
        content,
        source,
        has_guessed_encoding=is_guessed,
    )


def _applied(
    text: Working, group: tuple[FilePatch, ...], problems: list[Problem]
) -> tuple[bytes | None, tuple[PlacedHunk, ...]]:
    """Return the new content and where each hunk was found; None where a problem was added instead."""
    applied: list[tuple[Hunk, Place, Span | None]] = []
    number, before = 0, len(problems)
    for sought in _sought(text, group):
        placed: list[tuple[Hunk, Place]] = []
        for target, file, located in sought:
            number += 1
            span = span_of(text, file, target.hunk, located.place) if located.place is not None else None
            if located.place is None or span is None:
                problems.append(of_hunk(text, file, target, number, located))
                continue
            place = located.place.below(file.first)
            placed.append((target.hunk, place))
            applied.append((target.hunk, place, span))
        _refuse_disorder(text.shown, placed)
    if len(problems) > before:
        return None, ()
    applied.sort(key=lambda one: (one[2].start, one[2].end) if one[2] else (0, 0))
    _refuse_overlap(text.shown, [(hunk, place) for hunk, place, _ in applied])
    content = replaced(text.content, tuple(span for _, _, span in applied if span is not None))
    hunks_found = tuple(PlacedHunk(place.start + 1, place.tier) for _, place, _ in applied)
    return text.original(content), hunks_found


def _sought(text: Working, group: tuple[FilePatch, ...]) -> list[list[tuple[Target, FileLines, Located]]]:
    """Return for each patch of a file its hunks, the lines they were looked for in, and what was found."""
    every = [line for patch in group for hunk in patch.hunks for line in hunk.lines]
    with_bom = any(line.text.startswith("\ufeff") for line in every)
    targets = [
        [_target(text, hunk) for hunk in patch.hunks if any(line.mark != " " for line in hunk.lines)] for patch in group
    ]
    parts: list[list[tuple[Target, FileLines, Located]]] = []
    for of_patch in targets:
        parts.append([])
        for target in of_patch:
            part = part_around(text.content, target, with_bom=with_bom)
            if part is None:
                file = FileLines(text.content, with_bom=with_bom)
                return [_all_sought(file, one) for one in targets]
            parts[-1].append((target, part, locate(part, (target,))[0]))
    return parts


def _all_sought(file: FileLines, targets: list[Target]) -> list[tuple[Target, FileLines, Located]]:
    located = locate(file, tuple(targets))
    return [(target, file, found) for target, found in zip(targets, located, strict=True)]


def _target(text: Working, hunk: Hunk) -> Target:
    old = tuple(text.encode(line.text) + (b"" if line.is_unterminated else b"\n") for line in hunk.side("-"))
    return Target(hunk, old, tuple(text.encode(header) for header in hunk.headers))


def _refuse_disorder(shown: str, placed: list[tuple[Hunk, Place]]) -> None:
    for (first, above), (second, below) in pairwise(placed):
        if below.start < above.start:
            lines = f"patch line {second.written_at} belongs at line {below.start + 1}"
            message = f"{shown}: its hunks are not in the file's order: {lines}, above that of line {first.written_at}."
            raise Failure("patch_failed", message, "Give the hunks of a file from its top to its end.")


def _refuse_overlap(shown: str, placed: list[tuple[Hunk, Place]]) -> None:
    """Hunks may share context; a line that one changes is nothing for the other to stand on."""
    for (first, above), (second, below) in pairwise(placed):
        one, two = Changed(first, above), Changed(second, below)
        if _cuts(one, below) or _cuts(two, above) or one.start == two.start:
            message = f"{shown}: the hunks at patch lines {first.written_at} and {second.written_at} overlap."
            raise Failure("patch_failed", message, "Make one hunk of them.")


def _cuts(changed: Changed, place: Place) -> bool:
    """Whether a change falls into lines that another hunk stands on."""
    if changed.start == changed.end:
        return place.start < changed.start < place.end
    return max(changed.start, place.start) < min(changed.end, place.end)


def _read(files: Files, patch: FilePatch) -> Document:
    try:
        return files.read(patch.path)
    except Failure as failure:
        if failure.kind != "not_found":
            raise
    missing = not_found(files, patch.path)
    if patch.old_name not in (None, patch.path):
        hint = f"To rename {patch.old_name}, add lines 'rename from' and 'rename to'."
        raise Failure("not_found", missing.message, hint, missing.details)
    raise missing


def _refuse_taken(files: Files, path: Path) -> None:
    if files.exists(path):
        raise Failure("exists", f"{path.printable()} already exists.", "Give an update of it, or delete it first.")


def _refuse_link(files: Files, path: Path) -> None:
    """A link's name is not what a patch is about; and a directory is deleted by other tools."""
    entry = files.look(path)
    if entry.kind != "file":
        kind = "is_a_directory" if entry.kind == "directory" else "not_a_file"
        raise Failure(
            kind, f"{path.printable()} is a {entry.kind}, not a file.", "A patch moves and deletes files only."
        )
