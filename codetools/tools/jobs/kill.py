"""Ends background jobs with all that they started."""

from typing import TYPE_CHECKING

from codetools.core.arg import Annotated, Arg
from codetools.core.record import Record
from codetools.core.tool import Effects, tool
from codetools.shell.jobs.listing import JobList

if TYPE_CHECKING:
    from codetools.context import Context


class Params(Record):
    """Which jobs; none means every running one of the session."""

    job_id: Annotated[
        tuple[str, ...],
        Arg(
            "Ids of the jobs; without, every running job of the session.",
            positional=True,
            metavar="JOB",
            aliases=("job_ids", "shell_id", "bash_id", "task_id", "id"),
            example=True,
        ),
    ] = ()


class Killed(JobList):
    """The jobs as they are now: one that had ended before stays as it was."""

    nothing = "No job was running."

    def answers_no(self) -> bool:
        """Whether one could not be ended."""
        return any(job.is_running for job in self.jobs)


@tool(
    Effects(idempotent=True, open_world=False),
    aliases=("job_kill", "kill_shell", "killshell", "kill_bash", "killbash", "task_stop", "taskstop"),
    search_hint="kill stop end terminate background job shell",
    examples=("codetools jobs kill 3f9a1c2e", "codetools jobs kill --session S1"),
)
def kill(params: Params, context: "Context") -> Killed:
    """End background jobs with all that they started."""
    jobs = context.jobs()
    return Killed(jobs.kill(params.job_id) if params.job_id else jobs.kill_own())
