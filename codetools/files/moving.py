"""Something under another name: renamed in one step where that can be, else made anew and removed."""

import os
import stat
from typing import TYPE_CHECKING

from codetools.core.errors import Failure
from codetools.files.entrance import Entrance
from codetools.files.leaving import LeavingTree, leaving
from codetools.files.staging import Form, Staged
from codetools.files.vital import refuse_vital
from codetools.files.workspace import Location
from codetools.system.confined import Pinned, below

if TYPE_CHECKING:
    from codetools.files.files import Files


def stage_move(
    files: "Files", entrance: Entrance, source: str, destination: str, *, overwrite: bool
) -> tuple[Location, Location]:
    """Stage a file, link or directory under another name; return both. Raise `exists` where that is taken.

    A file that this call changes as well, or that goes to another file system, is made anew under the other name
    and removed under the old one. So is one that is to `overwrite` another file.
    """
    pinned, old = entrance.enter(source, "edit", follow_last=False)
    with pinned:
        is_directory = pinned.status is not None and stat.S_ISDIR(pinned.status.st_mode)
        if is_directory:
            refuse_vital(entrance.workspace, source, old.reached, "moved")
        if (staged := entrance.staging.at(old.reached)) and (content := staged.content_after()) is not None:
            form = entrance.form(pinned, source)
            entrance.staging.add(Staged("delete", old, before=staged.before, was="file", form=form))
            return old, files.create(destination, content, form)
        if pinned.status is None or entrance.staging.is_gone(old.reached):
            raise Failure("not_found", f"{source}: no such file or directory.")
        moved = leaving("move", pinned, old, source, entrance.limits)
        device = os.fstat(pinned.parent).st_dev
        place, new = entrance.enter(destination, "edit", follow_last=False)
        with place:
            if is_directory:
                if below(new.reached, old.reached):
                    raise Failure("usage", f"{source} cannot be moved to {destination}, into itself.")
                LeavingTree(pinned, old, source, entrance.gate.path).ask_all(new)
            if entrance.is_there(new):
                _replace(files, entrance, moved, old, new, place, destination, overwrite)
                return old, new
            entrance.stage_parents(new, place)
            is_far = os.fstat(place.parent).st_dev != device
    if is_far:
        if moved.before is None and moved.was != "link":
            message = f"{source} and {destination} lie on different file systems, and {source} is a directory."
            raise Failure("io", message, "Nothing was changed; move its files one by one.")
        form = moved.form if moved.was == "file" else Form(link=moved.was_link)
        entrance.staging.add(Staged("create", new, moved.before.content if moved.before else b"", form=form))
        entrance.staging.add(moved.but(kind="delete"))
    else:
        entrance.staging.add(moved.but(location=new, source=old))
    return old, new


def _replace(
    files: "Files",
    entrance: Entrance,
    moved: Staged,
    old: Location,
    new: Location,
    place: Pinned,
    destination: str,
    overwrite: bool,
) -> None:
    """Stage a file's content and form in the place of another file's, and the removal of the first."""
    if old.reached == new.reached:
        raise Failure("no_change", f"{destination} is where it is already; nothing would change.")
    if not overwrite or moved.before is None:
        hint = "Choose another name, or pass overwrite." if moved.before is not None else "Choose another name."
        raise Failure("exists", f"{destination} already exists.", hint)
    if place.status is None or not stat.S_ISREG(place.status.st_mode):
        raise Failure("exists", f"{destination} exists and is no file; only files are overwritten.")
    replaced = entrance.document(place, new, destination, entrance.limits.edit_bytes)
    try:
        files.modify(replaced, moved.before.content, moved.form)
    except Failure as failure:
        if failure.kind != "no_change":
            raise
    entrance.staging.add(moved.but(kind="delete"))
