"""Steps that give a path new content: a file made, a file replaced."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from codetools.core.errors import Failure, from_os_error
from codetools.core.outcome import Notice
from codetools.files.branch import lay_file, shape
from codetools.files.document import Document
from codetools.files.staging import Form, Staged
from codetools.files.step import New, Step, status_of
from codetools.files.swap_back import swap_back, wait_for_writers
from codetools.state.changes import PreImage
from codetools.system import replace
from codetools.system.bounded import READING, holds
from codetools.system.writers import has_writer
from codetools.system.xattrs import attributes

WRITE_BITS = 0o222


class Create(New):
    """A new file or link."""

    def lay(self) -> None:
        """Write the content under a temporary name, in a directory that an earlier step may have made."""
        if len(self.place.missing) > 1:
            self.pin_again()
        try:
            lost = lay_file(self.staged, self.place.parent, self.temporary)
        except PermissionError as error:
            raise _no_room(self, error) from None
        if lost:
            self.notices.append(Notice("metadata", f"{self.shown}: could not keep {', '.join(lost)}"))

    def revert(self) -> None:
        """Remove the file."""
        if self._place is not None:
            replace.remove(self.place.parent, self.place.name if self.is_made else self.temporary)


class Modify(Step):
    """A regular file with other content: owner, extended attributes and mode stay."""

    def __init__(self, staged: Staged, shown: str) -> None:
        super().__init__(staged, shown)
        self._identity = self._laid = (0, 0)
        self._image: PreImage | None = None
        self._is_swapped = False

    @property
    def document(self) -> Document:
        """What the file held when the change was staged."""
        assert self.staged.before is not None
        return self.staged.before

    def check(self) -> None:
        """Raise `stale` where the file holds other bytes now, `io` where it may not be written."""
        status = status_of(self.place)
        if status is None or not stat.S_ISREG(status.st_mode):
            raise self.stale("it is gone" if status is None else "it is no file any more")
        self._refuse_read_only(status)
        self._identity = (status.st_dev, status.st_ino)
        document = self.document
        with self._old() as old:
            if not _is_untouched(os.fstat(old), document) and not self._holds_old(old):
                raise self.stale("it holds something else now")
            if not wait_for_writers(old):  # what it writes next would go to the old file and be lost
                message = f"{self.shown} is open for writing in another program."
                raise Failure("io", message, "Nothing was changed; try again once that has closed it.")
            mode, xattrs = os.fstat(old).st_mode, tuple(attributes(old))
        self._image = PreImage(document.sha256, document.size, mode, document.content, xattrs=xattrs)
        if status.st_nlink > 1:
            others = status.st_nlink - 1
            message = f"{self.shown} has {others} other name{'s' if others > 1 else ''} (hard links), left as before"
            self.notices.append(Notice("hard_link", message))

    def before(self, staged: Staged) -> PreImage | None:
        """Return the old bytes, mode and extended attributes."""
        return self._image

    def lay(self) -> None:
        """Write the new content under a temporary name, as the same owner and with the same attributes."""
        descriptor = _lay_content(self, replace.PRIVATE_MODE)
        try:
            with self._old() as old:
                lost = replace.copy_metadata(old, descriptor)
            lost += shape(descriptor, self._form(descriptor), self.staged)
            os.fsync(descriptor)
            laid = os.fstat(descriptor)
            self._laid = (laid.st_dev, laid.st_ino)
        finally:
            os.close(descriptor)
        if lost:
            self.notices.append(Notice("metadata", f"{self.shown}: could not keep {', '.join(lost)}"))

    def make(self) -> None:
        """Swap the two names and look at what came out; where it is not the old content, swap back."""
        parent, name = self.place.parent, self.place.name
        try:
            replace.exchange(parent, self.temporary, name)
        except replace.Unsupported:
            self._replace_weakly()
            return
        except PermissionError:
            message = f"{self.shown} cannot be replaced: operation not permitted (is it immutable or append-only?)."
            raise Failure("io", message, "Nothing was changed.") from None
        self.is_made = self._is_swapped = True
        if not self._displaced_is_old():
            raise self.stale("it was written to")

    def finish(self) -> None:
        """Remove the old content, which the swap left under the temporary name."""
        if self._is_swapped:
            self.remove_old(self.place.parent)

    def revert(self) -> None:
        """Swap back, or write the old content again where the system could not swap."""
        if self._place is None:
            return
        parent, name = self.place.parent, self.place.name
        if self._is_swapped:
            swap_back(parent, name, self.temporary, self._laid, self.staged.content or b"")
        elif self.is_made:
            descriptor = replace.make_temporary(parent, self.temporary, self.document.content, replace.PRIVATE_MODE)
            with _opened(parent, name) as new:  # which was given what the old one had
                replace.copy_metadata(new, descriptor)
            os.close(descriptor)
            os.rename(self.temporary, name, src_dir_fd=parent, dst_dir_fd=parent)
        replace.remove(parent, self.temporary)

    def _form(self, descriptor: int) -> Form:
        """Return the form to give the file; of one whose mode stays only the attributes that an edit had lost."""
        form = self.staged.form
        if form.mode is not None or not form.xattrs:
            return form
        kept = dict(attributes(descriptor))
        return form.but(xattrs=tuple((name, value) for name, value in form.xattrs if name not in kept))

    def _refuse_read_only(self, status: os.stat_result) -> None:
        place = self.place
        mode = f"mode {stat.S_IMODE(status.st_mode):04o}"
        if not status.st_mode & WRITE_BITS:
            message = f"{self.shown} is read only ({mode}); nothing was changed."
            raise Failure("io", message, "Make it writable first, if it is yours to change.")
        if not os.access(place.name, os.W_OK, dir_fd=place.parent, effective_ids=True):
            message = f"{self.shown} may not be written ({mode}); nothing was changed."
            raise Failure("io", message, "It is another user's, immutable, or on a read-only file system.")

    def _replace_weakly(self) -> None:
        """Compare and rename: what another program writes between the two is lost, and that is reported."""
        with self._old() as old:
            if not self._holds_old(old):
                raise self.stale("it holds something else now")
        parent = self.place.parent
        os.rename(self.temporary, self.place.name, src_dir_fd=parent, dst_dir_fd=parent)
        self.is_made = True
        self.weaker()

    def _displaced_is_old(self) -> bool:
        try:
            with _opened(self.place.parent, self.temporary) as displaced:
                return not has_writer(displaced) and self._holds_old(displaced)
        except OSError:
            return False

    @contextmanager
    def _old(self) -> Iterator[int]:
        """Open the file that was checked, for as long as it is looked at: a call may change more than can be open."""
        try:
            descriptor = os.open(self.place.name, READING, dir_fd=self.place.parent)
        except FileNotFoundError:
            raise self.stale("it is gone") from None
        try:
            status = os.fstat(descriptor)
            if (status.st_dev, status.st_ino) != self._identity:
                raise self.stale("another file has taken its place")
            yield descriptor
        finally:
            os.close(descriptor)

    def _holds_old(self, descriptor: int) -> bool:
        try:
            return holds(descriptor, self.document.content)
        except OSError as error:
            raise from_os_error(error, self.shown) from None


@contextmanager
def _opened(parent: int, name: str) -> Iterator[int]:
    descriptor = os.open(name, READING, dir_fd=parent)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _lay_content(step: Step, mode: int) -> int:
    try:
        return replace.make_temporary(step.place.parent, step.temporary, step.staged.content_after() or b"", mode)
    except PermissionError as error:
        raise _no_room(step, error) from None


def _no_room(step: Step, error: PermissionError) -> Failure:
    message = f"{step.shown}: no file can be made in its directory: {error.strerror}."
    return Failure("io", message, "Nothing was changed.")


def _is_untouched(status: os.stat_result, document: Document) -> bool:
    found = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    return found == (document.device, document.inode, document.size, document.mtime_ns)
