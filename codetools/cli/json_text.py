"""JSON as programs and models send it, read strictly: no key twice, no NaN, no nesting without end."""

import json
from typing import Any


def parse_json(text: str | bytes) -> Any:
    """Return a JSON value; raise ValueError with the reason."""
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} stands twice")
    return values


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
