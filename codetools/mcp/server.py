"""A configured server made ready: variables filled in, its program found, its environment chosen, its identity."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from codetools.config.settings import McpServer
from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.state.home import make_directory
from codetools.system.helper_path import SYSTEM_DIRECTORIES, find_program, lies_inside

if TYPE_CHECKING:
    from codetools.mcp.connection import Listener, Transport

# what every server gets of our environment; the rest is the settings' to give
_PASSED = ("HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER")
_PASSED_STARTS = ("LC_", "XDG_")
_PASSED_OURS = ("CODETOOLS_HOME", "CODETOOLS_CONFIG")  # a codetools below may not be started with others than we were


class Surroundings(Record):
    """What a server is started in: the workspace's `roots`, our state directory, and who is told of the process."""

    roots: tuple[str, ...]
    home: str
    hold: Callable[[int], None] | None = None


def identity(server: McpServer) -> dict[str, str]:
    """Return what makes a server the one that was allowed, part by part, each as a digest.

    Variables count by their names: what they stand for is the user's own, and changes by the hour.
    """
    parts = ("command", "args", "env", "url", "headers")
    return {part: digest(value) for part in parts if (value := getattr(server, part))}


def digest(value: Any) -> str:
    """Return a text that is the same for the same JSON value and for no other."""
    import json
    from hashlib import sha256

    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:32]


def opener(server: McpServer, around: Surroundings) -> "Callable[[Listener], Transport]":
    """Return what opens a transport to the server; raise the Failure that stands in the way."""
    if server.command:
        from codetools.mcp.stdio import Stdio

        launch = _launch(server, around)
        return lambda listener: Stdio(server.name, launch, listener, around.hold)
    from codetools.mcp.http import Http
    from codetools.mcp.origin import parse_origin
    from codetools.mcp.sse import Sse

    origin = parse_origin(_filled(server, server.url), server.name)
    headers = {name: _header(server, name, value) for name, value in (server.headers or {}).items()}
    kind = Sse if server.transport == "sse" else Http
    return lambda listener: kind(server.name, origin, headers, listener)


def _launch(server: McpServer, around: Surroundings) -> Any:
    from codetools.mcp.stdio import Launch

    path = _path(around.roots)
    command = os.path.expanduser(_filled(server, server.command))
    program = command if os.path.isabs(command) else None
    if program is None and "/" not in command:
        program = find_program(command, path, around.roots)
    if program is None or not os.access(program, os.X_OK):
        where = "" if "/" in command else " on the PATH outside the workspace"
        hint = "Install it, or give its absolute path."
        raise Failure("unavailable", f"the MCP server {server.name}: there is no program {command!r}{where}.", hint)
    directory = os.path.join(around.home, "mcp", "run", server.name)
    for made in (around.home, os.path.join(around.home, "mcp"), os.path.dirname(directory), directory):
        make_directory(made)
    arguments = tuple(_filled(server, argument) for argument in server.args)
    added = {name: _filled(server, value) for name, value in (server.env or {}).items()}
    environment = {**_passed(), "PATH": os.pathsep.join(path), "CODETOOLS_LOCK": "1", **added}
    return Launch((program, *arguments), environment, directory)


def _passed() -> dict[str, str]:
    names = (*_PASSED, *_PASSED_OURS)
    return {name: value for name, value in os.environ.items() if name in names or name.startswith(_PASSED_STARTS)}


def _path(roots: tuple[str, ...]) -> list[str]:
    """Return the user's PATH without what lies in the workspace: its files start nothing unasked (I1, I8)."""
    written = os.environ.get("PATH", "").split(os.pathsep)
    kept = [element for element in written if os.path.isabs(element) and not lies_inside(element, roots)]
    return list(dict.fromkeys(kept)) or list(SYSTEM_DIRECTORIES)


def _header(server: McpServer, name: str, value: str) -> str:
    filled = _filled(server, value)
    if not filled.isascii() or any(character < " " and character != "\t" for character in filled):
        raise Failure("config", f"the MCP server {server.name}: the header {name} is not plain text.")
    return filled


def _filled(server: McpServer, text: str) -> str:
    """Return the text with `$NAME` and `${NAME}` replaced from our environment; `$$` is a dollar."""
    if "$" not in text:
        return text
    import re

    def value(found: "re.Match[str]") -> str:
        name = found[1] or found[2]
        if name is None:
            return "$"
        if name not in os.environ:
            message = f"the MCP server {server.name} needs the variable {name}, which is not set."
            raise Failure("config", message, "Set it, or write the value into the settings.")
        return os.environ[name]

    return re.sub(r"\$(?:\$|([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})", value, text)
