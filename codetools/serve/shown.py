"""Tools and outcomes as MCP wants them: the list a client reads, and what a call gives back."""

from typing import Any

from codetools.core.outcome import Image, Outcome
from codetools.core.tool import Tool
from codetools.engine.built_in import BUILT_IN
from codetools.engine.engine import Engine
from codetools.engine.offered import offered_names
from codetools.engine.options import ServeOptions
from codetools.render.envelope import envelope
from codetools.serve.cards import Card, built_in_cards

APPROVAL_KEY = "codetools/approval"  # in a result's `_meta`, where no model reads: what to say yes to
OUTCOME_KEY = "codetools/outcome"  # and the rest of the envelope
_SAID_ELSEWHERE = ("text", "data", "images")


def shown_names(engine: Engine) -> tuple[str, ...]:
    """Return the tools of the list: those that a model is shown, or all that policy permits with --all."""
    return tuple(card.name for card in _shown(engine))


def listed_tools(engine: Engine) -> list[dict[str, Any]]:
    """Return the entries of `tools/list`: what `tools schema --format mcp --active` prints."""
    return [_entry(card, engine) for card in _shown(engine)]


def _shown(engine: Engine) -> "list[Card] | list[Tool]":
    cards: Any = built_in_cards(engine.home) if engine.registry is BUILT_IN else engine.registry.all()
    permitted = [card for card in cards if engine.policy.decide_call(card).answer != "deny"]
    options = engine.options
    if isinstance(options, ServeOptions) and options.all:
        return permitted
    names = offered_names(engine, [card.name for card in permitted])
    return [card for card in permitted if card.name in names]


def _entry(card: "Card | Tool", engine: Engine) -> dict[str, Any]:
    description = engine.registry.description(card, engine.limits)
    if isinstance(card, Card):
        return {**card.entry, "description": description}
    from codetools.render.schemas import export

    found: list[dict[str, Any]] = export([(card, description)], "mcp")
    return found[0]


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
