"""OpenAI Chat Completions: `tool_calls` of the first choice, answered by one `tool` message each."""

from typing import Any

from codetools.core.errors import Failure
from codetools.core.outcome import Image
from codetools.render.providers.asked import Answered, Asked, a_list, a_text, an_object, parsed_arguments


def asked(response: dict[str, Any]) -> list[Asked]:
    """Return the calls of the first choice, or of a bare message."""
    message = response
    if "choices" in response:
        choices = a_list(response["choices"], "choices")
        message = an_object(choices[0].get("message"), "choices[0].message") if choices else {}
    elif "tool_calls" not in message and ("role" not in message or isinstance(message.get("content"), list)):
        raise Failure("usage", "that is no response of this provider: it has neither choices nor tool_calls.")
    return [_asked(call) for call in a_list(message.get("tool_calls") or [], "tool_calls")]


def messages(answers: list[Answered]) -> list[dict[str, Any]]:
    """Return one message per call; images follow in a user message, for a `tool` message holds text alone."""
    found: list[dict[str, Any]] = [
        {"role": "tool", "tool_call_id": answer.asked.id, "content": answer.marked_text} for answer in answers
    ]
    for answer in answers:
        if answer.outcome.images:
            said = {"type": "text", "text": f"The images of the call {answer.asked.id} of {answer.asked.name}:"}
            found.append({"role": "user", "content": [said, *map(_image, answer.outcome.images)]})
    return found


def data_url(image: Image) -> str:
    """Return an image as the URL that holds it."""
    return f"data:{image.media_type};base64,{image.base64}"


def _asked(call: dict[str, Any]) -> Asked:
    call_id = a_text(call.get("id"), "tool_calls.id")
    if call.get("type", "function") != "function":
        custom = an_object(call.get("custom"), "tool_calls.custom")
        return Asked(call_id, a_text(custom.get("name"), "custom.name"), wrong="a call with free text is not supported")
    function = an_object(call.get("function"), "tool_calls.function")
    arguments, wrong = parsed_arguments(function.get("arguments"))
    return Asked(call_id, a_text(function.get("name"), "function.name"), arguments, wrong)


def _image(image: Image) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": data_url(image)}}
