"""What a path that goes away was, down to its last file: read once, so that undo can make it again."""

import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from typing import Literal

from codetools.core.access import PathAccess
from codetools.core.errors import Failure, from_os_error
from codetools.core.limits import Limits
from codetools.core.path import Path
from codetools.files.document import document_of
from codetools.files.staging import Form, Staged
from codetools.files.workspace import Location
from codetools.system.bounded import LISTING, READING, kind_of, read_all
from codetools.system.confined import Pinned
from codetools.system.xattrs import attributes

Kind = Literal["delete", "move"]

MAX_DEPTH = 200  # directories in directories, each held open while the walk is below it
_GET_FLAGS = 0x80086601  # FS_IOC_GETFLAGS
_FIXED = 0x10 | 0x20  # immutable, append only


def leaving(kind: Kind, pinned: Pinned, location: Location, shown: str, limits: Limits) -> Staged:
    """Return the staging of one existing file, link or directory that goes; a directory without what it holds."""
    assert pinned.status is not None
    try:
        return _one(kind, pinned.parent, pinned.name, pinned.status, location, shown, limits.edit_bytes)
    except OSError as error:
        raise from_os_error(error, shown) from None


class LeavingTree:
    """A directory with all that it holds, what lies deepest first. `ask` is the gate; what it denies stops the whole.

    Raises `denied` for a mount point, `not_a_file` for what undo could not make again, and `io` for what cannot be
    removed, is more than `limits.journal_bytes`, or more than `limits.delete_paths`.
    """

    def __init__(self, pinned: Pinned, location: Location, shown: str, ask: Callable[[PathAccess], None]) -> None:
        self._pinned = pinned
        self._location = location
        self._shown = shown
        self._ask = ask
        self._paths = 0
        self._bytes = 0

    def staged(self, limits: Limits, lightened: Callable[[Staged], Staged]) -> list[Staged]:
        """Return the staging of every path, each `lightened` before the next is read."""
        assert self._pinned.status is not None
        place = self._pinned
        try:
            return [*map(lightened, self._walk(place.parent, place.name, self._location, self._shown, limits, 0))]
        except OSError as error:
            raise from_os_error(error, str(error.filename or self._shown)) from None

    def refuse_full(self, is_gone: Callable[[str], bool]) -> None:
        """Raise `is_a_directory`, with a count, where the directory holds something that this call does not remove."""
        place = self._pinned
        try:
            descriptor = self._enter(place.parent, place.name, self._shown, 0)
            try:
                names = os.listdir(descriptor)
            finally:
                os.close(descriptor)
            if not all(is_gone(f"{self._location.reached}/{name}") for name in names):
                raise self.full()
        except OSError as error:
            raise from_os_error(error, self._shown) from None

    def full(self) -> Failure:
        """Return the refusal to delete a directory by a call that did not say so, with a count of what it holds."""
        files, directories = self._counted(self._pinned.parent, self._pinned.name, 0)
        held = " and ".join(
            _number(count, one, many)
            for count, one, many in ((files, "file", "files"), (directories, "directory", "directories"))
            if count
        )
        message = (
            f"{self._shown} is a directory that holds {held}." if held else f"{self._shown} is an empty directory."
        )
        details = {"files": files, "directories": directories}
        return Failure("is_a_directory", message, "Pass recursive (-r) to delete it with all that it holds.", details)

    def ask_all(self, moved: Location) -> None:
        """Ask about every path below the directory, under its name and under the one it will have below `moved`."""
        place = self._pinned
        try:
            self._ask_below(place.parent, place.name, self._location, moved, 0)
        except OSError as error:
            raise from_os_error(error, self._shown) from None

    def _walk(
        self, parent: int, name: str, location: Location, shown: str, limits: Limits, depth: int
    ) -> Iterator[Staged]:
        descriptor = self._enter(parent, name, shown, depth)
        try:
            status = os.fstat(descriptor)
            names = sorted(os.listdir(descriptor))
            if names:
                _refuse_unwritable(parent, name, status, shown)
            for child in names:
                found = os.stat(child, dir_fd=descriptor, follow_symlinks=False)
                below, shown_below = _below(location, child), f"{shown}/{child}"
                self._count(found, below, shown_below, limits)
                if found.st_dev != status.st_dev:
                    raise Failure("denied", f"{shown_below} is a mount point, which is never deleted.")
                if status.st_mode & stat.S_ISVTX and os.geteuid() not in (0, status.st_uid, found.st_uid):
                    raise _not_removable(shown_below, "it is another user's, in a directory where only they may")
                if stat.S_ISDIR(found.st_mode):
                    yield from self._walk(descriptor, child, below, shown_below, limits, depth + 1)
                else:
                    yield _one("delete", descriptor, child, found, below, shown_below, limits.edit_bytes, True)
            yield Staged(
                "delete",
                location,
                was="directory",
                form=Form(stat.S_IMODE(status.st_mode), tuple(attributes(descriptor))),
            )
        finally:
            os.close(descriptor)

    def _ask_below(self, parent: int, name: str, location: Location, moved: Location, depth: int) -> None:
        descriptor = self._enter(parent, name, self._shown, depth)
        try:
            with os.scandir(descriptor) as entries:
                found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
            for child, is_directory in sorted(found):
                old, new = _below(location, child), _below(moved, child)
                self._ask(_access(old))
                self._ask(_access(new))
                if is_directory:
                    self._ask_below(descriptor, child, old, new, depth + 1)
        finally:
            os.close(descriptor)

    def _counted(self, parent: int, name: str, depth: int) -> tuple[int, int]:
        files = directories = 0
        descriptor = self._enter(parent, name, self._shown, depth)
        try:
            with os.scandir(descriptor) as entries:
                inner = [
                    entry.name for entry in entries if entry.is_dir(follow_symlinks=False) or not (files := files + 1)
                ]
            for child in inner:
                found = self._counted(descriptor, child, depth + 1)
                files, directories = files + found[0], directories + found[1] + 1
        finally:
            os.close(descriptor)
        return files, directories

    def _enter(self, parent: int, name: str, shown: str, depth: int) -> int:
        if depth > MAX_DEPTH:
            raise Failure("io", f"{shown}: more than {MAX_DEPTH} directories deep.", "Nothing was changed.")
        return os.open(name, LISTING, dir_fd=parent)

    def _count(self, status: os.stat_result, location: Location, shown: str, limits: Limits) -> None:
        self._ask(_access(location))
        self._paths += 1
        if self._paths > limits.delete_paths:
            message = f"{self._shown} holds more than {limits.delete_paths:,} paths, which is limits.delete_paths."
            raise Failure("io", message, "Nothing was changed; delete parts of it.")
        self._bytes += status.st_size if stat.S_ISREG(status.st_mode) else 0
        if self._bytes > limits.journal_bytes:
            message = f"{self._shown}: its undo copies do not fit limits.journal_bytes, {limits.journal_bytes:,}."
            raise Failure("io", message, "Nothing was changed. Raise that limit in your settings, or delete parts.")


def _one(
    kind: Kind,
    parent: int,
    name: str,
    status: os.stat_result,
    location: Location,
    shown: str,
    most: int,
    is_in_tree: bool = False,
) -> Staged:
    was = kind_of(status)
    if was == "link":
        return Staged(kind, location, was="link", was_link=os.readlink(name, dir_fd=parent))
    if was == "directory":
        descriptor = os.open(name, LISTING, dir_fd=parent)
        try:
            form = Form(stat.S_IMODE(status.st_mode), tuple(attributes(descriptor)))
        finally:
            os.close(descriptor)
        return Staged(kind, location, was="directory", form=form)
    if was != "file":
        hint = "Undo could not make it again; nothing was changed." if is_in_tree else ""
        raise Failure("not_a_file", f"{shown} is a {was}, not a file.", hint)
    try:
        descriptor = os.open(name, READING, dir_fd=parent)
    except PermissionError:
        message = f"{shown} cannot be read, so undo could not bring it back: permission denied."
        raise Failure("io", message, "Nothing was changed.") from None
    try:
        status = os.fstat(descriptor)
        if is_in_tree and _is_fixed(descriptor):
            raise _not_removable(shown, "it is immutable or append-only")
        content = read_all(descriptor, most, shown)
        xattrs = tuple(attributes(descriptor))
    finally:
        os.close(descriptor)
    if content is None:
        message = f"{shown}: {status.st_size} bytes are more than the {most} that one call takes."
        raise Failure("io", message, "Nothing was changed.")
    document = document_of(location, content, status)
    return Staged(kind, location, before=document, was="file", form=Form(stat.S_IMODE(status.st_mode), xattrs))


def _number(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _below(location: Location, name: str) -> Location:
    written, reached = Path(f"{location.written}/{name}"), Path(f"{location.reached}/{name}")
    return location.but(written=written, reached=reached, exists=True)


def _access(location: Location) -> PathAccess:
    return PathAccess("edit", location.written, location.reached, location.inside, location.root, location.writable)


def _refuse_unwritable(parent: int, name: str, status: os.stat_result, shown: str) -> None:
    if not os.access(name, os.W_OK | os.X_OK, dir_fd=parent, effective_ids=True):
        mode = f"mode {stat.S_IMODE(status.st_mode):04o}"
        raise _not_removable(shown, f"nothing may be removed from it ({mode})")


def _not_removable(shown: str, why: str) -> Failure:
    return Failure("io", f"{shown} cannot be removed: {why}.", "Nothing was changed.")


def _is_fixed(descriptor: int) -> bool:
    """Whether a file may not be unlinked, whoever asks; a system that cannot tell says no."""
    try:
        flags = fcntl.ioctl(descriptor, _GET_FLAGS, bytes(8))
    except OSError:
        return False
    return bool(int.from_bytes(flags[:4], "little") & _FIXED)
