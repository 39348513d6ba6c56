"""Whether a text that a file lacks stands in another one that the session has read: cheap, and often the case."""

from collections.abc import Iterable

from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.files.files import Files

MOST_BYTES = 1 << 20  # of one file
LEAST_CHARS = 8  # shorter texts are everywhere


def found_elsewhere(files: Files, paths: Iterable[Path], not_in: Path, old: str) -> Path | None:
    """Return the first file that holds the text, as it is shown; those that may not be shown are passed over."""
    wanted = old.encode()
    if len(old.strip()) < LEAST_CHARS:
        return None
    for path in paths:
        if path == not_in or not files.may_show(path):
            continue
        try:
            content = files.read(path, MOST_BYTES).content
        except Failure:
            continue
        if wanted in content or wanted in content.replace(b"\r\n", b"\n"):
            return files.workspace.show(path)
    return None
