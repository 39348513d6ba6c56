"""From a command's text to a process that may run: judged, put to the policy, given its surroundings and its jail."""

import math
import os
import stat
from typing import TYPE_CHECKING, Literal

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.record import Record
from codetools.shell.analysis.place import Place
from codetools.shell.analysis.verdict import Judgement, judge
from codetools.shell.environment import Environment, approved_environment, reading_environment
from codetools.shell.sandbox import Level, reading_jail, sandbox_level
from codetools.shell.walls.held import Masks
from codetools.system.command import Command
from codetools.system.helper_path import find_helper, find_system_program

if TYPE_CHECKING:
    from codetools.shell.surroundings import Surroundings
    from codetools.shell.walls.wall import Wall

STARTUP_FILE = os.path.join(os.path.dirname(__file__), "startup.bash")
_TELL_DIRECTORY = "trap 'builtin pwd -P >&100' EXIT\n"
_SHELL_NAME = "bash"  # $0
_CHANGES_DIRECTORY = "builtin 'cd' "


class How(Record):
    """How a caller wants a command run.

    `stdin` is what the command reads; without it, it has no input. One that `outlives_call` may run as long as a job.
    `sandbox` asks for more than the setting `shell.sandbox` does, or, by `none`, to leave it, which is asked about.
    """

    timeout_seconds: float | None = None
    working_dir: str | None = None
    stdin: bytes | None = None
    outlives_call: bool = False
    sandbox: Literal["none", "workspace", "require"] | None = None


class Prepared(Record):
    """A command that the policy has let pass. Its `command.directory` is an open descriptor: `close` when it runs.

    `dropped` are the variables that were kept from it, `began_in` is the absolute path of its directory. Who keeps the
    command running after `close` has the `masks` of its sandbox open meanwhile.
    """

    command: Command
    judgement: Judgement
    sandbox: Level
    dropped: tuple[str, ...]
    began_in: str
    timeout_seconds: float
    masks: tuple[Masks, ...] = ()

    def descriptors(self) -> tuple[int, ...]:
        """Return what another process needs open to run it: the directory, and what holds its sandbox."""
        directory = self.command.directory
        return (*((directory,) if isinstance(directory, int) else ()), *(masks.held for masks in self.masks))

    def close(self) -> None:
        """Let go of the working directory and of what held the sandbox."""
        if isinstance(self.command.directory, int):
            os.close(self.command.directory)
        for masks in self.masks:
            masks.close()


def prepare_script(script: str, context: "Surroundings", how: How) -> Prepared:
    """Judge a script for bash and ask the policy; what is returned may run, and nothing has run.

    Raises what the policy raises; `usage` for a timeout out of range or a script that no shell takes; `unavailable`
    without bash.
    """
    if not script.strip() or "\0" in script:
        raise Failure("usage", "the command is empty." if not script.strip() else "the command holds a NUL character.")
    return _prepare(script, None, context, how)


def prepare_program(argv: tuple[str, ...], context: "Surroundings", how: How) -> Prepared:
    """Judge a program and its arguments, which no shell will see, and ask the policy; as `prepare_script`.

    Raises `not_found` for a program that is not on the PATH.
    """
    if not argv or not argv[0] or any("\0" in word for word in argv):
        raise Failure("usage", "the program is empty." if not argv or not argv[0] else "a word holds a NUL character.")
    from codetools.shell.analysis.words import quote

    return _prepare(" ".join(quote(word) for word in argv), argv, context, how)


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


def _prepare(script: str, argv: tuple[str, ...] | None, context: "Surroundings", how: How) -> Prepared:
    seconds = _seconds(how, context.limits)
    workspace = context.files.workspace
    directory = workspace.locate(how.working_dir).reached if how.working_dir is not None else workspace.cwd
    judgement = judge_command(script, context, directory)
    fence = _Fence(judgement, how, context)
    context.gate.command(
        judgement.access(directory, is_enforced=fence.holds_to_reading).but(leaves_sandbox=fence.is_left)
    )
    descriptor = _enter(context, how.working_dir)
    try:
        roots = tuple(root.path for root in workspace.roots)
        masks: tuple[Masks, ...] = ()
        level = fence.level
        if judgement.verdict == "read_only":
            environment = reading_environment(os.environ)
            command = _reading_command(judgement, level, roots, environment, is_program=argv is not None)
        else:
            environment = approved_environment(os.environ, context.settings.shell.keep_env)
            if argv is not None:
                command = _program_command(argv, environment)
            else:
                command = _script_command(script, roots, environment)
        if fence.wall is not None:
            from codetools.shell.walls.wall import put_behind

            is_kept = how.outlives_call
            walled = put_behind(fence.wall, command, directory, STARTUP_FILE, context, is_kept=is_kept)
            command, level, masks = walled.command, walled.level, walled.masks
        command = command.but(directory=descriptor, stdin=how.stdin)
        return Prepared(command, judgement, level, environment.dropped, directory, seconds, masks)
    except BaseException:
        os.close(descriptor)
        raise


class _Fence:
    """What is to hold a command: the jail of a reading one, else the wall that is wanted; or it is left on request.

    Raises `unavailable` where one is required and none is to be had.
    """

    def __init__(self, judgement: Judgement, how: How, context: "Surroundings") -> None:
        setting = context.settings.shell.sandbox
        is_reading = judgement.verdict == "read_only"
        self.level: Level = "none"
        self.wall: Wall | None = None
        self.is_left = how.sandbox == "none" and (is_reading or setting != "auto")
        if how.sandbox == "none":
            return
        if is_reading:
            self.level = sandbox_level()
        if self.level != "none" or (how.sandbox or setting) == "auto":
            return
        from codetools.shell.walls.wall import find_wall, unavailable

        self.wall = find_wall(context)
        if self.wall.level == "none" and "require" in (how.sandbox, setting):
            raise unavailable(self.wall)

    @property
    def holds_to_reading(self) -> bool:
        """Whether the kernel holds a reading command to its verdict."""
        return self.level == "enforced"


def _reading_command(
    judgement: Judgement, level: Level, roots: tuple[str, ...], environment: Environment, *, is_program: bool
) -> Command:
    outside = tuple(access.reached for access in judgement.shows if not access.inside)
    if is_program:
        argv = _judged_program(judgement)
        programs = (argv[0], os.path.realpath(argv[0]), *judgement.programs)
        tells = False
    else:
        bash = _shell(find_system_program("bash"))
        programs = (os.path.realpath(bash), *judgement.programs)
        tells = _CHANGES_DIRECTORY in judgement.script
        argv = (bash, "-c", "--", (_TELL_DIRECTORY if tells else "") + judgement.script, _SHELL_NAME)
    jail = reading_jail((*roots, *outside), programs) if level != "none" else None
    return Command(argv, environment.variables, "/", jail=jail, reports_directory=tells)


def _judged_program(judgement: Judgement) -> tuple[str, ...]:
    """Return the words of the one program that was judged, as they were written for the shell."""
    from codetools.shell.analysis.words import parse

    name, *rest = parse(judgement.script).commands[0].words
    if name == "builtin":
        name, *rest = rest
    path = name if os.path.isabs(name) else find_system_program(name)
    if path is None:
        raise _no_program(name)
    return (path, *rest)


def _program_command(argv: tuple[str, ...], environment: Environment) -> Command:
    """Return the command of a program: found on the caller's PATH, or by a path from the working directory."""
    name = argv[0]
    if "/" in name:
        return Command(argv, environment.variables, "/")
    for element in environment.variables["PATH"].split(os.pathsep):
        path = os.path.join(element, name)
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return Command((path, *argv[1:]), environment.variables, "/")
    raise _no_program(name)


def _script_command(text: str, roots: tuple[str, ...], environment: Environment) -> Command:
    bash = _shell(find_helper("bash", roots))
    variables = {**environment.variables, "BASH_ENV": STARTUP_FILE}
    return Command((bash, "-c", "--", text, _SHELL_NAME), variables, "/", reports_directory=True)


def _shell(found: str | None) -> str:
    if found is None:
        raise Failure("unavailable", "bash is not installed, and commands are run by it.")
    return found


def _no_program(name: str) -> Failure:
    message = f"there is no program {name} on the PATH."
    return Failure("not_found", message, "A builtin of the shell, or a script, is run by the tool bash.")


def _seconds(how: How, limits: Limits) -> float:
    asked, usual, most = how.timeout_seconds, limits.bash_seconds, limits.bash_seconds_most
    if how.outlives_call:
        usual = most = limits.job_seconds
    if asked is None:
        return float(min(usual, most))
    if not math.isfinite(asked) or asked <= 0 or asked > most:
        raise Failure("usage", f"timeout_seconds is {asked:g}; it is more than 0 and at most {most}.")
    return asked


def _enter(context: "Surroundings", working_dir: str | None) -> int:
    """Return the working directory, opened: what was checked is what the command runs in (I3)."""
    if working_dir is None:
        cwd = context.files.workspace.cwd
        try:
            return os.open(cwd, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise Failure("not_found", f"the working directory {cwd} cannot be entered: {error.strerror}.") from None
    try:
        descriptor = context.files.enter(working_dir, "list")
    except Failure as failure:
        if failure.kind != "not_a_file":  # a FIFO, a socket, a device
            raise
        raise Failure("usage", f"working_dir {working_dir} is not a directory.") from None
    if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Failure("usage", f"working_dir {working_dir} is not a directory.")
    return descriptor
