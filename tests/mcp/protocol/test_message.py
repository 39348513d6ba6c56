"""One JSON-RPC message, read and written."""

import json

import pytest
from mcp_types.jsonrpc import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from codetools.mcp.protocol import message
from codetools.mcp.protocol.message import Message, NotAMessage, read_message, written


def test_every_kind_is_written_as_the_official_types_have_it():
    JSONRPCRequest.model_validate_json(written(message.request(1, "tools/list", {"cursor": "é\n"})))
    JSONRPCNotification.model_validate_json(written(message.notification("notifications/initialized")))
    JSONRPCResponse.model_validate_json(written(message.result("a", {"tools": []})))
    JSONRPCError.model_validate_json(written(message.error(2, -32601, "no such method", {"method": "x"})))
    assert json.loads(written(message.error(None, -32700, "not JSON"))) == {
        "jsonrpc": "2.0",
        "error": {"code": -32700, "message": "not JSON"},
    }


def test_what_was_written_is_one_line_and_reads_the_same():
    line = written(message.request(1, "tools/call", {"name": "a\nb\u2028c\ud800"}))
    assert line.count(b"\n") == 1
    assert read_message(line) == Message("request", method="tools/call", params={"name": "a\nb\u2028c\ud800"}, id=1)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b'{"jsonrpc":"2.0","method":"ping","id":0}', "request"),
        (b'{"jsonrpc":"2.0","method":"x"}', "notification"),
        (b'{"jsonrpc":"2.0","id":"1","result":{}}', "result"),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}', "error"),
        (b'{"jsonrpc":"2.0","error":{"code":1,"message":""}}', "error"),
    ],
)
def test_each_kind_is_told(line: bytes, kind: str):
    assert read_message(line).kind == kind


@pytest.mark.parametrize(
    ("line", "code", "id"),
    [
        (b"hello", -32700, None),
        (b"\xff\xfe{}", -32700, None),
        (b'{"jsonrpc":"2.0","id":1,"result":{"n":NaN}}', -32700, None),
        (b"[" * 100_000, -32700, None),
        (b"1" * 10_000, -32700, None),
        (b"[]", -32600, None),
        (b"null", -32600, None),
        (b'{"id":3}', -32600, 3),
        (b'{"jsonrpc":"2.0","id":3}', -32600, 3),
        (b'{"jsonrpc":"2.0","id":null,"method":"x"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":true,"method":"x"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":3,"method":7}', -32600, 3),
        (b'{"jsonrpc":"2.0","id":3,"method":"x","params":[]}', -32600, 3),
        (b'{"jsonrpc":"2.0","id":3,"result":[]}', -32600, 3),
        (b'{"jsonrpc":"2.0","id":3,"result":{},"error":{}}', -32600, 3),
        (b'{"jsonrpc":"2.0","id":3,"error":{"code":"1","message":""}}', -32600, 3),
        (b'{"jsonrpc":"2.0","result":{}}', -32600, None),
    ],
)
def test_nonsense_is_refused_with_the_id_where_it_is_known(line: bytes, code: int, id: int | None):
    with pytest.raises(NotAMessage) as raised:
        read_message(line)
    assert (raised.value.code, raised.value.id) == (code, id)
