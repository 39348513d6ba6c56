"""What can be wrong with a server, as failures that name it, what it did and the tail of its error output."""

from typing import Any

from codetools.core.errors import Failure
from codetools.mcp.clean import clean

SHOWN_CHARS = 300


class RemoteError(Exception):
    """The server refused a request by a JSON-RPC error. `status` is that of HTTP, where there is one."""

    def __init__(self, code: int, message: str, data: Any = None, status: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.status = status


def fault(server: str, what: str, stderr: str = "", kind: str = "unavailable", **details: Any) -> Failure:
    """Return the failure of a server: `what` follows its name; `stderr` is the tail of its error output."""
    hint = ""
    if stderr:
        last = clean(" ".join(stderr.split()))[-SHOWN_CHARS:]
        hint = f"Its error output ends: {last}"
    return Failure(kind, f"the MCP server {server} {what}.", hint, {"server": server, "stderr": stderr, **details})


def refused(server: str, method: str, error: RemoteError) -> Failure:
    """Return the failure that a JSON-RPC error is to the caller."""
    said = clean(error.message)[:SHOWN_CHARS].rstrip(".") or "no reason"
    details = {"server": server, "code": error.code, "status": error.status}
    return Failure("unavailable", f"the MCP server {server} refused {method}: {said}.", "", details)
