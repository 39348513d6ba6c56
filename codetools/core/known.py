"""A tool as somebody sees it who looks for one."""

from codetools.core.record import Record


class KnownTool(Record):
    """What is known of a tool without calling it; `is_shown` is whether the model sees it already."""

    name: str
    summary: str
    aliases: tuple[str, ...]
    search_hint: str
    description: str
    is_shown: bool
