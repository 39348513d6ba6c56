"""What is wrong with a patch, file by file and hunk by hunk: all of it at once, since nothing was changed."""

from typing import Any

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.files.explain import explanation
from codetools.files.patch.lines import FileLines
from codetools.files.patch.locate import Located, Target, locate
from codetools.files.patch.model import Hunk
from codetools.files.working import Working

EXPLAINED_BYTES = 8 << 20
MOST_EXPLAINED = 5  # problems whose nearest lines are shown
SHOWN_NUMBERS = 20


class Problem(Record):
    """One reason why a patch does not apply; `lines` show it."""

    kind: str
    message: str
    lines: tuple[str, ...] = ()
    details: dict[str, Any] | None = None
    hint: str = ""


def failure_of(problems: list[Problem], hunks: int) -> Failure:
    """Return the one failure of a patch: `patch_failed`, or the kind that all of its problems are of."""
    kinds = {problem.kind for problem in problems}
    kind = kinds.pop() if len(kinds) == 1 else "patch_failed"
    first = problems[0]
    more = f" and {len(problems) - 1} more" if len(problems) > 1 else ""
    message = f"{first.message.rstrip('.')}{more}; nothing was changed."
    hint = first.hint or "Read the file again, and give the lines as they are."
    shown: list[str] = []
    for number, problem in enumerate(problems):
        shown += [problem.message, *(problem.lines if number < MOST_EXPLAINED else ())]
    heading = f"The patch was not applied: {len(problems)} problem{'s' * (len(problems) > 1)}"
    heading += f" in {hunks} hunk{'s' * (hunks > 1)}; nothing was changed." if hunks else "; nothing was changed."
    details = {"problems": [{"kind": one.kind, "message": one.message, **(one.details or {})} for one in problems]}
    return Failure(kind, message, hint, {**(first.details or {}), **details}, text="\n".join([heading, *shown, hint]))


def of_failure(failure: Failure) -> Problem:
    """Return a file's failure as one of the patch's problems."""
    return Problem(failure.kind, failure.message, (), failure.details, failure.hint)


def of_hunk(text: Working, file: FileLines, target: Target, number: int, located: Located) -> Problem:
    """Return why a hunk has no place: none is like it, or several are."""
    hunk = target.hunk
    name = f"{text.shown}: hunk {number} (patch line {hunk.written_at})"
    details: dict[str, Any] = {"path": text.shown, "hunk": number, "patch_line": hunk.written_at}
    if len(located.candidates) > 1:
        numbers = [place.start + 1 for place in located.candidates]
        listed = ", ".join(map(str, numbers[:SHOWN_NUMBERS])) + (", ..." if len(numbers) > SHOWN_NUMBERS else "")
        message = f"{name} fits {len(numbers):,} places (lines {listed})."
        tier = located.candidates[0].tier
        return Problem(
            "not_unique", message, (), {**details, "lines": numbers, "tier": tier}, "Add context lines, or an @@ line."
        )
    if located.problem:
        hint = "Give the lines around the change as context."
        return Problem("patch_failed", f"{name}: {located.problem}.", (), details, hint)
    applied = _applied_at(file, hunk, text)
    if applied is not None:
        message = f"{name} seems to be applied already, at line {applied}."
        return Problem(
            "patch_failed", message, (), {**details, "applied_at": applied}, "Leave it out, or read the file."
        )
    old = "\n".join(line.text.removesuffix("\r") for line in hunk.side("-"))
    found = explanation(text.decode(EXPLAINED_BYTES).removeprefix("\ufeff"), old)
    if hunk.is_at_end:
        details["at_end"] = True
    message = f"{name} does not occur{' at the end of the file' if hunk.is_at_end else ''}{found.summary}."
    return Problem("patch_failed", message, found.lines, {**details, **found.details})


def _applied_at(file: FileLines, hunk: Hunk, text: Working) -> int | None:
    new = hunk.side("+")
    if not any(line.mark == "+" and line.text.strip() for line in new):
        return None
    lines = tuple(text.encode(line.text) + (b"" if line.is_unterminated else b"\n") for line in new)
    found = locate(file, (Target(hunk, lines, ()),))[0].candidates
    return found[0].start + 1 if len(found) == 1 else None
