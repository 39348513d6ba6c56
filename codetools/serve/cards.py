"""What a list needs of our own tools, kept in the state directory: importing all of them costs two starts more.

An entry holds for the files that it was made from: their times and sizes are part of its name.
"""

import os
from typing import Any

from codetools.config.cache import cached, remember
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.core.tool import Effects, Tool
from codetools.engine.built_in import BUILT_IN, TOOLS_DIRECTORY

LAYER = "tools"
_SOURCES = ("tools", "core", "render", "files", "shell")  # where parts of a schema are declared


class Card(Tool):
    """One tool as policy and the list see it; `entry` is that of `tools/list`, without a description."""

    entry: Any = None


def built_in_cards(home: str) -> tuple[Card, ...]:
    """Return the cards of our own tools."""
    stamp = _stamp()
    kept = cached(home, LAYER, stamp)
    if kept is None:
        from codetools.render.schemas import export

        tools = BUILT_IN.all()
        kept = {
            tool.name: {
                "words": list(tool.words),
                "effects": {name: getattr(tool.effects, name) for name in Effects.__annotations__},
                "summary": tool.summary,
                "entry": entry,
            }
            for tool, entry in zip(tools, export([(tool, "") for tool in tools], "mcp"), strict=True)
        }
        remember(home, LAYER, stamp, kept)
    return tuple(_card(name, values) for name, values in kept.items())


def _card(name: str, values: dict[str, Any]) -> Card:
    return Card(
        name=name,
        words=tuple(values["words"]),
        summary=values["summary"],
        effects=Effects(**values["effects"]),
        params=Record,
        result=Result,
        run=_nothing,
        module="",
        entry=values["entry"],
    )


def _nothing(params: Any, context: Any) -> Result:
    raise LookupError("a card is not called")


def _stamp() -> str:
    """Return what is another once a file was written that a tool is declared in."""
    from hashlib import sha256

    package = os.path.dirname(TOOLS_DIRECTORY)
    found: list[str] = []
    waiting = [os.path.join(package, source) for source in _SOURCES]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    status = entry.stat()
                    found.append(f"{entry.path} {status.st_mtime_ns} {status.st_size}")
                elif entry.is_dir() and not entry.name.startswith(("_", ".")):
                    waiting.append(entry.path)
    return sha256("\n".join(sorted(found)).encode("utf-8", "surrogateescape")).hexdigest()
