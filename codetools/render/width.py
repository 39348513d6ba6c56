"""How many columns of a terminal a text takes: East Asian wide characters take two, combining ones none."""

ELLIPSIS = "…"


def columns(text: str) -> int:
    """Return the columns of an escaped, unstyled text without tabs."""
    return len(text) if text.isascii() else sum(map(_columns_of, text))


def fit(text: str, limit: int) -> str:
    """Return the text, cut with an ellipsis where it takes more than `limit` columns."""
    if columns(text) <= limit:
        return text
    taken = columns(ELLIPSIS)
    for position, character in enumerate(text):
        taken += _columns_of(character)
        if taken > limit:
            return text[:position] + ELLIPSIS
    return text


def _columns_of(character: str) -> int:
    if character < "\u0300":
        return 1
    import unicodedata

    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
