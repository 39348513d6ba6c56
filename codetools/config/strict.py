"""YAML without surprises: no tags, aliases, merge keys or duplicate keys; only `true` and `false` are booleans.

Parsing is PyYAML's; what the events mean is decided here, so that no part of YAML 1.1 comes in by itself: `no`, `0o17`,
`1_000`, `12:30:00` and `2024-01-01` are text.
"""

import re
from collections.abc import Iterator
from typing import Any

import yaml

from codetools.core.errors import Failure

MAX_DEPTH = 32
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})")
_NUMBER = re.compile(r"[-+]?[0-9]{1,300}\.[0-9]{1,300}([eE][-+]?[0-9]{1,3})?")
_WORDS: dict[str, Any] = {"": None, "~": None, "null": None, "true": True, "false": False}


class Place:
    """Where a value stands in the file: 1-based line and column, and the places of what it holds."""

    def __init__(self, line: int, column: int) -> None:
        self.line = line
        self.column = column
        self.inner: dict[str | int, Place] = {}


def parse_strict(content: bytes, path: str) -> tuple[Any, Place]:
    """Return a document's value (dict, list, str, int, float, bool, None) and its place; raise `config` with a line."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Failure("config", f"{path}:{line}: not valid UTF-8.") from None
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _Reader(path, yaml.parse(text, Loader=loader)).document()
    except yaml.YAMLError as error:
        raise _syntax_failure(error, path) from None


def _syntax_failure(error: yaml.YAMLError, path: str) -> Failure:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    where = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else path
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "not YAML"
    return Failure("config", f"{where}: {problem}.")


class _Reader:
    """One pass over the events of a file."""

    def __init__(self, path: str, events: Iterator[Any]) -> None:
        self._path = path
        self._events = events

    def document(self) -> tuple[Any, Place]:
        next(self._events)  # the stream's start
        event = next(self._events)
        if isinstance(event, yaml.StreamEndEvent):
            return None, Place(1, 1)
        if event.tags:
            raise self._failure(event, "%TAG is not understood here")
        found = self._value(next(self._events), 0)
        next(self._events)  # the document's end
        event = next(self._events)
        if not isinstance(event, yaml.StreamEndEvent):
            raise self._failure(event, "a second document; one is all that is read")
        return found

    def _value(self, event: Any, depth: int) -> tuple[Any, Place]:
        if isinstance(event, yaml.AliasEvent):
            raise self._failure(event, "aliases are not understood here; repeat the value")
        if event.anchor is not None:
            raise self._failure(event, "anchors are not understood here; write the value")
        if event.tag is not None:
            raise self._failure(event, "tags are not understood here; write the value alone")
        if depth >= MAX_DEPTH:
            raise self._failure(event, f"nested more than {MAX_DEPTH} deep")
        place = Place(event.start_mark.line + 1, event.start_mark.column + 1)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event), place
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(place, depth), place
        return self._mapping(place, depth), place

    def _sequence(self, place: Place, depth: int) -> list[Any]:
        found: list[Any] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            value, place.inner[len(found)] = self._value(event, depth + 1)
            found.append(value)
        return found

    def _mapping(self, place: Place, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key, at = self._value(event, depth + 1)
            if not isinstance(key, str):
                raise self._failure(event, "a key must be text")
            if key == "<<":
                raise self._failure(event, "merge keys are not understood here; repeat the values")
            if key in found:
                raise self._failure(event, f"the key '{key}' stands twice (first on line {place.inner[key].line})")
            found[key], inner = self._value(next(self._events), depth + 1)
            at.inner = inner.inner
            place.inner[key] = at
        return found

    def _scalar(self, event: Any) -> Any:
        text = event.value
        if event.style:  # quoted or a block: always text
            return text
        if text in _WORDS:
            return _WORDS[text]
        if _INTEGER.fullmatch(text):
            return int(text)
        return float(text) if _NUMBER.fullmatch(text) else text

    def _failure(self, event: Any, what: str) -> Failure:
        mark = event.start_mark
        return Failure("config", f"{self._path}:{mark.line + 1}:{mark.column + 1}: {what}.")
