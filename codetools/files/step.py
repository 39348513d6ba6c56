"""One staged change on its way to the disk: checked under the lock, laid beside its target, made, or taken back."""

import os
import stat
from collections.abc import Callable

from codetools.core.errors import Failure
from codetools.core.outcome import Notice
from codetools.files.staging import Staged
from codetools.state.changes import PreImage
from codetools.system import replace
from codetools.system.confined import Pinned, pin
from codetools.system.locks import key_of

LINK_MODE = 0o777
WEAKER = "this file system cannot swap names in one step; a change made at the same moment would go unnoticed"


class Step:
    """One staged change.

    The methods run in order: `pin`, `check`, `keep`, `lay`, `make`, `finish`. Only `make` touches the target. `revert`
    takes back whatever has been done so far. All raise Failure or OSError. `awaits_room` is whether an earlier step of
    the same call frees the name.
    """

    def __init__(self, staged: Staged, shown: str) -> None:
        self.staged = staged
        self.shown = shown
        self.notices: list[Notice] = []
        self.temporary = replace.temporary_name()
        self.is_made = False
        self.awaits_room = False
        self._place: Pinned | None = None
        self._held: Held | None = None

    @property
    def place(self) -> Pinned:
        """The target's name in its directory, held open."""
        assert self._place is not None
        return self._place

    def pin(self, held: "Held") -> None:
        """Hold the directory open that was reached when the change was staged; no link may stand on the way now."""
        self._held = held
        location = self.staged.location
        self._place = held.share(pin(location.reached, (location.root,), follow=False, shown=self.shown))

    def pin_again(self) -> None:
        """Find the directory where an earlier step has made it."""
        assert self._held is not None
        self.pin(self._held)

    def places(self) -> list[Pinned]:
        """Return every name that changes."""
        return [self._place] if self._place is not None else []

    def lock_keys(self) -> list[int]:
        """Return the locks of the names that change, that of the target first."""
        return [key_of(os.fstat(place.parent), place.name) for place in self.places()]

    def temporary_path(self) -> str | None:
        """Return the path of the file that is laid beside the target, if one is."""
        return f"{os.path.dirname(self.staged.location.reached)}/{self.temporary}"

    def left_over(self) -> str | None:
        """Return that path where something still stands there."""
        if self._place is None:
            return None
        try:
            os.stat(self.temporary, dir_fd=self._place.parent, follow_symlinks=False)
        except OSError:
            return None
        return self.temporary_path()

    def check(self) -> None:
        """Raise `stale` unless the disk is as it was when the change was staged."""
        raise NotImplementedError

    def keep(self, save: Callable[[bytes], str]) -> None:
        """Give the journal content that is too much to hold in memory until it is asked for."""

    def before(self, staged: Staged) -> PreImage | None:
        """Return what the journal has to keep of one path of this step; after `check`."""
        return pre_image(staged)

    def lay(self) -> None:
        """Make the new content durable beside the target."""

    def make(self) -> None:
        """Give the target its new state."""
        raise NotImplementedError

    def finish(self) -> None:
        """Remove the old content."""

    def revert(self) -> None:
        """Bring the old state back."""
        raise NotImplementedError

    def sync(self, synced: set[tuple[int, int]]) -> None:
        """Make the changed names durable, each directory once."""
        for place in self.places():
            status = os.fstat(place.parent)
            if (status.st_dev, status.st_ino) not in synced:
                synced.add((status.st_dev, status.st_ino))
                replace.sync_directory(place.parent)

    def stale(self, what: str) -> Failure:
        """Return the failure of a change that came in between; the same call may well succeed now."""
        message = f"{self.shown} was changed by another program during this call: {what}."
        return Failure("stale", message, "Nothing was changed; read it again.", {"changed_meanwhile": True})

    def remove_old(self, parent: int) -> None:
        """Remove the old content that waits under the temporary name, or say that it stays."""
        if not replace.remove(parent, self.temporary):
            message = f"{self.shown}: the old content could not be removed; it stays as {self.temporary_path()}"
            self.notices.append(Notice("left_over", message))

    def weaker(self) -> None:
        """Report that the file system gives less than was promised."""
        self.notices.append(Notice("weaker_guarantee", f"{self.shown}: {WEAKER}"))


class New(Step):
    """A step that gives a name to something new, laid under a temporary one."""

    def check(self) -> None:
        """Raise `stale` where something stands there now."""
        if not self.awaits_room and len(self.place.missing) <= 1 and status_of(self.place) is not None:
            raise self.stale("it exists now")

    def make(self) -> None:
        """Give what was laid its name, where that is still free."""
        try:
            rename_new(self, self.place, self.temporary, self.place)
        except FileExistsError:
            raise self.stale("it exists now") from None
        self.is_made = True


class Held:
    """The directories held open for the steps of one commit, each once however many of its names change."""

    def __init__(self) -> None:
        self._descriptors: dict[tuple[int, int], int] = {}

    def share(self, pinned: Pinned) -> Pinned:
        """Return a pinned name that uses the descriptor of its directory that is open already, if one is."""
        status = os.fstat(pinned.parent)
        held = self._descriptors.setdefault((status.st_dev, status.st_ino), pinned.parent)
        if held != pinned.parent:
            os.close(pinned.parent)
            pinned.parent = held
        return pinned

    def close(self) -> None:
        """Let go of every directory."""
        for descriptor in self._descriptors.values():
            os.close(descriptor)
        self._descriptors = {}


def pre_image(staged: Staged) -> PreImage | None:
    """Return what a path that goes or moves was, as the journal keeps it; None for one that is new."""
    if staged.kind not in ("delete", "move"):
        return None
    if staged.was == "link":
        return PreImage("", 0, stat.S_IFLNK | LINK_MODE, link=staged.was_link)
    mode = staged.form.mode or 0
    if staged.before is None:
        return PreImage("", 0, stat.S_IFDIR | mode, xattrs=staged.form.xattrs)
    before = staged.before
    content = before.content if staged.kind == "delete" and before.is_held else None
    return PreImage(before.sha256, before.size, stat.S_IFREG | mode, content, xattrs=staged.form.xattrs)


def status_of(place: Pinned) -> os.stat_result | None:
    """Return what stands at a name now, links unresolved, or None."""
    try:
        return os.stat(place.name, dir_fd=place.parent, follow_symlinks=False)
    except FileNotFoundError:
        return None


def rename_new(step: Step, old: Pinned, name: str, new: Pinned) -> None:
    """Rename to a name that must be free; where the system cannot do that in one step, look first and say so."""
    try:
        replace.rename_new(old.parent, name, new.parent, new.name)
    except replace.Unsupported:
        if status_of(new) is not None:
            raise FileExistsError(new.name) from None
        os.rename(name, new.name, src_dir_fd=old.parent, dst_dir_fd=new.parent)
        step.weaker()
