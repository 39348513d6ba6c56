"""What bash makes of the text between `$'` and `'`."""

import re

_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|(.))", re.DOTALL)


def unescaped(text: str) -> str:
    """Return the text with its escapes replaced, the rarer ones roughly."""
    return _ESCAPE.sub(_one, text)


def _one(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 16))
    if match[2]:
        return chr(int(match[2], 8) & 0xFF)
    return {"n": "\n", "t": "\t"}.get(match[3], match[3])
