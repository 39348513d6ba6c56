"""What servers listed when they were last asked, kept in the state directory: a list of tools starts no server."""

import json
import os
from typing import Any

from codetools.config.settings import McpServer
from codetools.core.errors import Failure
from codetools.mcp.listing import LeftOut, Listed, Listing
from codetools.mcp.server import digest, identity
from codetools.state.durable import read_if_there, replace_file
from codetools.state.home import make_directory

FORMAT = 1
MAX_BYTES = 64 << 20


def kept_listing(home: str, server: McpServer) -> Listing | None:
    """Return what the server listed, or None where it was never asked, or is no longer configured as it was."""
    try:
        content = read_if_there(_path(home, server), MAX_BYTES)
        values = json.loads(content) if content is not None else None
        if not isinstance(values, dict) or values.get("key") != _key(server):
            return None
        return _listing(values)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None  # what is damaged is as good as none


def stamp_of(home: str, server: McpServer) -> tuple[int, ...]:
    """Return what is different once another list was kept."""
    try:
        found = os.stat(_path(home, server))
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns


def keep_listing(home: str, server: McpServer, listing: Listing) -> None:
    """Keep what a server lists, and where nothing can be kept, go on without."""
    values = {
        "key": _key(server),
        "version": listing.version,
        "tools": [_values(listed) for listed in listing.tools],
        "left_out": [[left.tool, left.why] for left in listing.left_out],
    }
    content = json.dumps(values, separators=(",", ":")).encode("ascii")
    path = _path(home, server)
    try:
        if read_if_there(path, MAX_BYTES) == content:
            return
    except OSError:
        pass
    try:
        for directory in (home, os.path.dirname(os.path.dirname(path)), os.path.dirname(path)):
            make_directory(directory)
        replace_file(path, content, durable=False)
    except Failure:
        return


def _path(home: str, server: McpServer) -> str:
    return os.path.join(home, "mcp", "lists", f"{server.name}-{_key(server)[:12]}.json")


def _key(server: McpServer) -> str:
    chosen = [server.transport, list(server.enabled_tools), list(server.disabled_tools)]
    return digest([FORMAT, identity(server), chosen])


def _values(listed: Listed) -> dict[str, Any]:
    return {name: getattr(listed, name) for name in listed.record_fields}


def _listing(values: dict[str, Any]) -> Listing:
    tools = tuple(Listed(**each) for each in values["tools"])
    return Listing(values["version"], tools, tuple(LeftOut(*each) for each in values["left_out"]))
