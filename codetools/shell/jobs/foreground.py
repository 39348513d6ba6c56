"""A command that is a job from its start, or becomes one where it runs longer than its caller waits."""

import os
import time
from typing import TYPE_CHECKING

from codetools.core.errors import Failure
from codetools.core.path import Path
from codetools.shell.finished import Finished, moment_of
from codetools.shell.jobs.job import Found, look_at
from codetools.shell.jobs.log import log_size, read_log
from codetools.shell.jobs.place import Place, remove_place
from codetools.shell.jobs.start import Leash, Naming, start_job
from codetools.shell.output import Output
from codetools.shell.prepare import Prepared
from codetools.shell.run import finished_from, head_percent_of, raise_if_stopped
from codetools.system.process import REPORT_SECONDS
from codetools.system.report import Ending, LeftProcess

if TYPE_CHECKING:
    from codetools.shell.surroundings import Surroundings

CHECK_SECONDS = 0.1


def run_as_job(prepared: Prepared, naming: Naming, context: "Surroundings", wait_seconds: float) -> Finished:
    """Start a job and wait for its end, but for no longer than `wait_seconds`.

    A command that ends in that time has its ordinary result, and is no job unless it left processes behind or more
    output than is shown. Raises what a command in the foreground raises; it is ended, too, where this process is.
    """
    leash = start_job(prepared, naming, context)
    if wait_seconds <= 0:
        leash.detach()
        return _running(prepared, context, leash.place, None)
    return _Waiting(prepared, leash, context).result(wait_seconds)


class _Waiting:
    def __init__(self, prepared: Prepared, leash: Leash, context: "Surroundings") -> None:
        self.prepared = prepared
        self.leash = leash
        self.place = leash.place
        self.context = context
        self.output = Output(
            context.limits,
            None,
            context.emit,
            head_percent=head_percent_of(prepared.judgement),
            log=Path(leash.place.log),
        )
        self.taken = 0

    def result(self, seconds: float) -> Finished:
        interruption: BaseException | None = None
        try:
            try:
                has_exited = self._wait(time.monotonic() + seconds)
            except (Failure, KeyboardInterrupt) as error:
                interruption = error
                has_exited = True
                self._end()
            self._take()
            if not has_exited:
                self.leash.detach()
                return _running(self.prepared, self.context, self.place, self.output, self.taken)
            return self._ended(interruption)
        finally:
            self.leash.let_go()

    def _wait(self, deadline: float) -> bool:
        while True:
            has_exited = self.leash.has_exited(max(0.0, min(CHECK_SECONDS, deadline - time.monotonic())))
            if has_exited or time.monotonic() >= deadline:
                return has_exited
            self.context.check_cancelled()
            self._take()

    def _end(self) -> None:
        self.leash.end()
        until = time.monotonic() + REPORT_SECONDS
        while not self.leash.has_exited(CHECK_SECONDS) and time.monotonic() < until:
            pass

    def _take(self) -> None:
        size = log_size(self.place)
        for stream, chunk in read_log(self.place, self.taken, size):
            self.taken += len(chunk)
            self.output.take(stream, chunk)

    def _ended(self, interruption: BaseException | None) -> Finished:
        found = look_at(self.place)
        ending = _ending(found, interruption)
        goes_on = found is not None and found.job.is_running and bool(ending.left)
        job_id = None
        if goes_on:
            self.leash.detach()
            job_id = self.place.job_id
        finished = finished_from(self.prepared, ending, self.output, self.context, job_id)
        if found is not None and found.trouble:
            self.context.notice("output", found.trouble)
        if finished.spool is None and not goes_on:
            remove_place(self.place)
        raise_if_stopped(finished, ending, self.prepared.timeout_seconds, self.context.limits)
        return finished


def _ending(found: Found | None, interruption: BaseException | None) -> Ending:
    """Return how a job's command ended, as a command in the foreground does."""
    end = found.end if found is not None else None
    if end is None or end["started"] is None:
        raise interruption or Failure(
            "internal", "the process that kept the command was ended from outside; so is the command."
        )
    if interruption is None and end["state"] == "killed":
        interruption = Failure("interrupted", "somebody else ended the job.")
    return Ending(
        exit_code=end["exit_code"],
        signal=end["signal"],
        timed_out=end["state"] == "timed_out",
        was_enough=False,
        interruption=interruption,
        left=tuple(LeftProcess(pid, name) for pid, name in end["left"]),
        directory=end["directory"],
        started=end["started"],
        seconds=end["seconds"],
    )


def _running(
    prepared: Prepared, context: "Surroundings", place: Place, output: Output | None, cursor: int = 0
) -> Finished:
    """Return what there is to say of a command that runs on."""
    shown = output.finish() if output is not None else None
    finished = Finished(
        exit_code=None,
        signal=None,
        timed_out=False,
        stdout=shown.stdout if shown else "",
        stderr=shown.stderr if shown else "",
        started=moment_of(os.stat(place.supervisor).st_mtime),
        ended=None,
        working_dir=context.files.workspace.show(Path(prepared.began_in)),
        spool=Path(place.log),
        sandbox=prepared.sandbox,
        verdict=prepared.judgement.verdict,
        total_bytes=shown.total_bytes if shown else 0,
        total_lines=shown.total_lines if shown else 0,
        truncated=shown.truncated if shown else None,
        job_id=place.job_id,
    )
    ending = f'to end it: jobs_kill {{"job_id": "{place.job_id}"}}'
    if shown is None:
        remark = f'[runs in the background; its output: jobs_output {{"job_id": "{place.job_id}"}}; {ending}]'
        return finished.with_remark(remark)
    going_on = f'jobs_output {{"job_id": "{place.job_id}", "cursor": {cursor}}}'
    remark = f"[still running, now in the background; to go on: {going_on}; {ending}]"
    return finished.with_words(shown, remark, was_stopped=False)
