"""One command from its text to its end: judged, put to the policy, jailed where it only reads, run, shown."""

import math
import os
import select
import stat
import sys
import time
from typing import TYPE_CHECKING

from codetools.config.settings import Settings
from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.path import Path
from codetools.files.workspace import Workspace
from codetools.shell.environment import Environment, approved_environment, reading_environment
from codetools.shell.finished import Finished, Process, remarks_on
from codetools.shell.output import Output
from codetools.shell.sandbox import Level, jail, sandbox_level
from codetools.shell.verdict import Judgement, Place, judge
from codetools.system.helper_path import find_helper, find_system_program
from codetools.system.process import Command, Ending, run_process

if TYPE_CHECKING:
    from codetools.shell.surroundings import Surroundings

STARTUP_FILE = os.path.join(os.path.dirname(__file__), "startup.bash")
_TELL_DIRECTORY = "trap 'builtin pwd -P >&100' EXIT\n"
_SHELL_NAME = "bash"  # $0
_CHANGES_DIRECTORY = "builtin 'cd' "


def run_command(
    command: str, context: "Surroundings", *, timeout_seconds: float | None = None, working_dir: str | None = None
) -> Finished:
    """Judge a command, ask the policy, run it to its end.

    Raises what the policy raises; `timeout` and `interrupted` with the result so far as `data`; `usage` for a timeout
    out of range or a command that no shell takes; `unavailable` where nothing can be started.
    """
    seconds = _seconds(timeout_seconds, context.limits)
    if not command.strip() or "\0" in command:
        raise Failure("usage", "the command is empty." if not command.strip() else "the command holds a NUL character.")
    workspace = context.files.workspace
    directory = workspace.locate(working_dir).reached if working_dir is not None else workspace.cwd
    judgement = judge_command(command, context, directory)
    level = sandbox_level() if judgement.verdict == "read_only" else "none"
    context.gate.command(judgement.access(directory, is_enforced=level == "enforced"))
    descriptor = _enter(context, working_dir)
    spool_directory = _spool_directory(context)
    output = Output(context.limits, spool_directory, context.emit)
    try:
        prepared = _Prepared(judgement, level, workspace, context.settings, descriptor)
        process = prepared.command.but(fifos_in=spool_directory)
        ending = run_process(process, output.take, timeout_seconds=seconds, check=context.check_cancelled)
    except BaseException:
        output.discard()
        raise
    finally:
        os.close(descriptor)
    finished = _finished(ending, output, judgement, level, workspace.show(ending.directory or directory))
    _report(finished, prepared.environment, context)
    _raise_if_stopped(finished, ending, seconds, context.limits)
    return finished


def judge_command(command: str, context: "Surroundings", directory: str) -> Judgement:
    """Return what a command would be judged, without running it: `directory` is absolute and free of links."""
    settings = context.settings
    place = Place(
        workspace=context.files.workspace,
        directory=directory,
        may_show=context.gate.may_show,
        banned=settings.banned_commands,
        hidden=(*settings.secrets, *context.gate.hidden()),
    )
    return judge(command, place)


class _Prepared:
    """The process that a judged command becomes."""

    def __init__(
        self, judgement: Judgement, level: Level, workspace: Workspace, settings: Settings, directory: int
    ) -> None:
        roots = tuple(root.path for root in workspace.roots)
        if judgement.verdict == "read_only":
            self.environment = reading_environment(os.environ)
            self.command = _reading_command(judgement, level, roots, self.environment, directory)
        else:
            self.environment = approved_environment(os.environ, settings.shell.keep_env)
            self.command = _approved_command(judgement.command, roots, self.environment, directory)


def _reading_command(
    judgement: Judgement, level: Level, roots: tuple[str, ...], environment: Environment, directory: int
) -> Command:
    bash = _shell(find_system_program("bash"))
    outside = tuple(access.reached for access in judgement.shows if not access.inside)
    programs = (os.path.realpath(bash), *judgement.programs)
    tells = _CHANGES_DIRECTORY in judgement.script
    return Command(
        (bash, "-c", "--", (_TELL_DIRECTORY if tells else "") + judgement.script, _SHELL_NAME),
        environment.variables,
        directory,
        restrict=jail((*roots, *outside), programs) if level != "none" else None,
        reports_directory=tells,
    )


def _approved_command(text: str, roots: tuple[str, ...], environment: Environment, directory: int) -> Command:
    bash = _shell(find_helper("bash", roots))
    variables = {**environment.variables, "BASH_ENV": STARTUP_FILE}
    return Command((bash, "-c", "--", text, _SHELL_NAME), variables, directory, reports_directory=True)


def _shell(found: str | None) -> str:
    if found is None:
        raise Failure("unavailable", "bash is not installed, and commands are run by it.")
    return found


def _seconds(asked: float | None, limits: Limits) -> float:
    if asked is None:
        return float(min(limits.bash_seconds, limits.bash_seconds_most))
    if not math.isfinite(asked) or asked <= 0 or asked > limits.bash_seconds_most:
        message = f"timeout_seconds is {asked:g}; it is more than 0 and at most {limits.bash_seconds_most}."
        raise Failure("usage", message)
    return asked


def _enter(context: "Surroundings", working_dir: str | None) -> int:
    """Return the working directory, opened: what was checked is what the command runs in (I3)."""
    if working_dir is None:
        cwd = context.files.workspace.cwd
        try:
            return os.open(cwd, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise Failure("not_found", f"the working directory {cwd} cannot be entered: {error.strerror}.") from None
    descriptor = context.files.enter(working_dir, "list")
    if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Failure("usage", f"working_dir {working_dir} is not a directory.")
    return descriptor


def _spool_directory(context: "Surroundings") -> str | None:
    try:
        return context.spool_directory()
    except OSError:  # the output is shown all the same, and the result says that it is not kept
        return None


def _finished(ending: Ending, output: Output, judgement: Judgement, level: Level, working_dir: Path) -> Finished:
    shown = output.finish()
    was_stopped = ending.timed_out or ending.interruption is not None
    last = judgement.parts[-1].words
    finished = Finished(
        exit_code=ending.exit_code,
        signal=ending.signal,
        timed_out=ending.timed_out,
        stdout=shown.stdout,
        stderr=shown.stderr,
        started=_moment(ending.started),
        ended=_moment(ending.started + ending.seconds),
        working_dir=working_dir,
        spool=shown.spool,
        sandbox=level,
        verdict=judgement.verdict,
        total_bytes=shown.total_bytes,
        total_lines=shown.total_lines,
        truncated=shown.truncated,
        left=tuple(Process(process.pid, process.name) for process in ending.left),
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


def _report(finished: Finished, environment: Environment, context: "Surroundings") -> None:
    if _has_unread_input():
        context.notice("stdin", "standard input is not passed on to commands: they have none; name a file instead")
    if finished.left:
        names = ", ".join(f"{process.name} (pid {process.pid})" for process in finished.left)
        if finished.was_stopped:
            context.notice("left_running", f"could not be ended and still runs: {names}")
        else:
            context.notice("left_running", f"still runs in the background, its further output is lost: {names}")
    if finished.exit_code and environment.dropped:
        names = ", ".join(environment.dropped)
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


def _raise_if_stopped(finished: Finished, ending: Ending, seconds: float, limits: Limits) -> None:
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


def _stopped(kind: str, message: str, hint: str, finished: Finished) -> Failure:
    line = f"{message} {hint}".rstrip()
    body = finished.shown if not finished.shown or finished.shown.endswith("\n") else finished.shown + "\n"
    return Failure(kind, message, hint, data=finished, text=f"{body}[{line}]")


def _moment(seconds: float) -> str:
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000):03d}Z"
