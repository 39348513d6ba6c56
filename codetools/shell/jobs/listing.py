"""Jobs as rows: the data of every tool that answers with jobs, and what is said of them."""

from typing import ClassVar

from codetools.core.outcome import Result, Span
from codetools.shell.jobs.job import Job

MOST_COMMAND_CHARS = 100
_ROLES = {"running": "good", "exited": "plain", "lost": "bad"}


class JobList(Result):
    """Background jobs, the newest first."""

    jobs: tuple[Job, ...]

    nothing: ClassVar[str] = "There are no background jobs."

    def text(self) -> str:
        """Return one job a line: id, state, start, command."""
        if not self.jobs:
            return self.nothing
        return "\n".join(
            f"{job.job_id}  {job.state_words()}  {started_words(job)}  {command_words(job)}" for job in self.jobs
        )

    def display(self) -> tuple[tuple[Span, ...], ...]:
        """Return the same in columns."""
        return tuple(
            (
                Span(job.job_id, "number"),
                Span("", "column"),
                Span(job.state_words(), _ROLES.get(job.state, "bad")),
                Span("", "column"),
                Span(started_words(job), "dim"),
                Span("", "column"),
                Span(command_words(job)),
            )
            for job in self.jobs
        )

    def status(self) -> str:
        """Return how many there are."""
        running = sum(job.is_running for job in self.jobs)
        return f"{len(self.jobs)} job{'' if len(self.jobs) == 1 else 's'}, {running} running"


def started_words(job: Job) -> str:
    """Return when a job started, to the second."""
    return job.started.partition(".")[0] + "Z"


def command_words(job: Job) -> str:
    """Return a job's command on one line, and what it is for."""
    first, *more = job.command.strip().split("\n")
    is_cut = bool(more) or len(first) > MOST_COMMAND_CHARS
    description = " ".join(job.description.split())
    return first[:MOST_COMMAND_CHARS] + ("…" if is_cut else "") + (f"  # {description}" if description else "")
