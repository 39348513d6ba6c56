"""Settings laid over each other: lists add up, later scalars win, and an untrusted project can only tighten."""

from collections.abc import Iterator
from typing import Any, Literal

from codetools.config.settings import ORDERED_LISTS, RULE_LISTS, Settings, choices_of, direction_of
from codetools.core.record import Record

NEEDS_TRUST = "it needs trust (codetools config trust)"
NEVER = "a project never sets it"


class Layered(Record):
    """What one layer sets: nested values as JSON types, already checked."""

    kind: Literal["user", "allowed", "project", "environment", "command line"]
    origin: str
    values: dict[str, Any]
    is_trusted: bool = True


class Origin(Record):
    """One value that a layer sets: `limits.read_lines`, what it says, and why it does not count where it does not."""

    key: str
    value: Any
    origin: str
    is_applied: bool = True
    reason: str = ""


def merge(layers: list[Layered]) -> tuple[Settings, tuple[Origin, ...]]:
    """Return the settings that the layers make, and what each layer set or could not set."""
    current: dict[str, Any] = {}
    origins: list[Origin] = []
    for layer in layers:
        for key, value in _flat(layer.values, ""):
            for origin in _judged(layer, key, value, current):
                origins.append(origin)
                if origin.is_applied:
                    is_server = isinstance(origin.value, dict)
                    current[key] = origin.value if is_server else _combined(key, _now(current, key), origin.value)
    return _settings(current), tuple(origins)


def default_of(key: str) -> Any:
    """Return the built-in value of a setting."""
    value: Any = Settings()
    for name in key.split("."):
        value = getattr(value, name)
    return value


def _now(current: dict[str, Any], key: str) -> Any:
    return current[key] if key in current else default_of(key)


def _flat(values: dict[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if key == "mcp" and not prefix:  # a server counts whole, so that no layer lends its words to another's
            yield from ((f"mcp.{name}", server) for name, server in value.items())
        elif isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", tuple(value) if isinstance(value, list) else value


def _judged(layer: Layered, key: str, value: Any, current: dict[str, Any]) -> Iterator[Origin]:
    """Yield the part of a value that counts, and the part that does not with its reason."""
    if layer.kind != "project":
        yield Origin(key, value, layer.origin)
        return
    direction = direction_of(key)
    if direction == "never":
        yield Origin(key, value, layer.origin, False, NEVER)
    elif layer.is_trusted:
        yield Origin(key, value, layer.origin)
    elif direction == "grows":
        added = tuple(item for item in value if not item.startswith("!"))
        exceptions = tuple(item for item in value if item.startswith("!"))
        if added:
            yield Origin(key, added, layer.origin)
        if exceptions:
            yield Origin(key, exceptions, layer.origin, False, NEEDS_TRUST)
    elif direction == "lowers" and value <= _now(current, key):
        yield Origin(key, value, layer.origin)
    elif direction == "lowers":
        yield Origin(key, value, layer.origin, False, NEEDS_TRUST)
    elif _only_tightens(direction, key, value, current):
        yield Origin(key, value, layer.origin)
    else:
        yield Origin(key, value, layer.origin, False, NEEDS_TRUST)


def _only_tightens(direction: str, key: str, value: Any, current: dict[str, Any]) -> bool:
    if direction == "tightens":
        return not _is_looser(key, value, _now(current, key))
    return direction in ("false", "true") and value is (direction == "true")


def _is_looser(key: str, value: str, now: str) -> bool:
    choices = choices_of(key)
    return choices.index(value) < choices.index(now)


def _combined(key: str, before: Any, value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    if key in RULE_LISTS or key in ORDERED_LISTS:
        return (*before, *value)
    kept = list(before)
    for item in value:
        if not item.startswith("!"):
            kept += [item] if item not in kept else []
        elif item[1:] in kept:
            kept.remove(item[1:])
    return tuple(kept)


def _settings(current: dict[str, Any]) -> Settings:
    changes: dict[str, Any] = {}
    inner: dict[str, dict[str, Any]] = {}
    for key, value in current.items():
        name, _, rest = key.partition(".")
        if name == "mcp":
            from codetools.config.servers import server_of

            changes[name] = (*changes.get(name, ()), server_of(rest, value))
        elif rest:
            inner.setdefault(name, {})[rest] = float(value) if isinstance(default_of(key), float) else value
        else:
            changes[name] = value
    for name, values in inner.items():
        changes[name] = default_of(name).but(**values)
    return Settings(**changes)
