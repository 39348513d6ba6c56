"""The protocol's revisions, in two eras: a handshake up to 2025-11-25, no state between requests since 2026-07-28."""

from typing import Any

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LATEST_HANDSHAKE = HANDSHAKE[-1]
STATELESS = ("2026-07-28",)
LATEST = STATELESS[-1]

# what every request of the stateless era carries in its `_meta`, and what a long answer's progress is named by
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
CLIENT_KEY = "io.modelcontextprotocol/clientInfo"
PROGRESS_KEY = "progressToken"

COMPLETE, INPUT_REQUIRED = "complete", "input_required"  # `resultType`; one that is absent means complete

# JSON-RPC's own errors, and those that the protocol defines
PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
MISSING_CLIENT_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022
RESOURCE_NOT_FOUND = -32002  # up to 2025-11-25; later ones use INVALID_PARAMS
STATELESS_ERRORS = (HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_VERSION)


def request_meta(version: str, capabilities: dict[str, Any], client: dict[str, Any]) -> dict[str, Any]:
    """Return the `_meta` that every request of the stateless era needs."""
    return {VERSION_KEY: version, CAPABILITIES_KEY: capabilities, CLIENT_KEY: client}
