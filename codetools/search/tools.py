"""Which tools a few words mean: by name, alias, hint and description, the best first."""

from codetools.core.known import KnownTool

EXACT, PART, START, HINT, SUMMARY, DESCRIPTION = 100, 30, 12, 10, 4, 2  # what one word of the query earns
_SHORTEST_START = 3
_MEANS_NOTHING = frozenset(
    "a an and any are can do find for from how i in is it me my of on or the to tool with".split()
)


def rank(query: str, tools: tuple[KnownTool, ...]) -> tuple[KnownTool, ...]:
    """Return the tools that some word of the query fits, those that fit best first, then by name."""
    words = _words(query)
    telling = [word for word in words if word not in _MEANS_NOTHING] or words
    whole = "_".join(words)
    scores = {tool.name: _score(tool, telling, whole) for tool in tools}
    found = [tool for tool in tools if scores[tool.name]]
    return tuple(sorted(found, key=lambda tool: (-scores[tool.name], tool.name)))


def _score(tool: KnownTool, words: list[str], whole: str) -> int:
    names = ["_".join(_words(name)) for name in (tool.name, *tool.aliases)]
    score = EXACT * 2 if names[0] == whole else EXACT if whole in names else 0
    return score + sum(_worth(word, tool, names) for word in words)


def _worth(word: str, tool: KnownTool, names: list[str]) -> int:
    """Return what one word earns: where it says most."""
    parts = {part for name in names for part in name.split("_")}
    hint, summary, description = _words(tool.search_hint), _words(tool.summary), _words(tool.description)
    if word in parts:
        return PART
    if word in hint:
        return HINT
    if len(word) >= _SHORTEST_START and any(_share_start(word, other) for other in (*parts, *hint)):
        return START if any(_share_start(word, part) for part in parts) else HINT // 2
    if word in summary:
        return SUMMARY
    return DESCRIPTION if word in description else 0


def _share_start(word: str, other: str) -> bool:
    """Whether one is the other with an ending: `job` and `jobs`, `search` and `searching`."""
    shorter, longer = sorted((word, other), key=len)
    return len(shorter) >= _SHORTEST_START and longer.startswith(shorter)


def _words(text: str) -> list[str]:
    """Return the words of a text in lower case; names in any style fall apart into theirs."""
    spaced: list[str] = []
    for before, character in zip(" " + text, text, strict=False):
        if character.isupper() and before.islower():
            spaced.append(" ")
        spaced.append(character if character.isalnum() else " ")
    return "".join(spaced).lower().split()
