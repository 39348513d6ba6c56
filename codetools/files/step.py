"""One staged change on its way to the disk: checked under the lock, laid beside its target, made, or taken back."""

import os

from codetools.core.errors import Failure
from codetools.core.outcome import Notice
from codetools.files.staging import Staged
from codetools.state.changes import PreImage
from codetools.system import replace
from codetools.system.confined import Pinned, pin
from codetools.system.locks import key_of

WEAKER = "this file system cannot swap names in one step; a change made at the same moment would go unnoticed"


class Step:
    """One staged change.

    The methods run in order: `pin`, `check`, `lay`, `make`, `finish`. Only `make` touches the target, or `lay` for a
    directory. `revert` takes back whatever has been done so far. All raise Failure or OSError.
    """

    def __init__(self, staged: Staged, shown: str) -> None:
        self.staged = staged
        self.shown = shown
        self.notices: list[Notice] = []
        self.temporary = replace.temporary_name()
        self.is_made = False
        self.is_needed = True
        self._place: Pinned | None = None

    @property
    def place(self) -> Pinned:
        """The target's name in its directory, held open."""
        assert self._place is not None
        return self._place

    def pin(self) -> None:
        """Hold the directory open that was reached when the change was staged; no link may stand on the way now."""
        location = self.staged.location
        if self._place is not None:
            self._place.close()
        self._place = pin(location.reached, (location.root,), follow=False, shown=self.shown)

    def places(self) -> list[Pinned]:
        """Return every name that changes."""
        return [self._place] if self._place is not None else []

    def lock_keys(self) -> list[int]:
        """Return the locks of the names that change."""
        return [key_of(os.fstat(place.parent), place.name) for place in self.places()]

    def temporary_path(self) -> str | None:
        """Return the path of the file that is laid beside the target, if one is."""
        return f"{os.path.dirname(self.staged.location.reached)}/{self.temporary}"

    def check(self) -> None:
        """Raise `stale` unless the disk is as it was when the change was staged."""
        raise NotImplementedError

    def before(self) -> PreImage | None:
        """Return what the journal has to keep; after `check`."""
        return None

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

    def close(self) -> None:
        """Let go of every descriptor."""
        for place in self.places():
            place.close()

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
