"""The tools that a server lists, as they may be shown."""

from typing import Any

import pytest

from codetools.config.settings import McpServer
from codetools.mcp.listing import LeftOut, listing_of

SERVER = McpServer("docs", command="x")
WEB = McpServer("docs", url="https://h/")


def raw(name: Any = "search", schema: Any = None, **more: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object"} if schema is None else schema, **more}


def names(*tools: Any, server: McpServer = SERVER) -> list[str]:
    return [listed.name for listed in listing_of(server, list(tools), "v").tools]


def test_names_that_no_provider_takes_are_made_into_ones_that_all_do():
    found = names(raw("get-sum"), raw("a.b"), raw("a_b"), raw("x" * 200), raw("😀"), raw("Über/../x\x1b[31m"))
    assert found[0] == "mcp__docs__get-sum"
    assert found[2] == "mcp__docs__a_b"
    assert len(set(found)) == 6
    assert all(len(name) <= 64 and name.isascii() and name.replace("-", "_").isidentifier() for name in found)


def test_names_that_differ_too_little_stay_apart():
    found = names(raw("do_it"), raw("do-it"), raw("DO_IT"))
    assert len({name.lower().replace("-", "_") for name in found}) == 3


def test_a_tool_cannot_take_the_place_of_one_of_ours():
    assert names(raw("read"), raw("bash")) == ["mcp__docs__read", "mcp__docs__bash"]


@pytest.mark.parametrize(
    ("tool", "why"),
    [
        (7, "it has no name"),
        (raw(""), "it has no name"),
        ({"name": "a"}, "its inputSchema is not that of an object"),
        (raw("a", {"type": "string"}), "its inputSchema is not that of an object"),
        (raw("a", {"type": "object", "properties": {"x": {"$ref": "file:///etc/passwd"}}}), "nothing is fetched"),
        (raw("a", {"type": "object", "anyOf": [{"$ref": "https://h/s.json#/x"}]}), "nothing is fetched"),
        (raw("a", {"type": "object", "$ref": "other.json"}), "nothing is fetched"),
        (raw("a", {"type": "object", "$defs": {"x" * 200_000: {}}}), "longer than"),
    ],
)
def test_a_tool_that_breaks_a_rule_is_left_out_and_the_others_stay(tool: Any, why: str):
    listing = listing_of(SERVER, [tool, raw("good")], "v")
    assert [listed.tool for listed in listing.tools] == ["good"]
    assert why in listing.left_out[0].why


def test_a_schema_of_any_depth_is_judged_without_recursion():
    schema: dict[str, Any] = {}
    for _ in range(100_000):
        schema = {"items": schema}
    assert "nested" in listing_of(SERVER, [raw("a", {"type": "object", "items": schema})], "v").left_out[0].why


def test_a_property_called_ref_and_a_reference_within_are_fine():
    schema = {
        "type": "object",
        "properties": {"$ref": {"type": "string"}, "x": {"$ref": "#/$defs/x"}},
        "$defs": {"x": {}},
    }
    assert listing_of(SERVER, [raw("a", schema)], "v").tools[0].input_schema == schema


def test_an_output_schema_that_points_elsewhere_is_dropped_alone():
    listed = listing_of(SERVER, [raw("a", outputSchema={"$ref": "https://h/"})], "v").tools[0]
    assert listed.output_schema is None


def test_a_header_rule_that_is_broken_counts_over_http_only():
    tool = raw("a", {"type": "object", "properties": {"x": {"type": "number", "x-mcp-header": "X"}}})
    assert names(tool) == ["mcp__docs__a"]
    assert names(tool, server=WEB) == []


def test_a_name_listed_twice_counts_once():
    listing = listing_of(SERVER, [raw("a", description="first"), raw("a", description="second")], "v")
    assert [listed.description for listed in listing.tools] == ["first"]
    assert listing.left_out == (LeftOut("a", "its name is listed twice; the first counts"),)


def test_more_tools_than_the_cap_are_left_out_and_said_i6():
    listing = listing_of(SERVER, [raw(f"t{number}") for number in range(10_000)], "v")
    assert len(listing.tools) == 500
    assert "more than 500 tools" in listing.left_out[0].why


def test_words_carry_no_escapes_and_nothing_unseen_i9():
    text = "Say\x1b]0;title\x07 it\x1b[31m \u202eagain\u200b\U000e0041.\r\n\tNow"
    schema = {"type": "object", "properties": {"\x1b": {"description": text, "enum": ["\x1b"]}}}
    listed = listing_of(SERVER, [raw("a", schema, description=text, title="T\x9b31m")], "v").tools[0]
    assert (listed.description, listed.title) == ("Say it again.\n\tNow", "T")
    assert listed.input_schema["properties"] == {"\x1b": {"description": "Say it again.\n\tNow", "enum": ["\x1b"]}}


def test_a_long_description_is_cut():
    assert len(listing_of(SERVER, [raw("a", description="x" * 10_000)], "v").tools[0].description) == 4000


def test_the_settings_choose_among_the_tools():
    tools = [raw("get_a"), raw("get_b"), raw("set_a")]
    assert names(*tools, server=SERVER.but(enabled_tools=("get_*",))) == ["mcp__docs__get_a", "mcp__docs__get_b"]
    assert names(*tools, server=SERVER.but(disabled_tools=("*_a",))) == ["mcp__docs__get_b"]
