"""A question to the person behind an MCP client, and the answer: the dialog of a terminal as a form."""

from typing import Any

from codetools.engine.asking import Answer, Question

METHOD = "elicitation/create"
MAX_PREVIEW_CHARS = 20_000
ANSWERS: dict[str, Answer] = {
    "allow once": "once",
    "allow for this session": "session",
    "always allow": "always",
    "deny": "deny",
}


def form_of(question: Question, *, has_session: bool) -> dict[str, Any]:
    """Return the form that asks: what is about to happen, its diff, and the answers there are."""
    offered = [words for words, answer in ANSWERS.items() if _is_offered(answer, question, has_session)]
    return {
        "message": _message(question),
        "requestedSchema": {
            "type": "object",
            "properties": {
                "answer": {"type": "string", "title": "Allow it?", "description": _meaning(question), "enum": offered}
            },
            "required": ["answer"],
        },
    }


def answer_of(result: Any) -> Answer:
    """Return the answer in a form that came back; whatever is not plainly a yes is a no."""
    if not isinstance(result, dict) or result.get("action") != "accept":
        return "deny"
    content = result.get("content")
    words = content.get("answer") if isinstance(content, dict) else None
    return ANSWERS.get(words, "deny") if isinstance(words, str) else "deny"


def _is_offered(answer: Answer, question: Question, has_session: bool) -> bool:
    if answer == "session":
        return has_session and bool(question.suggested_rule)
    return answer != "always" or bool(question.suggested_rule)


def _message(question: Question) -> str:
    reason = f"\n{question.reason}" if question.reason else ""
    preview = question.preview
    if len(preview) > MAX_PREVIEW_CHARS:
        end = preview.rfind("\n", 0, MAX_PREVIEW_CHARS) + 1
        preview = f"{preview[:end]}... {len(preview) - end:,} more characters are not shown\n"
    return f"{question.tool} asks: {question.operation}{reason}" + (f"\n\n{preview}" if preview else "")


def _meaning(question: Question) -> str:
    return f"Beyond this once, it allows {question.suggested_rule}" if question.suggested_rule else "This once"
