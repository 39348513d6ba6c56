"""The one door to files for tools: every path is asked about before it is opened, and changes are only staged."""

import os
import stat
from collections.abc import Iterator
from typing import TYPE_CHECKING

from codetools.core.errors import Failure, from_os_error
from codetools.core.limits import Limits
from codetools.core.path import Path
from codetools.files.document import Document, Entry, OpenFile
from codetools.files.entrance import Action, Entrance, access_of
from codetools.files.staging import Form, Staged, Stored
from codetools.files.workspace import Location, Workspace
from codetools.system.bounded import kind_of, open_directory, open_file, refuse_unreadable

if TYPE_CHECKING:
    from codetools.core.access import Gate


class Files:
    """Files of one workspace for one call. Paths are taken as written, relative to the working directory."""

    def __init__(self, workspace: Workspace, gate: "Gate", limits: Limits) -> None:
        self.workspace = workspace
        self.limits = limits
        self._entrance = Entrance(workspace, gate, limits)

    @property
    def staged(self) -> tuple[Staged, ...]:
        """The changes staged so far."""
        return self._entrance.staging.all()

    def read(self, written: str, limit_bytes: int | None = None) -> Document:
        """Return a file's whole content; `io` where it is longer than `limit_bytes`, or else `limits.edit_bytes`."""
        most = self.limits.edit_bytes if limit_bytes is None else limit_bytes
        pinned, location = self._entrance.enter(written, "read")
        with pinned:
            return self._entrance.document(pinned, location, written, most)

    def open(self, written: str) -> OpenFile:
        """Open a regular file to read it in pieces."""
        pinned, location = self._entrance.enter(written, "read")
        with pinned:
            staged = self._entrance.staging.at(location.reached)
            if staged is not None and (content := staged.content_after()) is not None:
                return OpenFile(location, written, -1, content)
            self._entrance.refuse_gone(location, written)
            return OpenFile(location, written, open_file(pinned, written))

    def list(self, written: str) -> tuple[Entry, ...]:
        """Return what a directory on the disk holds, by name; what is staged is not in it."""
        pinned, _ = self._entrance.enter(written, "list")
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
        pinned, location = self._entrance.enter(written, "list", follow_last=False)
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
        return self._entrance.gate.may_show(access_of("read", location))

    def shows(self, location: Location) -> bool:
        """Return whether the content of a place may be shown without asking."""
        return self._entrance.gate.may_show(access_of("read", location))

    def may_list(self, absolute: str) -> bool:
        """Return whether a directory's names may be shown without asking."""
        try:
            location = self.workspace.locate(absolute)
        except Failure:
            return False
        return self._entrance.gate.may_show(access_of("list", location))

    def enter(self, written: str, action: Action = "read") -> int:
        """Open a directory or a regular file, to be handed on as a descriptor; the caller closes it."""
        pinned, _ = self._entrance.enter(written, action)
        with pinned:
            if pinned.status is not None and stat.S_ISDIR(pinned.status.st_mode):
                return open_directory(pinned, written)
            return open_file(pinned, written)

    def exists(self, written: str) -> bool:
        """Return whether a path names something, once this call's staged changes are made; asks for listing."""
        pinned, location = self._entrance.enter(written, "list")
        pinned.close()
        return self._entrance.is_there(location)

    def is_gone(self, absolute: str) -> bool:
        """Whether this call has staged the removal of a path free of links."""
        return self._entrance.staging.is_gone(absolute)

    def create(self, written: str, content: bytes | Stored, form: Form | None = None) -> Location:
        """Stage a new file, and the directories above it that are missing; raise `exists`."""
        is_link = form is not None and form.link is not None
        makes_room = self._entrance.staging.frees_links and self.is_gone(self.place(written).reached)
        pinned, location = self._entrance.enter(written, "edit", follow_last=not is_link and not makes_room)
        with pinned:
            if self._entrance.is_there(location):
                if pinned.status is not None:
                    refuse_unreadable(pinned.status, written)
                raise Failure("exists", f"{written} already exists.", "Edit it, or write it whole.")
            size = content.size if isinstance(content, Stored) else len(content)
            if size > self.limits.edit_bytes:
                raise self._entrance.too_large(written, size, self.limits.edit_bytes)
            self._entrance.stage_parents(location, pinned)
        staged = Staged("create", location, form=form or Form())
        is_stored = isinstance(content, Stored)
        self._entrance.staging.add(staged.but(stored=content) if is_stored else staged.but(content=content))
        return location

    def modify(self, document: Document, content: bytes, form: Form | None = None) -> None:
        """Stage a file's new content, and its form where that changes too; raise `no_change` where all is the same."""
        shown = self.workspace.show(document.location.written)
        if content == document.content and (form is None or form.mode in (None, stat.S_IMODE(document.mode))):
            raise Failure("no_change", f"{shown}: the content would not change.")
        if len(content) > self.limits.edit_bytes:
            raise self._entrance.too_large(shown, len(content), self.limits.edit_bytes)
        self._entrance.gate.path(access_of("edit", document.location))
        before = None if document.is_staged else document
        self._entrance.staging.add(Staged("modify", document.location, content, before, form=form or Form()))

    def delete(self, written: str, *, recursive: bool = False) -> Location:
        """Stage the removal of a file, a link (never its target) or a directory; a full one only if `recursive`.

        Raise `denied` for what must stay: a root, the working directory and those above it, mount points.
        """
        from codetools.files.leaving import LeavingTree, leaving
        from codetools.files.vital import refuse_vital

        pinned, location = self._entrance.enter(written, "edit", follow_last=False)
        with pinned:
            if pinned.status is None or self._entrance.staging.is_gone(location.reached):
                raise Failure("not_found", f"{written}: no such file or directory.")
            if not stat.S_ISDIR(pinned.status.st_mode):
                staged = leaving("delete", pinned, location, written, self.limits)
                self._entrance.staging.add(self._entrance.staging.lightened(staged))
                return location
            refuse_vital(self.workspace, written, location.reached, "deleted")
            tree = LeavingTree(pinned, location, written, self._entrance.gate.path)
            if recursive:
                leave = tree.staged(self.limits, self._entrance.staging.lightened)
            else:
                tree.refuse_full(self.is_gone)
                leave = [leaving("delete", pinned, location, written, self.limits)]
        for staged in leave:
            if not self._entrance.staging.is_gone(staged.location.reached):
                self._entrance.staging.add(staged)
        return location

    def refuse_directory(self, written: str) -> None:
        """Raise `is_a_directory`, with a count of what it holds, where a path is a directory itself."""
        pinned, location = self._entrance.enter(written, "edit", follow_last=False)
        with pinned:
            if pinned.status is not None and stat.S_ISDIR(pinned.status.st_mode):
                from codetools.files.leaving import LeavingTree
                from codetools.files.vital import refuse_vital

                refuse_vital(self.workspace, written, location.reached, "deleted")
                raise LeavingTree(pinned, location, written, self._entrance.gate.path).full()

    def move(self, source: str, destination: str, *, overwrite: bool = False) -> tuple[Location, Location]:
        """Stage a file, link or directory under another name; return both. Raise `exists` where that is taken."""
        from codetools.files.moving import stage_move

        return stage_move(self, self._entrance, source, destination, overwrite=overwrite)

    def mkdir(self, written: str, form: Form | None = None) -> Location:
        """Stage a directory, and those above it that are missing; raise `exists`. Without a form the umask rules."""
        pinned, location = self._entrance.enter(written.rstrip("/") or "/", "edit")
        with pinned:
            if self._entrance.is_there(location):
                raise Failure("exists", f"{written} already exists.")
            self._entrance.stage_parents(location, pinned)
        self._entrance.staging.add(Staged("mkdir", location, form=form or Form()))
        return location

    def is_directory(self, written: str) -> bool:
        """Whether a path is a directory on the disk or leads to one; asks for listing."""
        pinned, location = self._entrance.enter(written, "list")
        with pinned:
            if pinned.status is None or self._entrance.staging.is_gone(location.reached):
                return False
            return stat.S_ISDIR(pinned.status.st_mode)


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
