"""Finding out which revision a server speaks: the stateless one is tried first, then the handshake.

A server of the stateless era answers `server/discover`; what any other server says to it, or that it says nothing, is
no reason to give up (its error codes are its own).
"""

from collections.abc import Callable
from typing import Any

from codetools.core.errors import Failure
from codetools.mcp.connection import CLIENT, Connection, Listener
from codetools.mcp.faults import RemoteError, fault, refused
from codetools.mcp.protocol.revisions import HANDSHAKE, LATEST, LATEST_HANDSHAKE, STATELESS, STATELESS_ERRORS
from codetools.mcp.waiting import Patience

PROBE_SECONDS = 5.0
_OLD_HTTP = (400, 404, 405)


def connect(
    server: str,
    roots: tuple[str, ...],
    open_transport: Callable[[Listener], Any],
    caller: Patience,
    known: str = "",
) -> Connection:
    """Return an open connection; raise the Failure of a server that cannot be spoken with.

    `known` is the revision that the server spoke the last time: one with a handshake is not asked for another.
    """
    try:
        return _connect(server, roots, open_transport, caller, known)
    except Failure as failure:
        if known in HANDSHAKE or not failure.details.get("lost") or not caller.left():
            raise
    return _connect(server, roots, open_transport, caller, LATEST_HANDSHAKE)  # it may have died of the first question


def _connect(
    server: str, roots: tuple[str, ...], open_transport: Callable[[Listener], Any], caller: Patience, known: str
) -> Connection:
    connection = Connection(server, roots, open_transport)
    try:
        if known in HANDSHAKE or not _discover(connection, caller):
            _shake_hands(connection, caller, is_known=known in HANDSHAKE)
    except BaseException:
        connection.close(at_once=True)
        raise
    return connection


def _discover(connection: Connection, caller: Patience) -> bool:
    """Return whether the server is one of the stateless era."""
    connection.version = LATEST
    try:
        waited = caller.at_most(min(PROBE_SECONDS, caller.left() / 2))
        found = connection.request("server/discover", {}, waited, is_probe=True)
        supported = found.get("supportedVersions")
    except RemoteError as error:
        if error.code not in STATELESS_ERRORS:
            return False
        supported = error.data.get("supported") if isinstance(error.data, dict) else None
        found = {}
    except Failure as failure:
        if failure.kind != "timeout" and failure.details.get("status") not in _OLD_HTTP:
            raise
        if connection.is_lost:
            raise
        return False
    if not isinstance(supported, list):
        return False  # whatever it answered, it was not to this question
    supported = [version for version in supported if isinstance(version, str)]
    version = next((version for version in STATELESS if version in supported), "")
    if not version:
        if any(old in supported for old in HANDSHAKE):
            return False
        shown = ", ".join(supported)[:200] or "none"
        raise fault(connection.server, f"speaks no revision of the protocol that is spoken here (it speaks {shown})")
    _take(connection, version, found)
    return True


def _shake_hands(connection: Connection, caller: Patience, *, is_known: bool) -> None:
    connection.version = ""
    params = {"protocolVersion": LATEST_HANDSHAKE, "capabilities": connection.offers, "clientInfo": CLIENT}
    try:
        found = connection.request("initialize", params, caller)
    except RemoteError as error:
        if (is_known or error.code in STATELESS_ERRORS) and _discover(connection, caller):
            return  # it has changed since, or was slow to answer the first question
        raise refused(connection.server, "initialize", error) from None
    except Failure as failure:
        if failure.details.get("status") in _OLD_HTTP:
            hint = "If it is one of the old kind, with a stream of events, set its transport to sse."
            raise Failure(failure.kind, failure.message, hint, failure.details) from None
        raise
    version = found.get("protocolVersion")
    if version not in HANDSHAKE:
        raise fault(connection.server, f"wants to speak the unknown revision {str(version)[:40]!r}")
    _take(connection, version, found)
    connection.notify("notifications/initialized", None, caller)


def _take(connection: Connection, version: str, found: dict[str, Any]) -> None:
    connection.version = version
    for name in ("serverInfo", "capabilities"):
        value = found.get(name)
        setattr(connection, "info" if name == "serverInfo" else name, value if isinstance(value, dict) else {})
