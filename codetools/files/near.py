"""What was probably meant where a name was not found, and what a directory holds where a file was meant."""

from codetools.core.errors import Failure
from codetools.files.files import Files

NEAR_NAMES = 3
LISTED_NAMES = 50
CANDIDATE_NAMES = 5000


def not_found(files: Files, written: str) -> Failure:
    """Return `not_found` with up to three near names of the same directory, or its name in a directory of a near one.

    Only names that may be shown are named.
    """
    directory, name = _split(written)
    names = _names(files, directory)
    paths = [_joined(directory, found) for found in _near(name, names)] if names else _elsewhere(files, directory, name)
    hint = f"Did you mean {' or '.join(paths)}?" if paths else ""
    return Failure("not_found", f"{written}: no such file or directory.", hint, {"near": paths})


def is_a_directory(files: Files, written: str) -> Failure:
    """Return `is_a_directory` with the directory's first names as the model's text."""
    message = f"{written} is a directory, not a file."
    names = _names(files, written)
    lines = [message, *(f"  {name}" for name in names[:LISTED_NAMES])]
    if len(names) > LISTED_NAMES:
        lines.append(f"  ... and {len(names) - LISTED_NAMES} more; use ls.")
    hint = "Name one of its files, or use ls."
    return Failure("is_a_directory", message, hint, {"names": names[:LISTED_NAMES]}, text="\n".join(lines))


def _elsewhere(files: Files, directory: str, name: str) -> list[str]:
    """Return where a file of this name is, in directories whose names are near that of one that is not there."""
    if directory in (".", "/"):
        return []
    above, missing = _split(directory)
    near = [_joined(above, found) for found in _near(missing, _names(files, above))]
    return [_joined(place, name) for place in near if name in _names(files, place)]


def _split(written: str) -> tuple[str, str]:
    directory, _, name = written.rstrip("/").rpartition("/")
    return directory or ("/" if written.startswith("/") else "."), name


def _joined(directory: str, name: str) -> str:
    return name if directory == "." else f"{directory.rstrip('/')}/{name}"


def _names(files: Files, directory: str) -> list[str]:
    """Return a directory's names, those of directories ending in `/`; none where they may not be shown or read."""
    try:
        if not files.may_list(files.workspace.absolute(directory)):
            return []
        entries = files.list(directory)
    except Failure:
        return []
    return [str(entry.name.printable()) + ("/" if entry.kind == "directory" else "") for entry in entries]


def _near(name: str, names: list[str]) -> list[str]:
    from difflib import get_close_matches

    folded = {known.rstrip("/").lower(): known.rstrip("/") for known in names[:CANDIDATE_NAMES]}
    return [folded[found] for found in get_close_matches(name.lower(), list(folded), NEAR_NAMES, 0.6)]
