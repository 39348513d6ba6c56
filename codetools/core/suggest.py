"""The nearest name, for errors that say what was probably meant."""


def nearest(word: str, names: list[str]) -> str:
    """Return the known name most like `word`, or an empty string where none is near."""
    import difflib

    found = difflib.get_close_matches(word.lower(), [name.lower() for name in names], n=1, cutoff=0.6)
    return next((name for name in names if found and name.lower() == found[0]), "")
