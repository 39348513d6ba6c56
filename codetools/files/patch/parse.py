"""From a patch's text to what it says: finds out the format, and takes off what models wrap patches in."""

import re

from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.files.patch.begin_patch import BEGIN, parse_begin_patch
from codetools.files.patch.model import FilePatch
from codetools.files.patch.unified import parse_unified

HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")
FENCE = re.compile(r"\s*(```+|~~~+)")


def parse_patch(text: str, file_path: str | None) -> tuple[FilePatch, ...]:
    """Return what a patch says of each file; `file_path` is the file of hunks that name none.

    Raise `usage` where it is no patch, and `patch_failed` naming the line where it is broken.
    """
    lines = _unwrapped(text)
    if not any(line.strip() for line in lines):
        raise Failure("usage", "The patch is empty.", "Give a unified diff, or *** Begin Patch.")
    is_begin_patch = any(line.rstrip() == BEGIN for line in lines)
    patches = parse_begin_patch(lines) if is_begin_patch else parse_unified(lines, file_path)
    if not patches:
        hint = "A unified diff needs --- and +++ lines, or file_path; the other format begins with *** Begin Patch."
        raise Failure("usage", "This is no patch: it changes no file.", hint)
    return _for_file(patches, file_path)


def _unwrapped(text: str) -> list[str]:
    """Return the lines, with what surrounds a patch left as blank lines, so that their numbers stay right."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if _is_crlf(lines):
        lines = [line.removesuffix("\r") for line in lines]
    written = [number for number, line in enumerate(lines) if line.strip()]
    if not written:
        return lines
    first, last = written[0], written[-1]
    if FENCE.match(lines[first]):
        lines[first] = ""
        if FENCE.match(lines[last]):
            lines[last] = ""
        first = next((number for number in written if lines[number].strip()), first)
    heredoc = HEREDOC.search(lines[first])
    if heredoc and not lines[first].startswith((" ", "+", "-")):
        ends = [number for number in written if lines[number].strip().rstrip("'\")") == heredoc[2]]
        end = ends[-1] if ends else len(lines)
        lines = ["" if number <= first else line for number, line in enumerate(lines[:end])]
    return lines


def _is_crlf(lines: list[str]) -> bool:
    """Whether the patch itself, not only what it quotes, has CRLF line ends."""
    heads = [line for line in lines if line.startswith(("--- ", "+++ ", "*** ", "@@"))]
    return bool(heads) and all(line.endswith("\r") for line in heads)


def _for_file(patches: tuple[FilePatch, ...], file_path: str | None) -> tuple[FilePatch, ...]:
    """Return the patches, the only one under the name that the caller gives; raise `usage` where names disagree."""
    if file_path is None:
        return patches
    only = patches[0]
    if len(patches) > 1 or only.destination is not None:
        raise Failure("usage", f"The patch names several files; {file_path} can stand for only one.", "Leave it out.")
    if only.path != file_path and not f"/{file_path}".endswith(f"/{only.path.lstrip('/')}"):
        raise Failure(
            "usage", f"The patch is for {only.path}, not {file_path}.", "Leave file_path out, or correct one."
        )
    return (only.but(path=Path(file_path)),)
