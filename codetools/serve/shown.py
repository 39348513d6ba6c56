"""Tools and outcomes as MCP wants them: the list a client reads, and what a call gives back."""

from typing import Any

from codetools.core.outcome import Image, Outcome
from codetools.core.tool import Tool
from codetools.engine.engine import Engine
from codetools.engine.offered import offered_tools, permitted_tools
from codetools.engine.options import ServeOptions
from codetools.render.envelope import envelope
from codetools.render.schemas import export

APPROVAL_KEY = "codetools/approval"  # in a result's `_meta`, where no model reads: what to say yes to
OUTCOME_KEY = "codetools/outcome"  # and the rest of the envelope
_SAID_ELSEWHERE = ("text", "data", "images")


def shown_tools(engine: Engine) -> tuple[Tool, ...]:
    """Return the tools of the list: those that a model is shown, or all that policy permits with --all."""
    options = engine.options
    is_all = isinstance(options, ServeOptions) and options.all
    return permitted_tools(engine) if is_all else offered_tools(engine)


def listed_tools(engine: Engine) -> list[dict[str, Any]]:
    """Return the entries of `tools/list`: what `tools schema --format mcp --active` prints."""
    tools = [(tool, engine.registry.description(tool, engine.limits)) for tool in shown_tools(engine)]
    found: list[dict[str, Any]] = export(tools, "mcp")
    return found


def call_result(outcome: Outcome) -> dict[str, Any]:
    """Return a `CallToolResult`: text for the model, the envelope's data as structured content, images as images."""
    document = envelope(outcome)
    approval = document.get("error", {}).get("details", {}).pop("approval", None)
    meta = {OUTCOME_KEY: {name: value for name, value in document.items() if name not in _SAID_ELSEWHERE}}
    if approval is not None:
        meta[APPROVAL_KEY] = approval
    result: dict[str, Any] = {
        "content": [{"type": "text", "text": document["text"]}, *map(_image, outcome.images)],
        "isError": not outcome.ok,
        "_meta": meta,
    }
    if document["data"] is not None:
        result["structuredContent"] = document["data"]
    return result


def _image(image: Image) -> dict[str, Any]:
    return {"type": "image", "data": image.base64, "mimeType": image.media_type}
