"""Waits until background jobs have ended."""

from typing import TYPE_CHECKING

from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, tool
from codetools.shell.jobs.listing import JobList

if TYPE_CHECKING:
    from codetools.context import Context


class Params(Record):
    """For which jobs, and for how long."""

    job_id: Annotated[
        tuple[str, ...],
        Arg(
            "Ids of the jobs.",
            positional=True,
            metavar="JOB",
            aliases=("job_ids", "shell_id", "bash_id", "task_id", "id"),
        ),
    ]
    timeout_seconds: Annotated[float | None, Arg("Wait at most this long.", short="t", minimum=0)] = None
    any: Annotated[bool, Arg("Wait for the first of them only.")] = False


@tool(
    READ_ONLY,
    aliases=("job_wait", "wait_job"),
    search_hint="wait for background job to finish end",
    examples=("codetools jobs wait 3f9a1c2e", "codetools jobs wait 3f9a1c2e 77ab01cd --any -t 60"),
)
def wait(params: Params, context: "Context") -> JobList:
    """Wait until background jobs have ended."""
    asked = params.timeout_seconds
    seconds = float(context.limits.bash_seconds) if asked is None else asked
    waited = context.jobs().wait(params.job_id, seconds, for_one=params.any)
    found = JobList(waited.jobs)
    if waited.is_over:
        return found
    running = [job.job_id for job in waited.jobs if job.is_running]
    message = f"after {seconds:g} seconds still running: {', '.join(running)}."
    hint = "They go on; call jobs_wait again, or see jobs_output."
    raise Failure(
        "timeout", message, hint, {"running": running}, data=found, text=f"{found.text()}\n[{message} {hint}]"
    )
