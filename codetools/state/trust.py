"""Which project settings the user trusts: exact path and exact content, kept outside every workspace."""

import json
import os
import time
from typing import Any

from codetools.core.errors import Failure
from codetools.state.durable import read_if_there, replace_file
from codetools.state.home import make_directory
from codetools.state.lockfile import Lock

NAME = "trust.json"
_LOCK_SECONDS = 5.0
_MOST_BYTES = 4 << 20


def is_trusted(home: str, path: str, sha256: str) -> bool:
    """Whether the user trusts this absolute path with this content. A list that cannot be read trusts none."""
    try:
        entry = _entries(home).get(os.path.normpath(path))
    except Failure:
        return False
    return isinstance(entry, dict) and entry.get("sha256") == sha256


def trust(home: str, path: str, sha256: str) -> None:
    """Trust one content of one file, instead of any before; durable on return."""
    _change(home, lambda entries: {**entries, os.path.normpath(path): {"sha256": sha256, "at": time.time()}})


def distrust(home: str, path: str) -> bool:
    """Trust a file no longer; False where it was not trusted."""
    found = os.path.normpath(path) in _entries(home)
    _change(home, lambda entries: {key: value for key, value in entries.items() if key != os.path.normpath(path)})
    return found


def _change(home: str, change: Any) -> None:
    make_directory(home)
    with Lock(os.path.join(home, "trust.lock"), _LOCK_SECONDS):
        entries = change(_entries(home))
        replace_file(os.path.join(home, NAME), json.dumps(entries, indent=1).encode("ascii"))


def _entries(home: str) -> dict[str, Any]:
    path = os.path.join(home, NAME)
    try:
        content = read_if_there(path, _MOST_BYTES)
        entries = json.loads(content) if content is not None else {}
    except (OSError, ValueError, RecursionError) as error:
        raise Failure("io", f"The trust list {path} cannot be read: {error}.", "Remove it to start anew.") from None
    if not isinstance(entries, dict):
        raise Failure("io", f"The trust list {path} is not a JSON object.", "Remove it to start anew.")
    return entries
