"""The background jobs as tools see them: each is shown to the policy before it is touched."""

import time
from typing import TYPE_CHECKING

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.shell.jobs.job import Found, Job, look_at
from codetools.shell.jobs.place import all_places, place_of, remove_place
from codetools.shell.jobs.reading import Part, read_output
from codetools.shell.jobs.room import ended_jobs, past_bounds
from codetools.shell.jobs.waiting import end_jobs, wait_for

if TYPE_CHECKING:
    from codetools.shell.surroundings import Surroundings


class Waited(Record):
    """Jobs as they were when the wait was over, and whether it was over before its deadline."""

    jobs: tuple[Job, ...]
    is_over: bool


class Jobs:
    """The jobs of this machine's user, as one call may see them."""

    def __init__(self, context: "Surroundings") -> None:
        self._context = context

    def all(self) -> tuple[Job, ...]:
        """Return every job there is, the newest first."""
        return tuple(found.job for found in self._found())

    def own(self) -> tuple[Job, ...]:
        """Return this session's jobs, the newest first; without a session those that none has, of this workspace."""
        return tuple(found.job for found in self._found() if self._is_listed(found))

    def named(self, job_ids: tuple[str, ...]) -> tuple[Job, ...]:
        """Return jobs by their ids; raise `usage`, `not_found`, or what the policy raises."""
        return tuple(found.job for found in self._named(job_ids))

    def output(self, job_id: str, start: int | None, tail: int | None, seconds: float) -> Part:
        """Return a job's output from byte `start` on, or its last lines; with `seconds`, also what comes."""
        return read_output(self._named((job_id,))[0], self._context, start, tail, time.monotonic() + seconds)

    def wait(self, job_ids: tuple[str, ...], seconds: float, *, for_one: bool) -> Waited:
        """Wait until jobs (or one of them) have ended, for at most so long."""
        deadline = time.monotonic() + seconds
        waited = wait_for(self._named(job_ids), deadline, self._context.check_cancelled, for_one=for_one)
        return Waited(tuple(found.job for found in waited.jobs), waited.is_over)

    def kill(self, job_ids: tuple[str, ...]) -> tuple[Job, ...]:
        """End jobs with all that they started, and return them as they are then; ended ones stay as they are."""
        return tuple(found.job for found in end_jobs(self._named(job_ids)))

    def kill_own(self) -> tuple[Job, ...]:
        """End every running job of this session; raise `usage` without one."""
        session = self._context.session
        if session is None:
            raise Failure("usage", "no job is named, and there is no session.", "Give job_id, or --session ID.")
        running = (found for found in self._found() if found.about["session"] == session and found.job.is_running)
        return tuple(found.job for found in end_jobs(tuple(running)))

    def prune(self, keep: int | None, days: float | None) -> tuple[Job, ...]:
        """Take away own ended jobs but for the newest `keep` and those that ended in the last `days`; return them."""
        limits = self._context.limits
        ended = [
            one for one in ended_jobs(all_places(self._context.home)) if self._is_own_or_nothing(look_at(one.place))
        ]
        if keep is not None or days is not None:
            oldest = time.time() - (days or 0) * 86400
            past = [one for number, one in enumerate(ended) if _is_past(number, one.at, keep, oldest, days)]
        else:
            past = past_bounds(ended, limits)
        removed = tuple(found.job for one in past if (found := look_at(one.place)))
        for one in past:
            remove_place(one.place)
        return removed

    def _found(self) -> list[Found]:
        found = [found for place in all_places(self._context.home) if (found := look_at(place))]
        return sorted(found, key=lambda found: str(found.job.started), reverse=True)

    def _named(self, job_ids: tuple[str, ...]) -> tuple[Found, ...]:
        if not job_ids:
            raise Failure("usage", "no job is named.", "Call jobs_list to see them.")
        named = []
        for place in [place_of(self._context.home, job_id) for job_id in dict.fromkeys(job_ids)]:
            found = look_at(place)
            if found is None:
                raise Failure("not_found", f"there is no job {place.job_id}.", "Call jobs_list to see them.")
            self._context.gate.job(place.job_id, is_own=self._is_own(found))
            named.append(found)
        return tuple(named)

    def _is_own(self, found: Found) -> bool:
        """Whether this session started it; what was started without one is nobody's."""
        return found.about["session"] in (None, self._context.session)

    def _is_own_or_nothing(self, found: Found | None) -> bool:
        return found is None or self._is_listed(found)

    def _is_listed(self, found: Found) -> bool:
        session = self._context.session
        if session is not None or found.about["session"] is not None:
            return bool(found.about["session"] == session)
        return bool(found.about["root"] == self._context.files.workspace.root)


def _is_past(number: int, at: float, keep: int | None, oldest: float, days: float | None) -> bool:
    return (keep is not None and number >= keep) or (days is not None and at < oldest)
