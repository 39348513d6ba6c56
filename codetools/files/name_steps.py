"""Steps that change names only: a directory made, something removed, something moved."""

import errno
import os
import stat

from codetools.core.errors import Failure
from codetools.files.staging import Staged
from codetools.files.step import Step, rename_new, status_of
from codetools.state.changes import PreImage
from codetools.system.bounded import READING, read_all
from codetools.system.confined import Pinned, pin
from codetools.system.xattrs import attributes

NEW_DIRECTORY_MODE = 0o777  # less the umask, which the kernel takes off


class MakeDirectory(Step):
    """A new directory; one that another program has made meanwhile will do."""

    def temporary_path(self) -> None:
        """Return nothing: a directory is made under its own name."""

    def check(self) -> None:
        """Raise `stale` where something else than a directory stands there now."""
        status = status_of(self.place) if len(self.place.missing) <= 1 else None
        if status is not None and not stat.S_ISDIR(status.st_mode):
            raise self.stale("it exists now")
        self.is_needed = status is None

    def lay(self) -> None:
        """Make the directory, for what is laid after it."""
        if len(self.place.missing) > 1:
            self.pin()
        if self.is_needed:
            os.mkdir(self.place.name, NEW_DIRECTORY_MODE, dir_fd=self.place.parent)
            self.is_made = True
            if self.staged.form.mode is not None:
                os.chmod(self.place.name, self.staged.form.mode, dir_fd=self.place.parent)

    def make(self) -> None:
        """Do nothing: the directory is there."""

    def revert(self) -> None:
        """Remove the directory, unless another program has put something into it."""
        if self.is_made:
            _remove_directory(self.place)


class Delete(Step):
    """A file, link or empty directory that is removed.

    A file waits under a temporary name until all else is done; beside its old one, or in `shelter` where its directory
    goes as well.
    """

    def __init__(self, staged: Staged, shown: str) -> None:
        super().__init__(staged, shown)
        self.shelter = os.path.dirname(staged.location.reached)
        self._waiting: Pinned | None = None

    def pin(self) -> None:
        """Hold the directories of the name and of the shelter open."""
        super().pin()
        self._waiting = pin(f"{self.shelter}/{self.temporary}", (self.staged.location.root,), follow=False)

    def close(self) -> None:
        """Let go of every descriptor."""
        super().close()
        if self._waiting is not None:
            self._waiting.close()

    @property
    def waiting(self) -> Pinned:
        """The name under which the file waits."""
        assert self._waiting is not None
        return self._waiting

    @property
    def is_directory(self) -> bool:
        """Whether an empty directory goes."""
        return self.staged.was == "directory"

    def temporary_path(self) -> str | None:
        """Return where the file waits; what is left there after a crash is on its way out."""
        return None if self.is_directory else f"{self.shelter}/{self.temporary}"

    def check(self) -> None:
        """Raise `stale` where the path is something else now."""
        status = status_of(self.place)
        if status is None:
            raise self.stale("it is gone")
        if self.is_directory:
            if not stat.S_ISDIR(status.st_mode):
                raise self.stale("it is no directory any more")
        elif not self._is_old(self.place):
            raise self.stale("it holds something else now")
        self._status = status

    def before(self) -> PreImage:
        """Return what undo makes again."""
        return pre_image(self.staged, self._status, self.place)

    def make(self) -> None:
        """Take the name away and look at what went with it."""
        parent = self.place.parent
        if self.is_directory:
            try:
                os.rmdir(self.place.name, dir_fd=parent)
            except OSError as error:
                if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                    raise Failure("io", f"{self.shown} is not empty.", "Nothing was changed.") from None
                raise
            self.is_made = True
            return
        os.rename(self.place.name, self.temporary, src_dir_fd=parent, dst_dir_fd=self.waiting.parent)
        self.is_made = True
        if not self._is_old(self.waiting):
            raise self.stale("it was written to")

    def finish(self) -> None:
        """Remove the file for good."""
        if not self.is_directory:
            self.remove_old(self.waiting.parent)

    def revert(self) -> None:
        """Give the name back."""
        if not self.is_made:
            return
        if self.is_directory:
            os.mkdir(self.place.name, stat.S_IMODE(self._status.st_mode), dir_fd=self.place.parent)
            os.chmod(self.place.name, stat.S_IMODE(self._status.st_mode), dir_fd=self.place.parent)
        else:
            rename_new(self, self.waiting, self.temporary, self.place)

    def _is_old(self, place: Pinned) -> bool:
        return is_as_staged(self.staged, place.parent, place.name, self.shown)


class Move(Step):
    """A file, link or directory under another name."""

    def __init__(self, staged: Staged, shown: str) -> None:
        super().__init__(staged, shown)
        self._source: Pinned | None = None

    def temporary_path(self) -> None:
        """Return nothing: a move is one step."""

    def pin(self) -> None:
        """Hold both directories open."""
        super().pin()
        source = self.staged.source
        assert source is not None
        if self._source is None:
            self._source = pin(source.reached, (source.root,), follow=False, shown=source.written)

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
        if len(self.place.missing) <= 1 and status_of(self.place) is not None:
            raise self.stale("it exists now")
        if self.staged.was != "directory" and not is_as_staged(
            self.staged, self.source.parent, self.source.name, self.shown
        ):
            raise self.stale("its source holds something else now")
        self._status = status

    def before(self) -> PreImage:
        """Return what moves, without its content: that stays on the disk."""
        return pre_image(self.staged, self._status, self.source).but(content=None)

    def lay(self) -> None:
        """Find the new directory where an earlier step has made it."""
        if len(self.place.missing) > 1:
            self.pin()

    def make(self) -> None:
        """Rename in one step."""
        try:
            rename_new(self, self.source, self.source.name, self.place)
        except FileExistsError:
            raise self.stale("it exists now") from None
        except OSError as error:
            if error.errno == errno.EXDEV:
                raise Failure("io", f"{self.shown} lies on another file system.", "Nothing was changed.") from None
            raise
        self.is_made = True

    def revert(self) -> None:
        """Rename back."""
        if self.is_made:
            rename_new(self, self.place, self.place.name, self.source)


def is_as_staged(staged: Staged, parent: int, name: str, shown: str) -> bool:
    """Whether a file or link is what it was when its change was staged."""
    try:
        if staged.was == "link":
            return os.readlink(name, dir_fd=parent) == staged.was_link
        descriptor = os.open(name, READING, dir_fd=parent)
    except OSError:
        return False
    assert staged.before is not None
    try:
        return read_all(descriptor, staged.before.size, shown) == staged.before.content
    finally:
        os.close(descriptor)


def pre_image(staged: Staged, status: os.stat_result, place: Pinned) -> PreImage:
    """Return what stands at a place, as the journal keeps it."""
    if staged.before is None:
        return PreImage("", 0, status.st_mode, link=staged.was_link)
    descriptor = os.open(place.name, READING, dir_fd=place.parent)
    try:
        xattrs = tuple(attributes(descriptor))
    finally:
        os.close(descriptor)
    before = staged.before
    return PreImage(before.sha256, before.size, status.st_mode, before.content, xattrs=xattrs)


def _remove_directory(place: Pinned) -> None:
    try:
        os.rmdir(place.name, dir_fd=place.parent)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT):
            raise
