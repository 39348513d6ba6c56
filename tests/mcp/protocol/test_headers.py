"""What a request over HTTP repeats in its headers."""

import pytest

from codetools.mcp.protocol.headers import (
    header_value,
    mirrored,
    parameter_headers,
    standard_headers,
    value_of_header,
)


@pytest.mark.parametrize(
    ("value", "header"),
    [
        ("us-west1", "us-west1"),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
    ],
)
def test_values_are_encoded_as_the_specification_shows(value: str, header: str):
    assert header_value(value) == header
    assert value_of_header(header) == value


def test_a_malformed_header_has_no_value():
    assert value_of_header("=?base64?***?=") is None
    assert value_of_header("a\nb") is None


def test_a_request_repeats_its_method_and_name():
    message = {"method": "resources/read", "params": {"uri": "file:///a"}}
    assert standard_headers(message, "2026-07-28") == {
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "resources/read",
        "Mcp-Name": "file:///a",
    }


def test_arguments_are_mirrored_by_their_path():
    inner = {"type": "object", "properties": {"deep": {"type": "integer", "x-mcp-header": "Deep"}}}
    schema = {"properties": {"region": {"type": "string", "x-mcp-header": "Region"}, "inner": inner}}
    wanted = mirrored(schema)
    assert wanted == {("region",): "Region", ("inner", "deep"): "Deep"}
    assert parameter_headers(wanted, {"region": "é", "inner": {"deep": 42.0}}) == {
        "Mcp-Param-Region": "=?base64?w6k=?=",
        "Mcp-Param-Deep": "42",
    }
    assert parameter_headers(wanted, {"region": None, "inner": 3}) == {}


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"type": "string", "x-mcp-header": ""}}},
        {"properties": {"a": {"type": "string", "x-mcp-header": "a b"}}},
        {"properties": {"a": {"type": "string", "x-mcp-header": "A\r\nB"}}},
        {"properties": {"a": {"type": "number", "x-mcp-header": "A"}}},
        {"properties": {"a": {"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}}},
        {"anyOf": [{"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}]},
        {"properties": {n: {"type": "string", "x-mcp-header": h} for n, h in (("a", "X"), ("b", "x"))}},
        {"type": "string", "x-mcp-header": "A"},
    ],
)
def test_a_schema_that_breaks_the_rules_is_refused(schema: dict):
    with pytest.raises(ValueError, match=r"\w"):
        mirrored(schema)
