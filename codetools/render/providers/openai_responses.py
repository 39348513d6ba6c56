"""OpenAI Responses: `function_call` items, answered by one `function_call_output` item each.

A call with free text (`custom_tool_call`) is answered with what is wrong: the provider refuses what leaves one out.
"""

from typing import Any

from codetools.core.outcome import Image
from codetools.render.providers.asked import Answered, Asked, a_list, a_text, parsed_arguments
from codetools.render.providers.openai import data_url


def asked(response: dict[str, Any]) -> list[Asked]:
    """Return the function calls of a response; those of tools that the provider runs itself are not ours."""
    items = a_list(response.get("output"), "output")
    return [_asked(item) for item in items if item.get("type") in ("function_call", "custom_tool_call")]


def messages(answers: list[Answered]) -> list[dict[str, Any]]:
    """Return one item per call."""
    return [
        {"type": f"{answer.asked.form}_output", "call_id": answer.asked.id, "output": _output(answer)}
        for answer in answers
    ]


def _asked(item: dict[str, Any]) -> Asked:
    form = item["type"]
    call_id, name = a_text(item.get("call_id"), f"{form}.call_id"), a_text(item.get("name"), f"{form}.name")
    if form == "custom_tool_call":
        return Asked(call_id, name, wrong="a call with free text is not supported", form=form)
    arguments, wrong = parsed_arguments(item.get("arguments"))
    return Asked(call_id, name, arguments, wrong)


def _output(answer: Answered) -> Any:
    if not answer.outcome.images:
        return answer.marked_text
    return [{"type": "input_text", "text": answer.marked_text}, *map(_image, answer.outcome.images)]


def _image(image: Image) -> dict[str, Any]:
    return {"type": "input_image", "detail": "auto", "image_url": data_url(image)}
