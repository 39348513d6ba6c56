"""Makes the files that are made from declarations, or says which are stale."""

import os
from collections.abc import Callable
from typing import Literal

from codetools.cli.generated import README, completion_scripts, man_pages, readme_with_table
from codetools.cli.handmade import handmade
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.engine.options import Options

PROJECT_FILE = "pyproject.toml"


class Params(Record):
    """What to make."""

    what: Annotated[
        tuple[Literal["man", "completions", "readme"], ...],
        Arg("What to make; all of it if not said.", positional=True),
    ] = ()
    check: Annotated[bool, Arg("Write nothing; answer 1 and name the files that are stale.")] = False


class Made(Result):
    """Which files were stale, and whether they were written."""

    stale: tuple[Path, ...]
    written: bool

    def text(self) -> str:
        """Return one line per file."""
        if not self.stale:
            return "Everything is up to date."
        verb = "wrote" if self.written else "stale:"
        return "\n".join(f"{verb} {path}" for path in self.stale)

    def answers_no(self) -> bool:
        """Whether stale files were found and left."""
        return bool(self.stale) and not self.written


@handmade(examples=("codetools generate", "codetools generate man --check"))
def generate(params: Params, options: Options) -> Made:
    """Make man pages, completions and the README table in a checkout of codetools.

    These files are made from the declarations of the tools and commands: change a declaration, then run this.
    """
    if not os.path.isfile(PROJECT_FILE) or not os.path.isdir("codetools"):
        raise Failure("usage", "generate works at the top of a checkout of codetools.", "Change to it first.")
    makers: dict[str, Callable[[], dict[str, str | None]]] = {
        "man": _man,
        "completions": lambda: dict(completion_scripts()),
        "readme": lambda: {README: readme_with_table(_content(README) or "")},
    }
    stale: list[Path] = []
    for what in params.what or makers:
        for path, content in makers[what]().items():
            if _content(path) != content:
                stale.append(Path(path))
                if not params.check:
                    _write(path, content)
    return Made(tuple(stale), not params.check)


def _man() -> dict[str, str | None]:
    """Return every page, and None for a page of a command that is no more."""
    pages: dict[str, str | None] = dict(man_pages())
    old = sorted(os.listdir("man")) if os.path.isdir("man") else []
    gone = {f"man/{name}": None for name in old if name.startswith("codetools") and f"man/{name}" not in pages}
    return {**pages, **gone}


def _content(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _write(path: str, content: str | None) -> None:
    if content is None:
        os.remove(path)
        return
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
