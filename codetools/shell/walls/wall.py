"""Which sandbox holds a command that does more than read, and the command within it."""

from typing import TYPE_CHECKING, Literal

from codetools.core.errors import Failure
from codetools.core.record import Record
from codetools.shell.sandbox import Level
from codetools.shell.walls.exposure import Exposure, find_exposure
from codetools.shell.walls.held import Masks
from codetools.system.command import Command

if TYPE_CHECKING:
    from codetools.shell.surroundings import Surroundings

Means = Literal["bubblewrap", "landlock", "nothing"]
_TEMPORARY_NAMES = ("TMPDIR", "TEMP", "TMP")  # what they name is not seen
_INSTALL = "Install bubblewrap and allow it user namespaces, or run on Linux 6.2 or later."


class Wall(Record):
    """A sandbox that this machine has: by which means, and how far it holds."""

    means: Means
    level: Level
    reason: str = ""


class Walled(Record):
    """A command within its wall, and what has to be held open while it runs."""

    command: Command
    level: Level
    masks: tuple[Masks, ...] = ()


def find_wall(context: "Surroundings") -> Wall:
    """Return the best sandbox there is for commands of this workspace."""
    from codetools.shell.walls.bubblewrap import find_bubblewrap
    from codetools.shell.walls.landlocked import can_lock

    workspace = context.files.workspace
    if not workspace.is_bounded:
        return Wall("nothing", "none", f"{workspace.root} is too wide to be a workspace")
    if find_bubblewrap(tuple(root.path for root in workspace.roots)) is not None:
        return Wall("bubblewrap", "enforced")
    if can_lock(has_network=context.settings.shell.network):
        return Wall("landlock", "partial", "bubblewrap is not there or not allowed to work")
    return Wall("nothing", "none", "neither bubblewrap nor Landlock can be had")


def unavailable(wall: Wall) -> Failure:
    """Return the failure of a sandbox that is required and not to be had."""
    return Failure("unavailable", f"a sandbox is required, and there is none: {wall.reason}.", _INSTALL)


def put_behind(
    wall: Wall, command: Command, directory: str, startup: str, context: "Surroundings", *, is_kept: bool
) -> Walled:
    """Return a command behind a wall; `directory` is where it begins, `startup` a file that its shell reads.

    One that `is_kept` has a keeper until nothing of it is left.
    Raises `outside_workspace` where the directory is not seen from within.
    """
    if wall.means == "nothing":
        return Walled(command, "none")
    network = context.settings.shell.network
    exposure = _exposure(context, command, has_network=network)
    if not exposure.sees(directory):
        message = f"working_dir {directory} is not seen from within the sandbox."
        raise Failure("outside_workspace", message, "Name a directory of the workspace.")
    files = (startup, *(word for word in command.argv[:1] if not exposure.sees(word)))
    if wall.means == "bubblewrap":
        return _in_box(command, exposure, files, directory, context, is_kept)
    from codetools.shell.walls.landlocked import workspace_jail

    return Walled(command.but(jail=workspace_jail(exposure, files, has_network=network)), wall.level)


def _exposure(context: "Surroundings", command: Command, *, has_network: bool) -> Exposure:
    from codetools.config.places import user_directory

    roots = tuple((str(root.path), root.writable) for root in context.files.workspace.roots)
    path = command.environment.get("PATH", "")
    return find_exposure(roots, (context.home, user_directory()), path, has_network=has_network)


def _in_box(
    command: Command,
    exposure: Exposure,
    files: tuple[str, ...],
    directory: str,
    context: "Surroundings",
    is_kept: bool,
) -> Walled:
    from codetools.shell.walls.bubblewrap import NAME, Box, arguments, find_bubblewrap
    from codetools.shell.walls.guarded import find_guarded
    from codetools.shell.walls.masks import hold_masks, make_masks

    settings = context.settings
    program = find_bubblewrap(tuple(root for root, _ in exposure.roots)) or NAME
    held: list[Masks] = []
    try:
        held += [hold_masks(context.home, root) for root, is_writable in exposure.roots if is_writable]
        guarded = find_guarded(exposure.roots, settings.protected, settings.search.exclude, exposure.hidden)
        missing = guarded.missing
        for masks, root in zip(held, [root for root, is_writable in exposure.roots if is_writable], strict=True):
            below = tuple(path for path in missing if path.startswith(root.rstrip("/") + "/"))
            there = make_masks(masks, below)
            missing = tuple(path for path in missing if path not in below or path in there)
        box = Box(
            program=program,
            exposure=exposure,
            guarded=guarded.but(missing=missing),
            files=files,
            working_dir=directory,
            has_network=settings.shell.network,
            locks=tuple(masks.lock for masks in held),
            is_kept=is_kept,
        )
        environment = {name: value for name, value in command.environment.items() if name not in _TEMPORARY_NAMES}
        boxed = command.but(argv=(*arguments(box), *command.argv), environment=environment, wrapper=NAME)
        return Walled(boxed.but(reports_directory=True), "partial" if guarded.gaps else "enforced", tuple(held))
    except BaseException:
        for masks in held:
            masks.close()
        raise
