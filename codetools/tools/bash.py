"""A shell command, judged before it runs, and held to its verdict where it only reads."""

from typing import TYPE_CHECKING, Literal

from codetools.core.arg import Annotated, Arg
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import COMMAND, tool
from codetools.shell.finished import Finished

if TYPE_CHECKING:
    from codetools.context import Context


INSTEAD = (
    ("timeout timeout_ms", "timeout_seconds takes seconds, not milliseconds"),
    ("-c -lc", "the script is given by itself: codetools bash 'SCRIPT'"),
)


class Params(Record):
    """What to run, where, and for how long."""

    command: Annotated[str, Arg("Bash script.", positional=True, metavar="COMMAND...", aliases=("cmd", "script"))]
    timeout_seconds: Annotated[float | None, Arg("Seconds it may run.", short="t")] = None
    run_in_background: Annotated[bool, Arg("Return at once, as a job.", aliases=("background",))] = False
    working_dir: Annotated[Path | None, Arg("Where to run.", aliases=("workdir", "cwd", "dir_path"))] = None
    stdin: Annotated[  # a model has here-documents
        str | None, Arg("What it reads; without it, no input.", aliases=("input",), text=True, model=False)
    ] = None
    sandbox: Annotated[
        Literal["none", "workspace", "require"] | None,
        Arg("Run in the workspace sandbox, or, which is asked about, without one.", model=False),
    ] = None
    description: Annotated[str, Arg("What it does, in five words; shown with its job.", model=False)] = ""


@tool(
    COMMAND,
    aliases=("shell", "shell_command", "run_shell_command", "exec_command", "execute_command"),
    search_hint="run shell command terminal execute script build test",
    examples=("codetools bash 'git log --oneline | head'", "codetools bash --timeout-seconds 600 'make test'"),
    instead=INSTEAD,
)
def bash(params: Params, context: "Context") -> Finished:
    """Run a shell command, with a hard timeout and its output kept."""
    result: Finished = context.run(
        params.command,
        timeout_seconds=params.timeout_seconds,
        working_dir=params.working_dir,
        in_background=params.run_in_background,
        stdin=None if params.stdin is None else params.stdin.encode("utf-8", "surrogateescape"),
        sandbox=params.sandbox,
        description=params.description,
    )
    return result
