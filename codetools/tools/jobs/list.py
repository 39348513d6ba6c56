"""Which background jobs there are, and how they are."""

from typing import TYPE_CHECKING

from codetools.core.arg import Annotated, Arg
from codetools.core.record import Record
from codetools.core.tool import READ_ONLY, tool
from codetools.shell.jobs.listing import JobList

if TYPE_CHECKING:
    from codetools.context import Context


class Params(Record):
    """Whose jobs."""

    all: Annotated[bool, Arg("Jobs of every session and workspace.", short="a", model=False)] = False


@tool(
    READ_ONLY,
    aliases=("job_list", "list_jobs", "bashes"),
    search_hint="list background jobs processes running state",
    examples=("codetools jobs list", "codetools jobs list --all --json"),
)
def list_jobs(params: Params, context: "Context") -> JobList:
    """List background jobs, the newest first."""
    jobs = context.jobs()
    return JobList(jobs.all() if params.all else jobs.own())
