"""Where a match may be, told without looking at each line: what keeps the pure-Python engine from crawling."""

import re

from codetools.search.job import Query

_TOKEN = re.compile(
    r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)"
    r"|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?(?:P<[^>]*>|:)|[*+?]\??|\{\d+(?:,\d*)?\}\??|.",
    re.DOTALL,
)
# what never stands for a line end, in place of what may
_IN_LINE = {r"\s": r"[^\S\n\r]", r"\D": r"[^\d\n\r]", r"\W": r"[^\w\n\r]", r"\A": "^"}
_NO_LINE_END = r"(?![\n\r])"
_PLAIN_CLASS = re.compile(r"\[(?:[^\\\x00-\x1f]|\\[dw\W])*\]", re.DOTALL)


class Sieve:
    """What tells where a match may be.

    `needle` stands in every match, byte for byte, or is empty where nothing is known. `search` finds in a text whose
    lines end in line feeds the first place from a position on where one line may match; each line with a match is
    found so, and others may be.
    """

    def __init__(self, query: Query, expression: "re.Pattern[str]") -> None:
        is_exact = not expression.flags & re.IGNORECASE
        tokens = [] if query.is_literal else _TOKEN.findall(query.pattern)
        needle = query.pattern if query.is_literal else _required(tokens)
        self.needle = needle.encode("utf-8", "surrogateescape") if is_exact and not query.is_inverted else b""
        self._needle = needle if self.needle else ""
        pattern = re.escape(query.pattern) if query.is_literal else "".join(map(_in_line, tokens))
        self._search = re.compile(pattern, expression.flags).search

    def search(self, text: str, position: int) -> int:
        """Return that place, or -1."""
        if self._needle:
            return text.find(self._needle, position)
        found = self._search(text, position)
        return -1 if found is None else found.start()


def _required(tokens: list[str]) -> str:
    """Return the longest text that stands in every match."""
    runs, depth = [""], 0
    for token in tokens:
        if token == "|" and depth == 0:
            return ""
        if token[0] in "*?{":  # what it follows may be missing
            runs[-1] = runs[-1][:-1]
        is_literal = token not in ("^", "$", ".", "|") and token[0] not in "*+?{[()\\"
        is_escaped = token[0] == "\\" and not token[1:2].isalnum()
        if depth == 0 and (is_literal or is_escaped):
            runs[-1] += token[-1]
        else:
            runs.append("")
        depth += (token[0] == "(") - (token == ")")
    return max(runs, key=len)


def _in_line(token: str) -> str:
    """Return what stands for the same characters but for line ends."""
    if token.startswith("[^"):
        return r"[^\n\r" + ("\\" if token[2] == "]" else "") + token[2:]
    if token[0] == "[" and len(token) > 1 and not _PLAIN_CLASS.fullmatch(token):
        return f"(?:{_NO_LINE_END}{token})"
    return _IN_LINE.get(token, token)
