"""The trees that a client works in, as its roots say: they narrow the workspace and never widen it."""

from typing import Any

from codetools.core.errors import Failure
from codetools.files.workspace import real_directory

MOST_ROOTS = 100


def trees_of(result: dict[str, Any]) -> tuple[str, ...] | None:
    """Return the directories that a `roots/list` result names, free of links; None where it names nothing at all."""
    roots = result.get("roots")
    if not isinstance(roots, list) or not roots:
        return None
    found = (_tree(root.get("uri")) for root in roots[:MOST_ROOTS] if isinstance(root, dict))
    return tuple(tree for tree in found if tree is not None)


def _tree(uri: Any) -> str | None:
    from urllib.parse import unquote, urlsplit  # a millisecond that most clients do without

    if not isinstance(uri, str):
        return None
    try:
        parts = urlsplit(uri)
        if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
            return None
        return real_directory(unquote(parts.path, errors="surrogateescape"))
    except (Failure, ValueError):
        return None
