"""A prepared command run to its end, and what is said of it."""

import os
import select
import stat
import sys
from typing import TYPE_CHECKING, Literal

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.path import Path
from codetools.shell.analysis.verdict import Judgement
from codetools.shell.finished import Finished, Process, moment_of, remarks_on
from codetools.shell.output import Output
from codetools.shell.prepare import How, Prepared, prepare_program, prepare_script
from codetools.shell.window import HEAD_PERCENT
from codetools.system.process import run_process
from codetools.system.report import Ending

if TYPE_CHECKING:
    from codetools.shell.surroundings import Surroundings


_MOST_WAITING = 64  # chunks that wait for a slow reader


def run_command(
    command: str | tuple[str, ...],
    context: "Surroundings",
    *,
    timeout_seconds: float | None = None,
    working_dir: str | None = None,
    stdin: bytes | None = None,
    in_background: bool = False,
    sandbox: Literal["none", "workspace", "require"] | None = None,
    description: str = "",
) -> Finished:
    """Judge a script, or a program with its arguments, ask the policy, run it: to its end, or until it is a job.

    A job is listed with its `description`. As `prepare_script` or `prepare_program`, then `run_prepared`.
    """
    wait_seconds = 0.0 if in_background else context.settings.shell.auto_background_seconds
    outlives = in_background or wait_seconds > 0
    how = How(timeout_seconds, working_dir, stdin, outlives, sandbox)
    if isinstance(command, str):
        prepared = prepare_script(command, context, how)
    else:
        prepared = prepare_program(command, context, how)
    if not outlives:
        return run_prepared(prepared, context)
    from codetools.config.command_pattern import quote_words
    from codetools.shell.jobs.foreground import run_as_job
    from codetools.shell.jobs.start import Naming

    shown = command if isinstance(command, str) else quote_words(command)
    return run_as_job(prepared, Naming(shown, description), context, wait_seconds)


def run_prepared(prepared: Prepared, context: "Surroundings") -> Finished:
    """Run what the policy has let pass, and close it.

    Raises `timeout` and `interrupted` with the result so far as `data`; `unavailable` where nothing can be started.
    """
    spool_directory = spool_directory_of(context)
    output = Output(context.limits, spool_directory, context.emit, head_percent=head_percent_of(prepared.judgement))
    live = _Live(output)
    try:
        process = prepared.command.but(fifos_in=spool_directory)
        seconds = prepared.timeout_seconds
        is_jailed = prepared.judgement.verdict == "read_only" and prepared.sandbox == "enforced"
        hold = None if is_jailed else context.hold_descendants  # it runs no codetools

        def check() -> None:
            live.pass_on()
            context.check_cancelled()

        ending = run_process(process, live.take, timeout_seconds=seconds, check=check, hold=hold)
        live.pass_on()
    except BaseException:
        output.discard()
        raise
    finally:
        prepared.close()
    finished = finished_from(prepared, ending, output, context)
    raise_if_stopped(finished, ending, prepared.timeout_seconds, context.limits)
    return finished


class _Live:
    """Keeps output at once, and passes it on later: a reader who is slow must not hold up an interrupt."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._waiting: list[tuple[int, bytes]] = []

    def take(self, stream: int, chunk: bytes) -> None:
        self._output.keep(stream, chunk)
        self._waiting.append((stream, chunk))
        if len(self._waiting) >= _MOST_WAITING:
            self.pass_on()

    def pass_on(self) -> None:
        waiting, self._waiting = self._waiting, []
        for stream, chunk in waiting:
            self._output.pass_on(stream, chunk)


def head_percent_of(judgement: Judgement) -> int:
    """Return how much of long output is shown from its beginning: all for a list of findings, else there is an end."""
    return 100 if judgement.kind in ("search", "read", "list") else HEAD_PERCENT


def finished_from(
    prepared: Prepared, ending: Ending, output: Output, context: "Surroundings", job_id: str | None = None
) -> Finished:
    """Return the result of a command that has ended, and give the notices that go with it.

    `job_id` is the job under which what the command left behind goes on.
    """
    working_dir = context.files.workspace.show(ending.directory or prepared.began_in)
    finished = _finished(prepared, ending, output, working_dir, job_id)
    _report(finished, prepared, context)
    return finished


def raise_if_stopped(finished: Finished, ending: Ending, seconds: float, limits: Limits) -> None:
    """Raise `timeout` or `interrupted` with the result as `data` where the command was ended before its end."""
    if ending.timed_out:
        message = f"the command ran for {seconds:g} seconds and was ended, with all that it started."
        hint = f"timeout_seconds may be up to {limits.bash_seconds_most}." if seconds < limits.bash_seconds_most else ""
        raise _stopped("timeout", message, hint, finished)
    error = ending.interruption
    if isinstance(error, Failure):
        raise _stopped(error.kind, f"{error.message} The command was ended, with all that it started.", "", finished)
    if isinstance(error, KeyboardInterrupt):
        raise _stopped("interrupted", "the command was interrupted and ended, with all that it started.", "", finished)
    if error is not None:
        raise error


def spool_directory_of(context: "Surroundings") -> str | None:
    """Return where long output is kept, or None where it cannot be."""
    try:
        return context.spool_directory()
    except OSError:  # the output is shown all the same, and the result says that it is not kept
        return None


def _finished(prepared: Prepared, ending: Ending, output: Output, working_dir: Path, job_id: str | None) -> Finished:
    shown = output.finish()
    was_stopped = ending.timed_out or ending.interruption is not None
    last = prepared.judgement.parts[-1].words
    finished = Finished(
        exit_code=ending.exit_code,
        signal=ending.signal,
        timed_out=ending.timed_out,
        stdout=shown.stdout,
        stderr=shown.stderr,
        started=moment_of(ending.started),
        ended=moment_of(ending.started + ending.seconds),
        working_dir=working_dir,
        spool=shown.spool,
        sandbox=prepared.sandbox,
        verdict=prepared.judgement.verdict,
        total_bytes=shown.total_bytes,
        total_lines=shown.total_lines,
        truncated=shown.truncated,
        left=tuple(Process(process.pid, process.name) for process in ending.left),
        job_id=job_id,
    )
    remarks = remarks_on(
        ending.exit_code,
        ending.signal,
        was_stopped=was_stopped,
        seconds=ending.seconds,
        last_program=os.path.basename(last[0]) if last else "",
    )
    remarks = "\n".join(filter(None, (*(f"[{trouble}]" for trouble in shown.troubles), remarks)))
    return finished.with_words(shown, remarks, was_stopped=was_stopped)


_PASSING_OVER = ("--exclude=", "--iglob='!**/", "--iglob=!**/")  # what a search of a tree was given besides its words


def _report(finished: Finished, prepared: Prepared, context: "Surroundings") -> None:
    if prepared.command.stdin is None and _has_unread_input():
        context.notice(
            "stdin", "standard input is not passed on to commands: name a file, or give stdin (--stdin-file -)"
        )
    if finished.left:
        names = ", ".join(f"{process.name} (pid {process.pid})" for process in finished.left)
        if finished.was_stopped:
            context.notice("left_running", f"could not be ended and still runs: {names}")
        elif finished.job_id is not None:
            context.notice("left_running", f"still runs in the background as job {finished.job_id}: {names}")
        else:
            context.notice("left_running", f"still runs in the background, its further output is lost: {names}")
    if finished.exit_code == 1 and any(mark in prepared.judgement.script for mark in _PASSING_OVER):
        context.notice("withheld", "files whose names may hold secrets were not searched; name one to be asked about")
    if finished.exit_code and prepared.dropped:
        names = ", ".join(prepared.dropped)
        context.notice("environment", f"kept from the command: {names}; the setting shell.keep_env passes one on")


def _has_unread_input() -> bool:
    """Whether something was piped into this very process and lies there unread."""
    threading = sys.modules.get("threading")
    if threading and threading.current_thread() is not threading.main_thread():
        return False  # a door that stays: its input holds other calls
    try:
        status = os.fstat(0)
        if stat.S_ISREG(status.st_mode):  # from its beginning, so it was not given to somebody before us
            return status.st_size > 0 and os.lseek(0, 0, os.SEEK_CUR) == 0
        return stat.S_ISFIFO(status.st_mode) and bool(select.select([0], [], [], 0)[0]) and _waiting_bytes(0) > 0
    except OSError:
        return False


def _waiting_bytes(descriptor: int) -> int:
    import array
    import fcntl
    import termios

    count = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, count)
    return count[0]


def _stopped(kind: str, message: str, hint: str, finished: Finished) -> Failure:
    line = f"{message} {hint}".rstrip()
    body = finished.shown if not finished.shown or finished.shown.endswith("\n") else finished.shown + "\n"
    return Failure(kind, message, hint, data=finished, text=f"{body}[{line}]")
