"""The one way to a path: it is found, asked about, and only then opened; what the call has staged counts."""

import os
import stat
from typing import TYPE_CHECKING, Literal

from codetools.core.access import PathAccess
from codetools.core.errors import Failure, from_os_error
from codetools.core.limits import Limits
from codetools.core.path import Path
from codetools.files.document import Document, document_of, hash_of
from codetools.files.staging import Form, Staged, Staging
from codetools.files.workspace import Location, Workspace
from codetools.system.bounded import open_file, read_all
from codetools.system.confined import Pinned
from codetools.system.xattrs import attributes

if TYPE_CHECKING:
    from codetools.core.access import Gate

Action = Literal["list", "read", "edit"]


class Entrance:
    """The paths of one workspace for one call, and what the call has staged for them."""

    def __init__(self, workspace: Workspace, gate: "Gate", limits: Limits) -> None:
        self.workspace = workspace
        self.gate = gate
        self.limits = limits
        self.staging = Staging()

    def enter(self, written: str, action: Action, *, follow_last: bool = True) -> tuple[Pinned, Location]:
        """Find where a path leads and ask about it; nothing is said of a place outside before that."""
        try:
            pinned, location = self.workspace.pin(written, follow_last=follow_last)
        except Failure:
            named = self.workspace.absolute(written)
            if not self.workspace.holds(named):
                self._ask(PathAccess(action, named, named, False, Path("/")))
            raise
        try:
            self._ask(access_of(action, location))
        except BaseException:
            pinned.close()
            raise
        return pinned, location

    def document(self, pinned: Pinned, location: Location, shown: str, most: int) -> Document:
        """Return a file's whole content, as it is or as this call will make it; `io` where it is longer than `most`."""
        staged = self.staging.at(location.reached)
        if staged is not None and (content := staged.content_after()) is not None:
            return Document(location, content, hash_of(content), len(content), 0, is_staged=True)
        self.refuse_gone(location, shown)
        descriptor = open_file(pinned, shown)
        try:
            status = os.fstat(descriptor)
            found = read_all(descriptor, most, shown)
        finally:
            os.close(descriptor)
        if found is None:
            raise self.too_large(shown, status.st_size, most)
        return document_of(location, found, status)

    def form(self, pinned: Pinned, shown: str) -> Form:
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

    def stage_parents(self, location: Location, pinned: Pinned) -> None:
        """Stage the directories between the one that exists and the new name."""
        missing: list[str] = []
        path = str(location.reached)
        for _ in pinned.missing[1:]:
            path = os.path.dirname(path)
            missing.append(path)
        for path in reversed(missing):
            if self.staging.at(path) is None:
                self.staging.add(Staged("mkdir", location.but(written=Path(path), reached=Path(path))))

    def is_there(self, location: Location) -> bool:
        """Whether a path names something, once the staged changes are made."""
        if self.staging.is_gone(location.reached):
            return False
        return location.exists or self.staging.at(location.reached) is not None

    def refuse_gone(self, location: Location, shown: str) -> None:
        """Raise `not_found` for what this call removes."""
        if self.staging.is_gone(location.reached):
            raise Failure("not_found", f"{shown}: no such file or directory.")

    def too_large(self, shown: str, size: int, most: int) -> Failure:
        """Return the failure of a content larger than one call takes."""
        return Failure("io", f"{shown}: {size} bytes are more than the {most} that one call takes.")

    def _ask(self, access: PathAccess) -> None:
        """Ask the gate. An edit outside is asked about only once it may be known whether there is anything at all."""
        if access.action == "edit" and not access.inside and not self.gate.may_show(access):
            self.gate.path(access.but(action="list"))
        self.gate.path(access)


def access_of(action: Action, location: Location) -> PathAccess:
    """Return what the gate is asked about a place."""
    return PathAccess(action, location.written, location.reached, location.inside, location.root, location.writable)
