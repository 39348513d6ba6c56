"""Takes ended background jobs away, with their output."""

from typing import TYPE_CHECKING

from codetools.core.arg import Annotated, Arg
from codetools.core.record import Record
from codetools.core.tool import Effects, tool
from codetools.shell.jobs.listing import JobList

if TYPE_CHECKING:
    from codetools.context import Context


class Params(Record):
    """What stays; nothing given, what the limits keep stays."""

    keep: Annotated[int | None, Arg("Keep only the N that ended last.", minimum=0)] = None
    days: Annotated[float | None, Arg("Keep only those that ended in the last N days.", minimum=0)] = None


class Pruned(JobList):
    """The jobs that were taken away."""

    nothing = "No ended job had to go."


@tool(
    Effects(idempotent=True, open_world=False),
    aliases=("job_prune",),
    search_hint="remove clean up ended background jobs logs",
    examples=("codetools jobs prune --keep 0", "codetools jobs prune --days 1"),
)
def prune(params: Params, context: "Context") -> Pruned:
    """Take ended background jobs away, with their output."""
    return Pruned(context.jobs().prune(params.keep, params.days))
