"""Where a command that starts no engine works, so that no program is taken from the workspace (I8)."""

import os
from typing import Any

from codetools.core.errors import Failure
from codetools.files.workspace import find_workspace


def roots_of(common: dict[str, Any]) -> tuple[str, ...]:
    """Return the roots of the workspace that the options name; none where there is none."""
    root = common.get("root") or os.environ.get("CODETOOLS_ROOT") or None
    try:
        return tuple(found.path for found in find_workspace(common.get("directory"), root).roots)
    except Failure:
        return ()
