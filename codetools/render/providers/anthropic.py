"""Anthropic Messages: `tool_use` blocks, answered by one user message of `tool_result` blocks."""

from typing import Any

from codetools.core.outcome import Image
from codetools.render.providers.asked import Answered, Asked, a_list, a_text


def asked(response: dict[str, Any]) -> list[Asked]:
    """Return the calls in a message; those of tools that the provider runs itself are not ours."""
    blocks = a_list(response.get("content"), "content")
    return [
        Asked(a_text(block.get("id"), "tool_use.id"), a_text(block.get("name"), "tool_use.name"), block.get("input"))
        for block in blocks
        if block.get("type") == "tool_use"
    ]


def messages(answers: list[Answered]) -> list[dict[str, Any]]:
    """Return the one message that holds every result: the provider wants them together."""
    return [{"role": "user", "content": [_result(answer) for answer in answers]}]


def _result(answer: Answered) -> dict[str, Any]:
    return {
        "type": "tool_result",
        "tool_use_id": answer.asked.id,
        "content": [{"type": "text", "text": answer.text}, *map(_image, answer.outcome.images)],
        "is_error": answer.is_error,
    }


def _image(image: Image) -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": image.media_type, "data": image.base64}}
