"""What a background job wrote: from a place on, its last lines, or as it comes until it ends."""

from typing import TYPE_CHECKING, ClassVar

from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result, Span, Truncated
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, tool
from codetools.shell.jobs.job import State

if TYPE_CHECKING:
    from codetools.context import Context

ID_ALIASES = ("shell_id", "bash_id", "task_id", "id")


class Params(Record):
    """Whose output, from where, and for how long."""

    job_id: Annotated[str, Arg("Id of the job.", positional=True, metavar="JOB", aliases=ID_ALIASES)]
    cursor: Annotated[
        int | None, Arg("Go on where an earlier call ended: its cursor.", minimum=0, aliases=("offset",))
    ] = None
    tail: Annotated[int | None, Arg("Only the last N lines.", short="n", minimum=1, aliases=("lines",))] = None
    follow: Annotated[
        bool, Arg("Wait for the job's end and show all until then.", short="f", aliases=("wait", "block"))
    ] = False
    timeout_seconds: Annotated[float | None, Arg("Follow for at most this long.", short="t", minimum=0)] = None


class JobOutput(Result):
    """A piece of a job's output, both streams in the order they came, and how the job is."""

    job_id: str
    state: State
    exit_code: int | None
    signal: str | None
    command: str
    started: str
    ended: str | None
    output: str
    cursor: Annotated[int, Arg("Where to go on: bytes of the log up to here.")]
    total_bytes: Annotated[int, Arg("Bytes of output that the job has written by now.")]
    log: Annotated[Path, Arg("File with all output, raw.")]
    truncated: Truncated | None = None

    remark: ClassVar[str] = ""
    shown_plain: ClassVar[str] = ""

    def text(self) -> str:
        """Return the output and, in brackets, how the job is and how to go on."""
        separator = "" if not self.output or self.output.endswith("\n") else "\n"
        return f"{self.output}{separator}[{self.remark}]"

    def plain(self) -> str:
        """Return the output alone."""
        return self.shown_plain

    def is_exact(self) -> bool:
        """It is what the job wrote, cleaned."""
        return True

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the output as lines for a terminal."""
        lines = self.shown_plain.removesuffix("\n").split("\n") if self.shown_plain else []
        return (*((Span(line),) for line in lines), (Span(f"[{self.remark}]", "dim"),))

    def status(self) -> str:
        """Return the job's state."""
        return f"job {self.job_id}: {self.state.replace('_', ' ')}"


@tool(
    READ_ONLY,
    aliases=("job_output", "bash_output", "bashoutput", "task_output", "taskoutput"),
    search_hint="read output of background job shell logs follow tail",
    examples=("codetools jobs output 3f9a1c2e --tail 20", "codetools jobs output 3f9a1c2e --follow"),
)
def output(params: Params, context: "Context") -> JobOutput:
    """Show what a background job wrote, and its state."""
    follows = params.follow or params.timeout_seconds is not None
    seconds = params.timeout_seconds if params.timeout_seconds is not None else float(context.limits.bash_seconds)
    part = context.jobs().output(params.job_id, params.cursor, params.tail, seconds if follows else 0.0)
    job, shown = part.found.job, part.shown
    result = JobOutput(
        job_id=job.job_id,
        state=job.state,
        exit_code=job.exit_code,
        signal=job.signal,
        command=job.command,
        started=job.started,
        ended=job.ended,
        output=shown.text,
        cursor=part.cursor,
        total_bytes=job.total_bytes,
        log=job.log,
        truncated=shown.truncated,
    )
    going_on = f'; go on: jobs_output {{"job_id": "{job.job_id}", "cursor": {part.cursor}}}' if job.is_running else ""
    trouble = f"; {part.found.trouble}" if part.found.trouble else ""
    nothing = "" if shown.text else "no output; " if part.cursor == 0 else "nothing new; "
    result.__dict__.update(remark=f"{nothing}{job.state_words()}{trouble}{going_on}", shown_plain=shown.plain)
    return result
