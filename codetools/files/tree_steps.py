"""Steps of whole directories: one rename each, so that a tree is there whole or not at all."""

import os
import stat
from collections.abc import Callable

from codetools.core.errors import Failure
from codetools.core.outcome import Notice
from codetools.files import branch
from codetools.files.branch import Branch
from codetools.files.staging import Staged
from codetools.files.step import New, Step, rename_new, status_of
from codetools.system.bounded import LISTING


class MakeTree(New):
    """A new directory with all that the call puts into it, laid under a temporary name."""

    def __init__(self, tree: Branch, shown: str) -> None:
        super().__init__(tree.staged, shown)
        self._tree = tree

    def lay(self) -> None:
        """Make the whole tree durable beside its place."""
        if len(self.place.missing) > 1:
            self.pin_again()
        try:
            lost = branch.lay(self._tree, self.place.parent, self.temporary)
        except PermissionError as error:
            message = f"{self.shown}: nothing can be made in its directory: {error.strerror}."
            raise Failure("io", message, "Nothing was changed.") from None
        if lost:
            self.notices.append(Notice("metadata", f"{self.shown}: could not keep {_some(lost)}"))

    def revert(self) -> None:
        """Remove what was made, unless another program has put something into it."""
        if self._place is not None:
            branch.remove(self._tree, self.place.parent, self.place.name if self.is_made else self.temporary)


class DeleteTree(Step):
    """A directory that goes with all that it holds; it waits under a temporary name until all else is done."""

    def __init__(self, tree: Branch, shown: str) -> None:
        super().__init__(tree.staged, shown)
        self._tree = tree

    def lock_keys(self) -> list[int]:
        """Return the locks of the directory and of every name in it."""
        try:
            return branch.lock_keys(self._tree, self.place.parent, self.place.name)
        except OSError:
            raise self.stale("it is gone, or no directory any more") from None

    def check(self) -> None:
        """Raise `stale` where the path is no directory any more."""
        status = status_of(self.place)
        if status is None or not stat.S_ISDIR(status.st_mode):
            raise self.stale("it is no directory any more")
        linked = [one for one in self._tree.every() if one.staged.before is not None and one.staged.before.links > 1]
        if linked:
            files = "1 file in it has" if len(linked) == 1 else f"{len(linked):,} files in it have"
            message = f"{self.shown}: {files} other names (hard links) outside or inside it; undo makes separate files"
            self.notices.append(Notice("hard_link", message))

    def keep(self, save: Callable[[bytes], str]) -> None:
        """Give the journal the files that were too much to hold, one after the other."""
        top = os.path.dirname(self._tree.staged.location.reached)
        for path, one in self._tree.named(self.place.name):
            if one.staged.before is not None and not one.staged.before.is_held:
                descriptor = _open_below(self.place.parent, os.path.dirname(path))
                try:
                    save(branch.content_of(one.staged, descriptor, os.path.basename(path)))
                except OSError as error:
                    raise self.stale(f"{top}/{path}: {error.strerror}") from None
                finally:
                    os.close(descriptor)

    def make(self) -> None:
        """Take the name away and look at all that went with it."""
        parent = self.place.parent
        os.rename(self.place.name, self.temporary, src_dir_fd=parent, dst_dir_fd=parent)
        self.is_made = True
        if found := branch.difference(self._tree, parent, self.temporary):
            rest = found.partition("/")[2]
            raise self.stale(f"{rest} is not what it was" if rest else "what it holds changed")

    def finish(self) -> None:
        """Remove the directory for good."""
        if not branch.remove(self._tree, self.place.parent, self.temporary):
            message = f"{self.shown}: not all of the old content could be removed; it stays as {self.temporary_path()}"
            self.notices.append(Notice("left_over", message))

    def revert(self) -> None:
        """Give the name back."""
        if self.is_made:
            rename_new(self, self.place, self.temporary, self.place)


def _open_below(parent: int, path: str) -> int:
    """Open a directory some levels down, through no link."""
    descriptor = os.open(".", LISTING, dir_fd=parent)
    for name in filter(None, path.split("/")):
        below = os.open(name, LISTING, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = below
    return descriptor


def _some(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def split_trees(staged: tuple[Staged, ...], kinds: tuple[str, ...]) -> dict[str, list[Staged]]:
    """Return, by the path of each topmost staged directory, itself and what is staged below it without a gap.

    `kinds` are a directory's own kind and that of its files: `("mkdir", "create")` or `("delete", "delete")`.
    """
    own, files = kinds
    chosen = [one for one in staged if one.kind in (own, files)]
    directories = {
        str(one.location.reached)
        for one in chosen
        if one.kind == "mkdir" or (own == "delete" and one.was == "directory")
    }
    found: dict[str, list[Staged]] = {}
    for one in chosen:
        path = str(one.location.reached)
        top = path if path in directories else None
        while os.path.dirname(path) in directories:
            top = path = os.path.dirname(path)
        if top is not None:
            found.setdefault(top, []).append(one)
    return found
