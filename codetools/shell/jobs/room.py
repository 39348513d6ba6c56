"""Keeps jobs bounded: how many run at once, and how many ended ones are kept, for how long, with how much output."""

import os
import time

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.record import Record
from codetools.shell.jobs.job import look_at
from codetools.shell.jobs.place import Place, all_places, remove_place

STARTING_SECONDS = 120.0  # a directory without a supervisor is that of a job about to start, for so long
_DAY_SECONDS = 86400.0


class Ended(Record):
    """A job that has ended, and when; `size` is what its directory takes on disk."""

    place: Place
    at: float
    size: int


def make_room(home: str, limits: Limits) -> None:
    """Before a job is started: take away old ones past the bounds; raise `unavailable` where too many run."""
    places = all_places(home)
    open_ones = [place for place in places if _may_run(place)]
    running = [found.job.job_id for place in open_ones if (found := look_at(place)) and found.job.is_running]
    if len(running) >= limits.jobs_running:
        message = f"{len(running)} background jobs run already; limits.jobs_running is {limits.jobs_running}."
        raise Failure("unavailable", message, f'End one first: jobs_kill {{"job_id": "{running[0]}"}}')
    for ended in past_bounds(ended_jobs(places), limits):
        remove_place(ended.place)


def ended_jobs(places: list[Place]) -> list[Ended]:
    """Return the jobs that have ended or never began, the newest first."""
    found = []
    for place in places:
        try:
            at = os.stat(place.end if _has_end(place) else place.directory).st_mtime
            size = sum(entry.stat().st_blocks * 512 for entry in os.scandir(place.directory))
        except OSError:  # somebody else took it away meanwhile
            continue
        if _may_run(place):
            seen = look_at(place)
            if seen.job.is_running if seen is not None else at > time.time() - STARTING_SECONDS:
                continue
        found.append(Ended(place, at, size))
    return sorted(found, key=lambda ended: ended.at, reverse=True)


def past_bounds(ended: list[Ended], limits: Limits) -> list[Ended]:
    """Return which of the ended jobs, the newest first, are too many, too old or too large together."""
    oldest = time.time() - limits.jobs_days * _DAY_SECONDS
    kept_bytes = 0
    past = []
    for number, job in enumerate(ended):
        kept_bytes += job.size
        if number >= limits.jobs_count or job.at < oldest or kept_bytes > limits.jobs_bytes:
            past.append(job)
    return past


def _may_run(place: Place) -> bool:
    """Whether the last word of its supervisor is still to come; asked of every job at each start."""
    return os.path.exists(place.reserve) or not _has_end(place)


def _has_end(place: Place) -> bool:
    return os.path.exists(place.end)
