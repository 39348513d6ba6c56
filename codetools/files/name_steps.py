"""Steps that change one name only: a file or link removed, something moved."""

import errno
import os
import stat
from collections.abc import Callable

from codetools.core.errors import Failure
from codetools.files.branch import content_of, holds_old
from codetools.files.staging import Staged
from codetools.files.step import Held, Step, rename_new, status_of
from codetools.system.bounded import READING
from codetools.system.confined import Pinned, pin


class Delete(Step):
    """A file or link that is removed; it waits beside its name until all else is done."""

    def check(self) -> None:
        """Raise `stale` where the path is something else now."""
        if status_of(self.place) is None:
            raise self.stale("it is gone")
        if not is_as_staged(self.staged, self.place.parent, self.place.name):
            raise self.stale("it holds something else now")

    def keep(self, save: Callable[[bytes], str]) -> None:
        """Give the journal a file that was too much to hold."""
        if self.staged.before is None or self.staged.before.is_held:
            return
        try:
            save(content_of(self.staged, self.place.parent, self.place.name))
        except OSError as error:
            raise self.stale(error.strerror or "it cannot be read now") from None

    def make(self) -> None:
        """Take the name away and look at what went with it."""
        parent = self.place.parent
        try:
            os.rename(self.place.name, self.temporary, src_dir_fd=parent, dst_dir_fd=parent)
        except PermissionError as error:
            raise _fixed(self.shown, "removed", error) from None
        self.is_made = True
        if not is_as_staged(self.staged, parent, self.temporary):
            raise self.stale("it was written to")

    def finish(self) -> None:
        """Remove the file for good."""
        self.remove_old(self.place.parent)

    def revert(self) -> None:
        """Give the name back."""
        if self.is_made:
            rename_new(self, self.place, self.temporary, self.place)


class Move(Step):
    """A file, link or directory under another name."""

    def __init__(self, staged: Staged, shown: str) -> None:
        super().__init__(staged, shown)
        self._source: Pinned | None = None

    def temporary_path(self) -> None:
        """Return nothing: a move is one step."""

    def pin(self, held: Held) -> None:
        """Hold both directories open."""
        super().pin(held)
        source = self.staged.source
        assert source is not None
        if self._source is None:
            self._source = held.share(pin(source.reached, (source.root,), follow=False, shown=source.written))

    def places(self) -> list[Pinned]:
        """Return both names."""
        return super().places() + ([self._source] if self._source is not None else [])

    @property
    def source(self) -> Pinned:
        """The old name in its directory, held open."""
        assert self._source is not None
        return self._source

    def check(self) -> None:
        """Raise `stale` where the old name is something else now, or the new one is taken."""
        status = status_of(self.source)
        if status is None:
            raise self.stale("its source is gone")
        if not self.awaits_room and len(self.place.missing) <= 1 and status_of(self.place) is not None:
            raise self.stale("it exists now")
        if self.staged.was == "directory":
            is_same = stat.S_ISDIR(status.st_mode)
        else:
            is_same = is_as_staged(self.staged, self.source.parent, self.source.name)
        if not is_same:
            raise self.stale("its source holds something else now")

    def make(self) -> None:
        """Rename in one step, into a directory that an earlier step may have made."""
        if len(self.place.missing) > 1:
            self.pin_again()
        try:
            rename_new(self, self.source, self.source.name, self.place)
        except FileExistsError:
            raise self.stale("it exists now") from None
        except PermissionError as error:
            raise _fixed(self.source.name, "moved", error) from None
        except OSError as error:
            if error.errno == errno.EXDEV:
                raise Failure("io", f"{self.shown} lies on another file system.", "Nothing was changed.") from None
            raise
        self.is_made = True

    def revert(self) -> None:
        """Rename back."""
        if self.is_made:
            rename_new(self, self.place, self.place.name, self.source)


def _fixed(shown: str, verb: str, error: OSError) -> Failure:
    reason = (error.strerror or str(error)).lower()
    return Failure(
        "io", f"{shown} cannot be {verb}: {reason} (is it immutable or append-only?).", "Nothing was changed."
    )


def is_as_staged(staged: Staged, parent: int, name: str) -> bool:
    """Whether a file or link is what it was when its change was staged."""
    try:
        if staged.was == "link":
            return os.readlink(name, dir_fd=parent) == staged.was_link
        descriptor = os.open(name, READING, dir_fd=parent)
    except OSError:
        return False
    try:
        return holds_old(staged, descriptor)
    finally:
        os.close(descriptor)
