"""As what a tool was allowed: a server that changes its command or its words after that is asked about again.

Kept by server and tool in the state directory, a digest for each part, so that the question can say what changed.
"""

import json
import os
from typing import Any

from codetools.core.errors import Failure
from codetools.state.durable import read_if_there, replace_file
from codetools.state.home import make_directory
from codetools.state.lockfile import Lock

MAX_BYTES = 16 << 20
MAX_FORMS = 8  # of one tool: projects may name different servers alike
LOCK_SECONDS = 5.0
SERVER_PARTS = ("command", "args", "env", "url", "headers")
TELLING = "description"  # known once the server was asked


def what_changed(home: str, server: str, tool: str, parts: dict[str, str]) -> tuple[str, ...]:
    """Return the parts that are not as they were when the tool was last allowed; nothing where it never was.

    A part that is not known yet, such as the description of a server that was never asked, has not changed.
    """
    forms = _read(home).get(f"{server} {tool}", [])
    if not forms or any(_fits(form, parts) for form in forms):
        return ()
    last = forms[-1]
    known = {*last, *parts} if TELLING in last and TELLING in parts else SERVER_PARTS
    return tuple(sorted(part for part in known if last.get(part) != parts.get(part)))


def allow_form(home: str, server: str, tool: str, parts: dict[str, str], *, only_more: bool = False) -> None:
    """Take note that the tool was allowed as it is; raise `io`.

    `only_more`: only where it was allowed before more was known of it than how its server is started.
    """
    key = f"{server} {tool}"
    known = _read(home).get(key, [])
    if parts in known or (only_more and not any(_fits(form, parts) for form in known)):
        return
    directory = os.path.join(home, "mcp")
    for made in (home, directory):
        make_directory(made)
    with Lock(os.path.join(directory, "allowed.lock"), LOCK_SECONDS):
        forms = _read(home)
        forms[key] = [*(form for form in forms.get(key, []) if not _fits(form, parts)), parts][-MAX_FORMS:]
        replace_file(_path(home), json.dumps(forms, indent=1).encode("ascii"))


def _fits(form: dict[str, str], parts: dict[str, str]) -> bool:
    """Whether all that both know is the same."""
    known = {*form, *parts} if TELLING in form and TELLING in parts else SERVER_PARTS
    return all(form.get(part) == parts.get(part) for part in known)


def _path(home: str) -> str:
    return os.path.join(home, "mcp", "allowed.json")


def _read(home: str) -> dict[str, Any]:
    """Return what is kept; one that cannot be read is a failure, for nothing kept would mean nothing changed."""
    path = _path(home)
    try:
        content = read_if_there(path, MAX_BYTES)
        forms = json.loads(content) if content is not None else {}
    except (OSError, ValueError, RecursionError) as error:
        hint = "Remove it to be asked about every MCP tool anew."
        raise Failure("io", f"{path} cannot be read: {error}.", hint) from None
    return forms if isinstance(forms, dict) else {}
