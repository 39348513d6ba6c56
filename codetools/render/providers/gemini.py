"""Gemini generateContent: `functionCall` parts of the first candidate, answered by one user content of responses."""

from typing import Any

from codetools.core.outcome import Image
from codetools.render.providers.asked import Answered, Asked, a_list, a_text, an_object


def asked(response: dict[str, Any]) -> list[Asked]:
    """Return the calls of the first candidate; many come without an id."""
    candidates = a_list(response.get("candidates"), "candidates")
    content = an_object(candidates[0].get("content") or {}, "candidates[0].content") if candidates else {}
    found = []
    for part in a_list(content.get("parts") or [], "parts"):
        if (call := part.get("functionCall")) is not None:
            call = an_object(call, "functionCall")
            name = a_text(call.get("name"), "functionCall.name")
            found.append(Asked(a_text(call.get("id") or "", "functionCall.id"), name, call.get("args") or {}))
    return found


def messages(answers: list[Answered]) -> list[dict[str, Any]]:
    """Return the one content that holds every response, in the order of the calls."""
    return [{"role": "user", "parts": [{"functionResponse": _response(answer)} for answer in answers]}]


def _response(answer: Answered) -> dict[str, Any]:
    found: dict[str, Any] = {"name": answer.asked.name}
    if answer.asked.id:
        found["id"] = answer.asked.id
    found["response"] = {"error" if answer.is_error else "output": answer.text}
    if answer.outcome.images:
        found["parts"] = [_image(image) for image in answer.outcome.images]
    return found


def _image(image: Image) -> dict[str, Any]:
    return {"inlineData": {"mimeType": image.media_type, "data": image.base64}}
