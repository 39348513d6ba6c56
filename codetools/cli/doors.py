"""The doors that programs use all day: each reads its own command line, for Typer would cost more than a call."""

from collections.abc import Callable

HELP_NAMES = ["-h", "--help"]
_MODULES = {"call": "codetools.cli.call", "batch": "codetools.cli.batch", "answer": "codetools.cli.answer"}


def door_for(words: list[str]) -> Callable[[list[str]], int] | None:
    """Return what takes the words after the first; None where they are typed by a person, help pages among them."""
    name = _MODULES.get(words[0]) if words else None
    if name is None or not set(words).isdisjoint(HELP_NAMES):
        return None
    main: Callable[[list[str]], int] = __import__(name, fromlist=["main"]).main
    return main
