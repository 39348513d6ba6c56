"""The one JSON document that every program reads; on the lane of every call, so it imports next to nothing."""

import json
from typing import Any

from codetools.core.dump import dump, encoded_path
from codetools.core.errors import Failure
from codetools.core.outcome import Outcome
from codetools.core.path import without_surrogates
from codetools.core.record import Record

ENVELOPE_VERSION = 1


def envelope(outcome: Outcome) -> dict[str, Any]:
    """Return the outcome as JSON types, in the order of the contract; every string in it is valid UTF-8."""
    document: dict[str, Any] = _sound(_document(outcome))
    return document


def envelope_line(outcome: Outcome) -> str:
    """Return the envelope as one line of ASCII, with its line feed."""
    return json_line(_document(outcome))


def json_line(document: Any) -> str:
    """Return a JSON document as one line of ASCII, with its line feed; lone surrogates become U+FFFD."""
    return json.dumps(_sound(document), ensure_ascii=True, allow_nan=False) + "\n"


def _document(outcome: Outcome) -> dict[str, Any]:
    document: dict[str, Any] = {
        "v": ENVELOPE_VERSION,
        "ok": outcome.ok,
        "tool": outcome.tool,
        "text": outcome.text,
        "data": _data(outcome),
    }
    if outcome.failure is not None:
        document["error"] = _error(outcome.failure)
    document.update(
        changes=[dump(change) for change in outcome.changes],
        changed=outcome.changed,
        dry_run=outcome.dry_run,
        undo=outcome.undo,
        notices=[dump(notice) for notice in outcome.notices],
        images=[dump(image) for image in outcome.images],
        duration_ms=outcome.duration_ms,
        cwd=outcome.cwd,
    )
    if not outcome.cwd.is_utf8:
        document["cwd_b64"] = encoded_path(outcome.cwd)
    return document


def _data(outcome: Outcome) -> Any:
    found = outcome.data
    if found is None and outcome.failure is not None:
        found = outcome.failure.data
    return dump(found) if isinstance(found, Record) else found


def _error(failure: Failure) -> dict[str, Any]:
    return {"kind": failure.kind, "message": failure.message, "hint": failure.hint, "details": failure.details}


def _sound(value: Any) -> Any:
    """Return a value that any JSON parser takes: no lone surrogate, no NaN or infinity, nothing but JSON types."""
    if isinstance(value, str):
        return value if value.isascii() else without_surrogates(value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, dict):
        return {_sound(str(key)): _sound(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_sound(item) for item in value]
    if isinstance(value, Record):
        return _sound(dump(value))
    raise TypeError(f"{type(value).__name__} is not a JSON type")
