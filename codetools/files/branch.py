"""Staged paths as the tree they are: laid whole below one directory, compared with one, removed from one."""

import os
import stat
from collections.abc import Iterable, Iterator

from codetools.core.errors import Failure
from codetools.files.document import hash_file
from codetools.files.staging import Form, Staged
from codetools.system import replace
from codetools.system.bounded import LISTING, READING, holds, read_all
from codetools.system.locks import key_of
from codetools.system.xattrs import attributes

NEW_DIRECTORY_MODE = 0o777  # less the umask, which the kernel takes off
OPEN_DIRECTORY_MODE = 0o700  # of one that is being filled


class Branch:
    """One staged path, and those staged below it by name."""

    def __init__(self, staged: Staged) -> None:
        self.staged = staged
        self.children: dict[str, Branch] = {}

    def every(self) -> Iterator["Branch"]:
        """Yield this branch and all below it, a directory before what it holds."""
        yield self
        for child in self.children.values():
            yield from child.every()

    def named(self, name: str) -> Iterator[tuple[str, "Branch"]]:
        """Yield this branch and all below it with their paths, `name` standing for this one."""
        yield name, self
        for below, child in self.children.items():
            yield from child.named(f"{name}/{below}")


def grow(top: Staged, members: Iterable[Staged]) -> Branch:
    """Return the tree of a directory and what is staged below it; every parent is among the members."""
    found = {str(top.location.reached): Branch(top)}
    for staged in sorted(members, key=lambda one: one.location.reached.count("/")):
        path = str(staged.location.reached)
        found[path] = found[os.path.dirname(path)].children.setdefault(os.path.basename(path), Branch(staged))
    return found[str(top.location.reached)]


def lay(branch: Branch, parent: int, name: str) -> list[str]:
    """Make a directory and all below it durable under `name`; return what could not be kept."""
    form = branch.staged.form
    os.mkdir(name, NEW_DIRECTORY_MODE if form.mode is None else OPEN_DIRECTORY_MODE, dir_fd=parent)
    descriptor = os.open(name, LISTING, dir_fd=parent)
    try:
        lost = []
        for below, child in branch.children.items():
            if child.staged.kind == "mkdir":
                lost += lay(child, descriptor, below)
            else:
                lost += lay_file(child.staged, descriptor, below)
        lost += shape(descriptor, form, branch.staged)
        os.fsync(descriptor)
        return lost
    finally:
        os.close(descriptor)


def lay_file(staged: Staged, parent: int, name: str) -> list[str]:
    """Make a new file or link durable under `name`; return what could not be kept."""
    form = staged.form
    if form.link is not None:
        os.symlink(form.link, name, dir_fd=parent)
        return []
    mode = replace.NEW_FILE_MODE if form.mode is None else replace.PRIVATE_MODE
    descriptor = replace.make_temporary(parent, name, staged.content_after() or b"", mode)
    try:
        lost = shape(descriptor, form, staged)
        os.fsync(descriptor)
        return lost
    finally:
        os.close(descriptor)


def shape(descriptor: int, form: Form, staged: Staged) -> list[str]:
    """Give a new file or directory its extended attributes and mode; return those that the system refused."""
    lost = []
    for name, value in form.xattrs:
        try:
            os.setxattr(descriptor, name, value)
        except OSError as error:
            if error.errno not in replace.MAY_NOT:
                raise
            lost.append(f"{name} of {os.path.basename(staged.location.reached)}")
    if form.mode is not None:
        os.fchmod(descriptor, form.mode)
    return lost


def difference(branch: Branch, parent: int, name: str) -> str | None:
    """Return the first path that is not exactly as it was staged to go, or None."""
    staged = branch.staged
    try:
        if staged.was == "link":
            return None if os.readlink(name, dir_fd=parent) == staged.was_link else name
        descriptor = os.open(name, LISTING if staged.was == "directory" else READING, dir_fd=parent)
    except OSError:
        return name
    try:
        mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
        if mode != staged.form.mode or tuple(attributes(descriptor)) != staged.form.xattrs:
            return name
        if staged.was == "file":
            return None if holds_old(staged, descriptor) else name
        if set(os.listdir(descriptor)) != branch.children.keys():
            return name
        for below, child in branch.children.items():
            if (found := difference(child, descriptor, below)) is not None:
                return f"{name}/{found}"
        return None
    finally:
        os.close(descriptor)


def holds_old(staged: Staged, descriptor: int) -> bool:
    """Whether an open regular file holds what it held when its change was staged."""
    before = staged.before
    assert before is not None
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or status.st_size != before.size:
        return False
    if not before.is_held:
        return hash_file(descriptor) == before.sha256
    return holds(descriptor, before.content)


def remove(branch: Branch, parent: int, name: str) -> bool:
    """Remove a tree, only what is staged in it; return whether nothing of it is left."""
    if branch.staged.was != "directory" and branch.staged.kind != "mkdir":
        return replace.remove(parent, name)
    try:
        descriptor = os.open(name, LISTING, dir_fd=parent)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    try:
        for below, child in branch.children.items():
            remove(child, descriptor, below)
    finally:
        os.close(descriptor)
    try:
        os.rmdir(name, dir_fd=parent)
    except OSError:
        return False
    return True


def lock_keys(branch: Branch, parent: int, name: str) -> list[int]:
    """Return the locks of every name of a tree that is on the disk."""
    keys = [key_of(os.fstat(parent), name)]
    if branch.children:
        descriptor = os.open(name, LISTING, dir_fd=parent)
        try:
            for below, child in branch.children.items():
                keys += lock_keys(child, descriptor, below)
        finally:
            os.close(descriptor)
    return keys


def content_of(staged: Staged, parent: int, name: str) -> bytes:
    """Return the content of one file of a tree, read again; raise `stale` where it is another by now."""
    from codetools.files.document import hash_of

    assert staged.before is not None
    descriptor = os.open(name, READING, dir_fd=parent)
    try:
        content = read_all(descriptor, staged.before.size, name)
    finally:
        os.close(descriptor)
    if content is None or hash_of(content) != staged.before.sha256:
        raise Failure("stale", f"{name} was written to meanwhile.", details={"changed_meanwhile": True})
    return content
