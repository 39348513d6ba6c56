"""What answers a model's calls is of the provider's own types, with every call answered once."""

import json
from typing import Any

import pytest
from anthropic.types import MessageParam
from google.genai import types as gemini_types
from openai.types.chat import ChatCompletionMessageParam
from openai.types.responses import ResponseInputParam
from pydantic import TypeAdapter

from codetools.core.errors import Failure
from codetools.core.outcome import Image, Outcome
from codetools.core.path import Path
from codetools.render.providers import anthropic, gemini, openai, openai_responses
from codetools.render.providers.asked import Answered, Asked

IMAGE = Image(Path("a.png"), "image/png", 1, 1, "iVBORw0KGgo=")


def outcome(text: str = "fine", failure: Failure | None = None, images: tuple[Image, ...] = ()) -> Outcome:
    return Outcome("read", text, None, failure, (), False, False, None, (), images, 1, Path("/"))


ANSWERS = [
    Answered(Asked("1", "read", {}), outcome()),
    Answered(Asked("2", "read", {}), outcome("no such file", Failure("not_found", "no such file."))),
    Answered(Asked("3", "read", {}), outcome("", images=(IMAGE,))),
]


def test_anthropic_results_stand_in_one_user_message_with_error_flags_and_images():
    (message,) = anthropic.messages(ANSWERS)
    TypeAdapter(MessageParam).validate_python(message, strict=False)
    assert message["content"] == [
        {"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "fine"}], "is_error": False},
        {
            "type": "tool_result",
            "tool_use_id": "2",
            "content": [{"type": "text", "text": "no such file"}],
            "is_error": True,
        },
        {
            "type": "tool_result",
            "tool_use_id": "3",
            "content": [
                {"type": "text", "text": "(nothing)"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": IMAGE.base64}},
            ],
            "is_error": False,
        },
    ]


def test_openai_results_are_tool_messages_and_images_follow_from_the_user():
    found = openai.messages(ANSWERS)
    for message in found:
        TypeAdapter(ChatCompletionMessageParam).validate_python(message)
    assert [(message["role"], message.get("tool_call_id")) for message in found] == [
        ("tool", "1"), ("tool", "2"), ("tool", "3"), ("user", None),
    ]  # fmt: skip
    assert found[1]["content"] == "Error: no such file"
    assert found[3]["content"][1]["image_url"]["url"] == f"data:image/png;base64,{IMAGE.base64}"


def test_responses_results_are_items_with_their_images():
    found = openai_responses.messages(ANSWERS)
    TypeAdapter(ResponseInputParam).validate_python(found)
    assert [item["call_id"] for item in found] == ["1", "2", "3"]
    assert [part["type"] for part in found[2]["output"]] == ["input_text", "input_image"]


def test_responses_calls_with_free_text_are_answered_in_their_own_form():
    found = openai_responses.messages([Answered(Asked("1", "patch", form="custom_tool_call"), outcome())])
    TypeAdapter(ResponseInputParam).validate_python(found)
    assert found == [{"type": "custom_tool_call_output", "call_id": "1", "output": "fine"}]


def test_gemini_results_stand_in_one_content_with_errors_under_their_own_key():
    (content,) = gemini.messages([*ANSWERS, Answered(Asked("", "ls", {}), outcome())])
    gemini_types.Content.model_validate(content)
    responses = [part["functionResponse"] for part in content["parts"]]
    assert [response["response"] for response in responses[:2]] == [{"output": "fine"}, {"error": "no such file"}]
    assert [response.get("id") for response in responses] == ["1", "2", "3", None]
    assert responses[2]["parts"] == [{"inlineData": {"mimeType": "image/png", "data": IMAGE.base64}}]


RESPONSES: list[tuple[Any, dict[str, Any], list[Asked]]] = [
    (
        anthropic,
        {
            "content": [
                {"type": "text", "text": "let me"},
                {"type": "tool_use", "id": "a", "name": "read", "input": {"x": 1}},
                {"type": "server_tool_use", "id": "b", "name": "web_search", "input": {}},
                {"type": "tool_use", "id": "c", "name": "ls", "input": {}},
            ]
        },
        [Asked("a", "read", {"x": 1}), Asked("c", "ls", {})],
    ),
    (anthropic, {"content": []}, []),
    (
        openai,
        {
            "choices": [
                {
                    "message": {
                        "content": None,
                        "tool_calls": [
                            {"id": "a", "type": "function", "function": {"name": "read", "arguments": '{"x": 1}'}},
                            {"id": "b", "type": "function", "function": {"name": "ls", "arguments": ""}},
                        ],
                    }
                }
            ]
        },
        [Asked("a", "read", {"x": 1}), Asked("b", "ls", {})],
    ),
    (openai, {"choices": [{"message": {"content": "done", "tool_calls": None}}]}, []),
    (openai, {"role": "assistant", "content": "done"}, []),
    (
        openai_responses,
        {
            "output": [
                {"type": "reasoning", "summary": []},
                {"type": "function_call", "call_id": "a", "id": "fc", "name": "read", "arguments": '{"x": 1}'},
            ]
        },
        [Asked("a", "read", {"x": 1})],
    ),
    (
        openai_responses,
        {"output": [{"type": "custom_tool_call", "call_id": "a", "name": "patch", "input": "*** Begin Patch"}]},
        [Asked("a", "patch", wrong="a call with free text is not supported", form="custom_tool_call")],
    ),
    (
        gemini,
        {
            "candidates": [
                {
                    "content": {
                        "parts": [
                            {"text": "hm"},
                            {"functionCall": {"name": "read", "args": {"x": 1}}},
                            {"functionCall": {"id": "b", "name": "ls"}},
                        ]
                    }
                }
            ]
        },
        [Asked("", "read", {"x": 1}), Asked("b", "ls", {})],
    ),
    (gemini, {"candidates": [{"finishReason": "SAFETY"}]}, []),
]


@pytest.mark.parametrize(("provider", "response", "asked"), RESPONSES)
def test_the_calls_of_a_response_are_found(provider: Any, response: dict[str, Any], asked: list[Asked]):
    assert provider.asked(response) == asked


@pytest.mark.parametrize("arguments", ['{"x": ', "[" * 100_000])
def test_arguments_that_cannot_be_read_are_an_answer_of_their_own(arguments: str):
    call = {"id": "a", "type": "function", "function": {"name": "read", "arguments": arguments}}
    (asked,) = openai.asked({"tool_calls": [call]})
    assert asked.wrong.startswith("the arguments are ")


@pytest.mark.parametrize(
    ("provider", "response"),
    [
        (openai, {"content": [{"type": "tool_use", "id": "a", "name": "read", "input": {}}]}),
        (openai, {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "ls", "input": {}}]}),
        (anthropic, {}),
        (anthropic, {"content": ["x"]}),
        (anthropic, {"content": [{"type": "tool_use", "id": 3, "name": "x"}]}),
        (openai, {"choices": [{"message": {"tool_calls": [{"id": "x"}]}}]}),
        (openai, {"choices": {}}),
        (openai_responses, {"choices": []}),
        (gemini, {"candidates": [{"content": {"parts": [{"functionCall": []}]}}]}),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else value.__name__.rpartition(".")[2],
)
def test_another_providers_response_is_a_usage_error(provider: Any, response: dict[str, Any]):
    with pytest.raises(Failure) as caught:
        provider.asked(response)
    assert caught.value.kind == "usage"
