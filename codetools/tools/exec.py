"""One program with its arguments, as they are: no shell reads them."""

from typing import TYPE_CHECKING, Literal

from codetools.core.arg import Annotated, Arg
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import COMMAND, tool
from codetools.shell.finished import Finished

if TYPE_CHECKING:
    from codetools.context import Context


class Params(Record):
    """What to run, where, and for how long."""

    argv: Annotated[
        tuple[str, ...],
        Arg("The program and its arguments.", positional=True, metavar="WORD", aliases=("command", "args")),
    ]
    timeout_seconds: Annotated[float | None, Arg("Seconds it may run.", short="t")] = None
    run_in_background: Annotated[bool, Arg("Return at once, as a job.", aliases=("background",))] = False
    working_dir: Annotated[Path | None, Arg("Where to run.", aliases=("workdir", "cwd", "dir_path"))] = None
    stdin: Annotated[str | None, Arg("What it reads; without it, no input.", aliases=("input",), text=True)] = None
    sandbox: Annotated[
        Literal["none", "workspace", "require"] | None,
        Arg("Run in the workspace sandbox, or, which is asked about, without one.", model=False),
    ] = None
    description: Annotated[str, Arg("What it does, in five words; shown with its job.", model=False)] = ""


@tool(
    COMMAND,
    aliases=("run_program", "spawn"),
    search_hint="run program execute argv without shell quoting",
    examples=("codetools exec -- git log --oneline -3", "codetools exec -t 600 -- make 'the target'"),
)
def execute(params: Params, context: "Context") -> Finished:
    """Run a program with exactly these arguments, without a shell."""
    result: Finished = context.run(
        params.argv,
        timeout_seconds=params.timeout_seconds,
        working_dir=params.working_dir,
        in_background=params.run_in_background,
        stdin=None if params.stdin is None else params.stdin.encode("utf-8", "surrogateescape"),
        sandbox=params.sandbox,
        description=params.description,
    )
    return result
