"""The nearest name, for errors that say what was probably meant."""

SHORT = 2


def nearest(word: str, names: list[str]) -> str:
    """Return the known name most like `word`, or an empty string where none is near.

    The dashes of options count for nothing: all have them. Of a word of two letters, such as `cp`, nothing is near
    but what begins so.
    """
    import difflib

    bare = {_bare(name): name for name in reversed(names)}
    meant = _bare(word)
    if begun := [one for one in bare if len(meant) > 1 and one.startswith(meant)]:
        return bare[min(begun, key=len)]
    found = difflib.get_close_matches(meant, bare, n=1, cutoff=0.68) if len(meant) > SHORT else []
    return bare[found[0]] if found else ""


def _bare(name: str) -> str:
    return name.lower().lstrip("-")
