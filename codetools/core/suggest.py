"""The nearest name, for errors that say what was probably meant."""


def nearest(word: str, names: list[str]) -> str:
    """Return the known name most like `word`, or an empty string where none is near.

    The dashes of options count for nothing: all have them.
    """
    import difflib

    found = difflib.get_close_matches(_bare(word), [_bare(name) for name in names], n=1, cutoff=0.6)
    return next((name for name in names if found and _bare(name) == found[0]), "")


def _bare(name: str) -> str:
    return name.lower().lstrip("-")
