"""Sample tools that use every type a declaration may use."""

from typing import Any, Literal

from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, STAGING, Tool, tool

DESCRIPTION = 'Changes files. Use "read" first; lines are 1-based.'


class Point(Record):
    line: Annotated[int, Arg("Line number.", minimum=1)]
    side: Annotated[Literal["before", "after"], Arg("Which side of it.")] = "after"


class Edit(Record):
    old_string: Annotated[str, Arg("Text to replace.")]
    new_string: str
    replace_all: Annotated[bool, Arg("Replace every occurrence.")] = False
    points: tuple[Point, ...] = ()


class Params(Record):
    file_path: Annotated[Path, Arg("File to change.", positional=True)]
    edits: Annotated[tuple[Edit, ...], Arg("Edits, in order.")]
    at: Annotated[Point | None, Arg("Where to begin.")] = None
    mode: Annotated[Literal["content", "files"], Arg("What to return.")] = "content"
    limit: Annotated[int, Arg("Lines to show.", minimum=1, maximum=5000)] = 2000
    ratio: Annotated[float, Arg("How alike; default a half.", minimum=0.0)] = 0.5
    globs: Annotated[tuple[str, ...], Arg("Keep these.")] = ("*.py", "*.c")
    path: Annotated[Path, Arg("Where.")] = Path(".")
    extra: Annotated[dict[str, Any] | None, Arg("Anything.")] = None
    encoding: Annotated[str | None, Arg("Encoding of the file.", model=False)] = None


class NoParams(Record):
    pass


class Done(Result):
    path: Path
    lines: tuple[Point, ...] = ()
    data: dict[str, Any] | None = None

    def text(self) -> str:
        return "done"


@tool(STAGING, title="Change things")
def change(params: Params, context: None) -> Done:
    """Change things."""
    return Done(params.file_path)


@tool(READ_ONLY)
def look(params: NoParams, context: None) -> Done:
    """Look around."""
    return Done(Path("."))


# A declaration is named after its module; these two share one.
SAMPLES: tuple[tuple[Tool, str], ...] = (
    (change.but(name="change"), DESCRIPTION),
    (look.but(name="look"), "Looks around."),
)
