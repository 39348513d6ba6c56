"""One JSON-RPC message: made, written as one line, and read with every check that both sides owe each other."""

import json
from typing import Any, Literal

from codetools.core.record import Record
from codetools.mcp.protocol.revisions import INVALID_REQUEST, PARSE_ERROR

MAX_MESSAGE_BYTES = 32 << 20
MAX_ID_CHARS = 512

Id = str | int


class NotAMessage(Exception):
    """Some bytes are no message: `code` is JSON-RPC's, `why` one sentence, `id` that of the request where it is known.

    `is_request` is whether somebody may wait for an answer to it.
    """

    def __init__(self, code: int, why: str, id: Any = None, *, is_request: bool = False) -> None:
        super().__init__(why)
        self.code = code
        self.why = why
        self.id = id if _is_id(id) else None
        self.is_request = is_request


class Message(Record):
    """One message that was read.

    A request has `method`, `params` and `id`; a notification has no `id`; a result has `id` and `result`; an error has
    `error`, and `id` where the other side could tell it.
    """

    kind: Literal["request", "notification", "result", "error"]
    method: str = ""
    params: Any = None  # dict
    id: Any = None  # str or int
    result: Any = None  # dict
    error: Any = None  # dict with code, message and perhaps data


def read_message(line: bytes | str) -> Message:
    """Read one message; raise NotAMessage."""
    try:
        value = json.loads(line, parse_constant=_refuse_constant)
    except RecursionError:
        raise NotAMessage(PARSE_ERROR, "it is nested too deep") from None
    except ValueError as error:  # also what is not UTF-8
        raise NotAMessage(PARSE_ERROR, f"it is not JSON: {str(error)[:120]}") from None
    return message_of(value)


def message_of(value: Any) -> Message:
    """Return the message that a JSON value is; raise NotAMessage."""
    if isinstance(value, list):
        raise NotAMessage(INVALID_REQUEST, "it is a batch, which no current revision knows")
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise NotAMessage(
            INVALID_REQUEST, "it is no JSON-RPC 2.0 object", value.get("id") if isinstance(value, dict) else None
        )
    if "method" in value:
        return _call(value)
    return _answer(value)


def request(id: Id, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a request."""
    return _with_params({"jsonrpc": "2.0", "id": id, "method": method}, params)


def notification(method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a notification."""
    return _with_params({"jsonrpc": "2.0", "method": method}, params)


def result(id: Id, value: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a request."""
    return {"jsonrpc": "2.0", "id": id, "result": value}


def error(id: Id | None, code: int, message: str, data: Any = None) -> dict[str, Any]:
    """Return the refusal of a request; without an id where it could not be read."""
    refused: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        refused["data"] = data
    return {"jsonrpc": "2.0", **({"id": id} if id is not None else {}), "error": refused}


def written(message: dict[str, Any]) -> bytes:
    """Return a message as one line with its line feed: ASCII, so that nothing in it breaks line or encoding."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


def _with_params(message: dict[str, Any], params: dict[str, Any] | None) -> dict[str, Any]:
    return message if params is None else {**message, "params": params}


def _call(value: dict[str, Any]) -> Message:
    id, method, params = value.get("id"), value["method"], value.get("params")
    is_request = "id" in value
    if not isinstance(method, str):
        raise NotAMessage(INVALID_REQUEST, "its method is no string", id, is_request=is_request)
    if params is not None and not isinstance(params, dict):
        raise NotAMessage(INVALID_REQUEST, "its params are no object", id, is_request=is_request)
    if is_request and not _is_id(id):
        raise NotAMessage(INVALID_REQUEST, "its id is neither a short string nor an integer", is_request=True)
    return Message("request" if is_request else "notification", method=method, params=params or {}, id=id)


def _answer(value: dict[str, Any]) -> Message:
    id = value.get("id")
    if "result" in value and "error" not in value:
        if not _is_id(id):
            raise NotAMessage(INVALID_REQUEST, "it is a result without the id of a request")
        if not isinstance(value["result"], dict):
            raise NotAMessage(INVALID_REQUEST, "its result is no object", id)
        return Message("result", id=id, result=value["result"])
    found = value.get("error")
    if "result" in value or not isinstance(found, dict):
        raise NotAMessage(INVALID_REQUEST, "it is neither a request nor an answer", id)
    code, message = found.get("code"), found.get("message")
    if not isinstance(code, int) or isinstance(code, bool) or not isinstance(message, str):
        raise NotAMessage(INVALID_REQUEST, "its error has no integer code and no message", id)
    return Message("error", id=id if _is_id(id) else None, error=found)


def _is_id(id: Any) -> bool:
    return (isinstance(id, int) and not isinstance(id, bool)) or (isinstance(id, str) and len(id) <= MAX_ID_CHARS)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")
