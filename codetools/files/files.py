"""The one door to files for tools: every path is asked about before it is opened, and changes are only staged."""

import os
import stat
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from codetools.core.access import PathAccess
from codetools.core.errors import Failure, from_os_error
from codetools.core.limits import Limits
from codetools.core.path import Path
from codetools.files.document import Document, Entry, OpenFile, hash_of
from codetools.files.staging import Form, Staged, Staging, Stored
from codetools.files.workspace import Location, Workspace
from codetools.system.bounded import kind_of, open_directory, open_file, read_all, refuse_unreadable
from codetools.system.confined import Pinned, below
from codetools.system.xattrs import attributes

if TYPE_CHECKING:
    from codetools.core.access import Gate

Action = Literal["list", "read", "edit"]


class Files:
    """Files of one workspace for one call. Paths are taken as written, relative to the working directory."""

    def __init__(self, workspace: Workspace, gate: "Gate", limits: Limits) -> None:
        self.workspace = workspace
        self.limits = limits
        self._gate = gate
        self._staging = Staging()

    @property
    def staged(self) -> tuple[Staged, ...]:
        """The changes staged so far."""
        return self._staging.all()

    def read(self, written: str, limit_bytes: int | None = None) -> Document:
        """Return a file's whole content; `io` where it is longer than `limit_bytes`, or else `limits.edit_bytes`."""
        most = self.limits.edit_bytes if limit_bytes is None else limit_bytes
        pinned, location = self._enter(written, "read")
        with pinned:
            return self._document(pinned, location, written, most)

    def open(self, written: str) -> OpenFile:
        """Open a regular file to read it in pieces."""
        pinned, location = self._enter(written, "read")
        with pinned:
            staged = self._staging.at(location.reached)
            if staged is not None and (content := staged.content_after()) is not None:
                return OpenFile(location, written, -1, content)
            self._refuse_gone(location, written)
            return OpenFile(location, written, open_file(pinned, written))

    def list(self, written: str) -> tuple[Entry, ...]:
        """Return what a directory on the disk holds, by name; what is staged is not in it."""
        pinned, _ = self._enter(written, "list")
        with pinned:
            if pinned.status is None:
                raise Failure("not_found", f"{written}: no such file or directory.")
            descriptor = open_directory(pinned, written)
        try:
            return tuple(_entries(descriptor))
        except OSError as error:
            raise from_os_error(error, written) from None
        finally:
            os.close(descriptor)

    def look(self, written: str) -> Entry:
        """Return what a path itself is on the disk, a link as a link."""
        pinned, location = self._enter(written, "list", follow_last=False)
        with pinned:
            if pinned.status is None:
                raise Failure("not_found", f"{written}: no such file or directory.")
            return _entry(os.path.basename(location.reached), pinned.name, pinned.status, pinned.parent)

    def locate(self, written: str) -> Location:
        """Return where a path leads, without asking and without opening it."""
        return self.workspace.locate(written)

    def place(self, written: str) -> Location:
        """Return where a path lies itself, a link as a link, without asking and without opening it."""
        pinned, location = self.workspace.pin(written, follow_last=False)
        pinned.close()
        return location

    def may_show(self, absolute: str) -> bool:
        """Return whether a file that a search came upon may be shown without asking."""
        try:
            location = self.workspace.locate(absolute)
        except Failure:
            return False
        return self._gate.may_show(_access("read", location))

    def shows(self, location: Location) -> bool:
        """Return whether the content of a place may be shown without asking."""
        return self._gate.may_show(_access("read", location))

    def may_list(self, absolute: str) -> bool:
        """Return whether a directory's names may be shown without asking."""
        try:
            location = self.workspace.locate(absolute)
        except Failure:
            return False
        return self._gate.may_show(_access("list", location))

    def enter(self, written: str, action: Action = "read") -> int:
        """Open a directory or a regular file, to be handed on as a descriptor; the caller closes it."""
        pinned, _ = self._enter(written, action)
        with pinned:
            if pinned.status is not None and stat.S_ISDIR(pinned.status.st_mode):
                return open_directory(pinned, written)
            return open_file(pinned, written)

    def exists(self, written: str) -> bool:
        """Return whether a path names something, once this call's staged changes are made; asks for listing."""
        pinned, location = self._enter(written, "list")
        pinned.close()
        return self._is_there(location)

    def is_gone(self, absolute: str) -> bool:
        """Whether this call has staged the removal of a path free of links."""
        return self._staging.is_gone(absolute)

    def create(self, written: str, content: bytes | Stored, form: Form | None = None) -> Location:
        """Stage a new file, and the directories above it that are missing; raise `exists`."""
        is_link = form is not None and form.link is not None
        makes_room = self._staging.frees_links and self.is_gone(self.place(written).reached)
        pinned, location = self._enter(written, "edit", follow_last=not is_link and not makes_room)
        with pinned:
            if self._is_there(location):
                if pinned.status is not None:
                    refuse_unreadable(pinned.status, written)
                raise Failure("exists", f"{written} already exists.", "Edit it, or write it whole.")
            size = content.size if isinstance(content, Stored) else len(content)
            if size > self.limits.edit_bytes:
                raise self._too_large(written, size, self.limits.edit_bytes)
            self._stage_parents(location, pinned)
        staged = Staged("create", location, form=form or Form())
        is_stored = isinstance(content, Stored)
        self._staging.add(staged.but(stored=content) if is_stored else staged.but(content=content))
        return location

    def modify(self, document: Document, content: bytes, form: Form | None = None) -> None:
        """Stage a file's new content, and its form where that changes too; raise `no_change` where all is the same."""
        shown = self.workspace.show(document.location.written)
        if content == document.content and (form is None or form.mode in (None, stat.S_IMODE(document.mode))):
            raise Failure("no_change", f"{shown}: the content would not change.")
        if len(content) > self.limits.edit_bytes:
            raise self._too_large(shown, len(content), self.limits.edit_bytes)
        self._gate.path(_access("edit", document.location))
        before = None if document.is_staged else document
        self._staging.add(Staged("modify", document.location, content, before, form=form or Form()))

    def delete(self, written: str, *, recursive: bool = False) -> Location:
        """Stage the removal of a file, a link (never its target) or a directory; a full one only if `recursive`.

        Raise `denied` for what must stay: a root, the working directory and those above it, mount points.
        """
        from codetools.files.leaving import LeavingTree, leaving
        from codetools.files.vital import refuse_vital

        pinned, location = self._enter(written, "edit", follow_last=False)
        with pinned:
            if pinned.status is None or self._staging.is_gone(location.reached):
                raise Failure("not_found", f"{written}: no such file or directory.")
            if not stat.S_ISDIR(pinned.status.st_mode):
                self._staging.add(leaving("delete", pinned, location, written, self.limits))
                return location
            refuse_vital(self.workspace, written, location.reached, "deleted")
            tree = LeavingTree(pinned, location, written, self._gate.path)
            if recursive:
                leave = tree.staged(self.limits)
            else:
                tree.refuse_full(self.is_gone)
                leave = [leaving("delete", pinned, location, written, self.limits)]
        for staged in leave:
            if not self._staging.is_gone(staged.location.reached):
                self._staging.add(staged)
        return location

    def refuse_directory(self, written: str) -> None:
        """Raise `is_a_directory`, with a count of what it holds, where a path is a directory itself."""
        pinned, location = self._enter(written, "edit", follow_last=False)
        with pinned:
            if pinned.status is not None and stat.S_ISDIR(pinned.status.st_mode):
                from codetools.files.leaving import LeavingTree
                from codetools.files.vital import refuse_vital

                refuse_vital(self.workspace, written, location.reached, "deleted")
                raise LeavingTree(pinned, location, written, self._gate.path).full()

    def move(self, source: str, destination: str, *, overwrite: bool = False) -> tuple[Location, Location]:
        """Stage a file, link or directory under another name; return both. Raise `exists` where that is taken.

        A file that this call changes as well, or that goes to another file system, is made anew under the other name
        and removed under the old one. So is one that is to `overwrite` another file.
        """
        from codetools.files.leaving import LeavingTree, leaving
        from codetools.files.vital import refuse_vital

        pinned, old = self._enter(source, "edit", follow_last=False)
        with pinned:
            is_directory = pinned.status is not None and stat.S_ISDIR(pinned.status.st_mode)
            if is_directory:
                refuse_vital(self.workspace, source, old.reached, "moved")
            if (staged := self._staging.at(old.reached)) and (content := staged.content_after()) is not None:
                form = self._form(pinned, source)
                self._staging.add(Staged("delete", old, before=staged.before, was="file", form=form))
                return old, self.create(destination, content, form)
            if pinned.status is None or self._staging.is_gone(old.reached):
                raise Failure("not_found", f"{source}: no such file or directory.")
            moved = leaving("move", pinned, old, source, self.limits)
            device = os.fstat(pinned.parent).st_dev
            place, new = self._enter(destination, "edit", follow_last=False)
            with place:
                if is_directory:
                    if below(new.reached, old.reached):
                        raise Failure("usage", f"{source} cannot be moved to {destination}, into itself.")
                    LeavingTree(pinned, old, source, self._gate.path).ask_all(new)
                if self._is_there(new):
                    self._replace(moved, old, new, place, destination, overwrite)
                    return old, new
                self._stage_parents(new, place)
                is_far = os.fstat(place.parent).st_dev != device
        if is_far:
            if moved.before is None and moved.was != "link":
                message = f"{source} and {destination} lie on different file systems, and {source} is a directory."
                raise Failure("io", message, "Nothing was changed; move its files one by one.")
            form = moved.form if moved.was == "file" else Form(link=moved.was_link)
            self._staging.add(Staged("create", new, moved.before.content if moved.before else b"", form=form))
            self._staging.add(moved.but(kind="delete"))
        else:
            self._staging.add(moved.but(location=new, source=old))
        return old, new

    def mkdir(self, written: str, form: Form | None = None) -> Location:
        """Stage a directory, and those above it that are missing; raise `exists`. Without a form the umask rules."""
        pinned, location = self._enter(written.rstrip("/") or "/", "edit")
        with pinned:
            if self._is_there(location):
                raise Failure("exists", f"{written} already exists.")
            self._stage_parents(location, pinned)
        self._staging.add(Staged("mkdir", location, form=form or Form()))
        return location

    def is_directory(self, written: str) -> bool:
        """Whether a path is a directory on the disk or leads to one; asks for listing."""
        pinned, location = self._enter(written, "list")
        with pinned:
            if pinned.status is None or self._staging.is_gone(location.reached):
                return False
            return stat.S_ISDIR(pinned.status.st_mode)

    def _replace(
        self, moved: Staged, old: Location, new: Location, place: Pinned, destination: str, overwrite: bool
    ) -> None:
        """Stage a file's content and form in the place of another file's, and the removal of the first."""
        if old.reached == new.reached:
            raise Failure("no_change", f"{destination} is where it is already; nothing would change.")
        if not overwrite or moved.before is None:
            hint = "Choose another name, or pass overwrite." if moved.before is not None else "Choose another name."
            raise Failure("exists", f"{destination} already exists.", hint)
        if place.status is None or not stat.S_ISREG(place.status.st_mode):
            raise Failure("exists", f"{destination} exists and is no file; only files are overwritten.")
        replaced = self._document(place, new, destination, self.limits.edit_bytes)
        try:
            self.modify(replaced, moved.before.content, moved.form)
        except Failure as failure:
            if failure.kind != "no_change":
                raise
        self._staging.add(moved.but(kind="delete"))

    def _enter(self, written: str, action: Action, *, follow_last: bool = True) -> tuple[Pinned, Location]:
        """Find where a path leads and ask about it; nothing is said of a place outside before that."""
        try:
            pinned, location = self.workspace.pin(written, follow_last=follow_last)
        except Failure:
            named = self.workspace.absolute(written)
            if not self.workspace.holds(named):
                self._ask(PathAccess(action, named, named, False, Path("/")))
            raise
        try:
            self._ask(_access(action, location))
        except BaseException:
            pinned.close()
            raise
        return pinned, location

    def _ask(self, access: PathAccess) -> None:
        """Ask the gate. An edit outside is asked about only once it may be known whether there is anything at all."""
        if access.action == "edit" and not access.inside and not self._gate.may_show(access):
            self._gate.path(access.but(action="list"))
        self._gate.path(access)

    def _document(self, pinned: Pinned, location: Location, shown: str, most: int) -> Document:
        staged = self._staging.at(location.reached)
        if staged is not None and (content := staged.content_after()) is not None:
            return Document(location, content, hash_of(content), len(content), 0, is_staged=True)
        self._refuse_gone(location, shown)
        descriptor = open_file(pinned, shown)
        try:
            status = os.fstat(descriptor)
            found = read_all(descriptor, most, shown)
        finally:
            os.close(descriptor)
        if found is None:
            raise self._too_large(shown, status.st_size, most)
        return Document(
            location=location,
            content=found,
            sha256=hash_of(found),
            size=len(found),
            mtime_ns=status.st_mtime_ns,
            mode=status.st_mode,
            device=status.st_dev,
            inode=status.st_ino,
            links=status.st_nlink,
        )

    def _form(self, pinned: Pinned, shown: str) -> Form:
        """Return the mode and the attributes of a file on the disk; those of a new one where there is none."""
        if pinned.status is None:
            return Form()
        descriptor = open_file(pinned, shown)
        try:
            return Form(stat.S_IMODE(pinned.status.st_mode), tuple(attributes(descriptor)))
        except OSError as error:
            raise from_os_error(error, shown) from None
        finally:
            os.close(descriptor)

    def _stage_parents(self, location: Location, pinned: Pinned) -> None:
        """Stage the directories between the one that exists and the new name."""
        missing: list[str] = []
        path = str(location.reached)
        for _ in pinned.missing[1:]:
            path = os.path.dirname(path)
            missing.append(path)
        for path in reversed(missing):
            if self._staging.at(path) is None:
                self._staging.add(Staged("mkdir", location.but(written=Path(path), reached=Path(path))))

    def _is_there(self, location: Location) -> bool:
        if self._staging.is_gone(location.reached):
            return False
        return location.exists or self._staging.at(location.reached) is not None

    def _refuse_gone(self, location: Location, shown: str) -> None:
        if self._staging.is_gone(location.reached):
            raise Failure("not_found", f"{shown}: no such file or directory.")

    def _too_large(self, shown: str, size: int, most: int) -> Failure:
        return Failure("io", f"{shown}: {size} bytes are more than the {most} that one call takes.")


def _access(action: Action, location: Location) -> PathAccess:
    return PathAccess(action, location.written, location.reached, location.inside, location.root, location.writable)


def _entries(descriptor: int) -> Iterator[Entry]:
    for name in sorted(os.listdir(descriptor)):
        try:
            status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
            yield _entry(name, name, status, descriptor)
        except FileNotFoundError:
            continue  # removed since it was listed


def _entry(name: str, place: str, status: os.stat_result, parent: int) -> Entry:
    kind = kind_of(status)
    target = Path(os.readlink(place, dir_fd=parent)) if kind == "link" else None
    return Entry(Path(name), kind, status.st_size, status.st_mtime_ns, target)
