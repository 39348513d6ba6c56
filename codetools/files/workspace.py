"""The tree that the tools may touch, and how its paths are named."""

import os
from collections.abc import Sequence

from codetools.core.errors import Failure, from_os_error
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.system.confined import Pinned, below, pin

MARKERS = (".codetools", ".git")
READ_ONLY_SUFFIX = ":ro"


class Root(Record):
    """One tree of the workspace: an absolute path free of links."""

    path: Path
    writable: bool = True


class Location(Record):
    """Where a path leads: `written` is absolute as named, `reached` the object itself; `root` is `/` outside."""

    written: Path
    reached: Path
    root: Path
    inside: bool
    writable: bool
    exists: bool


class Workspace(Record):
    """The roots, and the working directory that relative paths are read from and printed from.

    Where `is_bounded` is False the working directory is no place to allow anything by default (`/`, the home directory,
    another user's), so `root` is only where relative paths start, and nothing but `roots` is inside.
    """

    root: Path
    cwd: Path
    roots: tuple[Root, ...]
    is_bounded: bool = True

    def absolute(self, written: str) -> Path:
        """Return a path as named: absolute, without `.` and `..`, its links unresolved."""
        return Path("/" + os.path.normpath(self._join(written)).lstrip("/"))

    def locate(self, written: str) -> Location:
        """Return where a path leads; raise `outside_workspace` where a link on a path inside leads out."""
        pinned, location = self.pin(written)
        pinned.close()
        return location

    def pin(self, written: str, *, follow_last: bool = True) -> tuple[Pinned, Location]:
        """Return where a path leads together with its directory, held open; the caller closes it."""
        roots = [root.path for root in self.roots]
        pinned = pin(self._join(written), roots, follow_last=follow_last, shown=written)
        home = next((root for root in self._deepest_first() if below(pinned.reached, root.path)), None)
        location = Location(
            written=Path(pinned.named),
            reached=Path(pinned.reached),
            root=home.path if home else Path("/"),
            inside=home is not None,
            writable=home is None or home.writable,
            exists=pinned.status is not None,
        )
        return pinned, location

    def holds(self, absolute: str) -> bool:
        """Whether a path names a place in the workspace, wherever its links may lead."""
        return any(below(absolute, root.path) for root in self.roots)

    def show(self, absolute: str) -> Path:
        """Return a path as printed: relative inside the workspace, else absolute; it can be passed back as it is."""
        if below(absolute, self.cwd):
            name = absolute[len(self.cwd) :].lstrip("/") or "."
            return Path(f"./{name}" if name.startswith("-") else name)
        if below(absolute, self.root) and below(self.cwd, self.root):
            return Path(os.path.relpath(absolute, self.cwd))
        return Path(absolute)

    def narrowed(self, trees: Sequence[str]) -> "Workspace":
        """Return what of the workspace lies in these trees, absolute and free of links; nothing is ever added."""
        kept: list[Root] = []
        for tree in trees:
            holder = next((root for root in self._deepest_first() if below(tree, root.path)), None)
            kept += [holder.but(path=Path(tree))] if holder else [r for r in self.roots if below(r.path, tree)]
        if not kept:
            return self.but(roots=(), is_bounded=False)
        root = self.root if any(below(self.root, each.path) for each in kept) else kept[0].path
        cwd = self.cwd if any(below(self.cwd, each.path) for each in kept) else root
        return Workspace(root, cwd, tuple(dict.fromkeys(kept)), is_bounded=self.is_bounded)

    def _join(self, written: str) -> str:
        return written if written.startswith("/") else f"{self.cwd}/{written}"

    def _deepest_first(self) -> list[Root]:
        return sorted(self.roots, key=lambda root: -len(root.path))


def find_workspace(directory: str | None = None, root: str | None = None, extra: Sequence[Root] = ()) -> Workspace:
    """Return the workspace of a working directory.

    `directory` is the working directory instead of the current one, `root` the tree instead of the nearest ancestor
    that holds a marker. Raise `not_found` where one of them is missing, or the current directory was deleted.
    """
    if root is not None:
        top = real_directory(root)
        cwd = _working_directory(directory, fallback=top)
        if directory is None and not any(below(cwd, place) for place in (top, *(other.path for other in extra))):
            cwd = top
        return Workspace(top, cwd, (Root(top), *extra))
    cwd = _working_directory(directory)
    if _is_too_wide(cwd):
        return Workspace(cwd, cwd, tuple(extra), is_bounded=False)
    top = _nearest_marked(cwd)
    return Workspace(top, cwd, (Root(top), *extra))


def parse_root(text: str) -> Root:
    """Read `DIR` or `DIR:ro`, relative to the current directory; `~/` is the home directory."""
    writable = not text.endswith(READ_ONLY_SUFFIX)
    path = text if writable else text.removesuffix(READ_ONLY_SUFFIX)
    return Root(real_directory(os.path.expanduser(path)), writable)


def real_directory(written: str) -> Path:
    """Return a directory's absolute path, free of links; raise `not_found` or `usage` where it is none."""
    try:
        found = os.path.realpath(written, strict=True)
        is_directory = os.path.isdir(found)
    except OSError as error:
        raise from_os_error(error, written) from None
    except ValueError:
        raise Failure("usage", f"{written!r} holds a NUL character, which no file name can.") from None
    if not is_directory:
        raise Failure("usage", f"{written} is not a directory.")
    return Path(found)


def _working_directory(directory: str | None, fallback: Path | None = None) -> Path:
    if directory is not None:
        return real_directory(directory)
    try:
        found = os.getcwd()
    except OSError:
        found = ""
    if found.startswith("/"):
        return Path(found)
    if fallback is not None:
        return fallback
    hint = "Change to another, or name one with --directory DIR."
    raise Failure("not_found", "The working directory no longer exists.", hint)


def _nearest_marked(cwd: Path) -> Path:
    here = str(cwd)
    while not _is_too_wide(here):
        if any(os.path.lexists(f"{here}/{marker}") for marker in MARKERS):
            return Path(here)
        here = os.path.dirname(here)
    return cwd


def _is_too_wide(directory: str) -> bool:
    """Whether a directory is `/`, the home directory or another user's."""
    if directory == "/" or directory == os.path.realpath(os.path.expanduser("~")):
        return True
    try:
        return os.stat(directory).st_uid != os.geteuid()
    except OSError:
        return True
