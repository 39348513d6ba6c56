"""The one resolver: names are walked below a directory held open, so the object that was checked is the object used."""

import errno
import os
import stat
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from codetools.core.errors import Failure, from_os_error

MAX_LINK_HOPS = 40
DIRECTORY = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
PROCFS = "/proc"


class Pinned:
    """A name in a directory that is held open as `parent`; close it, or use it in a `with`.

    `named` is the absolute path as written, without `.` and `..`; `reached` is the object's own, free of links.
    `status` is the object's own, or None where it does not exist: then `missing` holds the names that do not, and
    `name` is the first of them.
    """

    def __init__(
        self,
        parent: int,
        name: str,
        named: str,
        reached: str,
        status: os.stat_result | None,
        missing: tuple[str, ...] = (),
    ) -> None:
        self.parent = parent
        self.name = name
        self.named = named
        self.reached = reached
        self.status = status
        self.missing = missing

    def close(self) -> None:
        """Let go of the directory."""
        if self.parent >= 0:
            os.close(self.parent)
            self.parent = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def pin(path: str, roots: Sequence[str], *, follow_last: bool = True, follow: bool = True, shown: str = "") -> Pinned:
    """Walk an absolute path, component by component, never through a link that the kernel would follow for us.

    `roots` are absolute, link-free directories. A path that begins with one stays below them: a link on it that leads
    elsewhere is `outside_workspace`, said the same whether its target exists or not. Any other path is walked from
    `/`. Links of procfs lead nowhere. `follow_last=False` stops at a link in the last place; `follow=False` takes a
    path that was reached before, and finds it `stale` where a directory on it is now a link. Errors say `shown`.
    """
    walk = _Walk(path, roots, follow_last and follow, follow, shown or path)
    try:
        return walk.run()
    except OSError as error:
        raise from_os_error(error, shown or path) from None
    except ValueError:
        raise Failure("usage", f"{path!r} holds a NUL character, which no file name can.") from None
    finally:
        walk.close()


def below(path: str, root: str) -> bool:
    """Whether an absolute path without `.` and `..` is `root` or lies in it."""
    return path == root or path.startswith(root if root.endswith("/") else root + "/")


def is_procfs(status: os.stat_result, descriptor: int | None = None) -> bool:
    """Whether an object, quicker where it is open, lies on a procfs, wherever that is mounted."""
    try:
        if status.st_dev == os.stat(PROCFS).st_dev:
            return True
    except OSError:
        return False
    if os.major(status.st_dev) != 0:
        return False
    if descriptor is not None and os.fstatvfs(descriptor).f_blocks:
        return False  # a procfs has no room: the list of mounts need not be read for every file of a container
    return f"{os.major(status.st_dev)}:{os.minor(status.st_dev)}" in _procfs_devices()


class _Walk:
    """The state of one walk: the open directories from the base down, and the names still to go."""

    def __init__(self, path: str, roots: Sequence[str], follow_last: bool, follow: bool, shown: str) -> None:
        self.path = path
        self.shown = shown
        self.roots = sorted(roots, key=len, reverse=True)
        self.follow_last = follow_last
        self.follow = follow
        self.hops = 0
        self.is_confined = False
        self.base: list[str] = []
        self.names: list[str] = []
        self.named: list[str] = []
        self.descriptors: list[int] = []
        self.pending: list[tuple[str, bool]] = []  # the next one last; whether it was written, not read from a link

    def run(self) -> Pinned:
        written = [(name, True) for name in _split(self.path)]
        if not self._start_below_root(written, renames=True):
            self._start("/", written, renames=True)
        while self.pending:
            name, is_own = self.pending.pop()
            if name == "..":
                self._climb(is_own)
                continue
            if is_own and name != ".":
                self.named.append(name)
            found = self._step(name)
            if found is not None:
                return found
        return self._finish(".", os.stat(self.descriptors[-1]))

    def close(self) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors = []

    def _start_below_root(self, pending: list[tuple[str, bool]], *, renames: bool) -> bool:
        names = [name for name, _ in pending]
        for root in self.roots:
            parts = _split(root)
            if names[: len(parts)] == parts:
                self._start(root, pending[len(parts) :], renames=renames)
                return True
        return False

    def _start(self, base: str, pending: list[tuple[str, bool]], *, renames: bool) -> None:
        self.close()
        self.base = _split(base)
        self.names = []
        self.is_confined = base in self.roots
        if renames:
            self.named = list(self.base)
        self.pending = pending[::-1]
        self.descriptors = [os.open(base, DIRECTORY)]

    def _step(self, name: str) -> Pinned | None:
        """Enter a directory, take up a link, or return what the last name stands for."""
        top, is_last = self.descriptors[-1], not self.pending
        if not is_last or name == ".":
            try:
                self.descriptors.append(os.open(name, DIRECTORY, dir_fd=top))
            except FileNotFoundError:
                return self._finish(name, None)
            except OSError as error:
                if error.errno not in (errno.ENOTDIR, errno.ELOOP):
                    raise
            else:
                if name == ".":
                    os.close(self.descriptors.pop())
                else:
                    self.names.append(name)
                return None
        try:
            status = os.stat(name, dir_fd=top, follow_symlinks=False)
        except FileNotFoundError:
            return self._finish(name, None)
        if not stat.S_ISLNK(status.st_mode):
            if is_last:
                return self._finish(name, status)
            raise Failure("not_found", f"{self.shown}: {name} is not a directory.")
        if is_last and not self.follow_last:
            return self._finish(name, status)
        self._take_link(name)
        return None

    def _take_link(self, name: str) -> None:
        if not self.follow:
            raise Failure("stale", f"{self.shown}: a link has taken the place of {name}.", "Run the call again.")
        top = self.descriptors[-1]
        if is_procfs(os.fstat(top)):
            message = f"{self.shown}: {name} is a link that the kernel makes up; it is never followed."
            raise Failure("outside_workspace", message)
        self.hops += 1
        if self.hops > MAX_LINK_HOPS:
            raise Failure("io", f"{self.shown}: more than {MAX_LINK_HOPS} links on the way.")
        target = os.readlink(name, dir_fd=top)
        names = [(part, False) for part in _split(target)]
        if target.startswith("/"):
            self._jump(names + self.pending[::-1])
        else:
            self.pending.extend(reversed(names))

    def _climb(self, is_own: bool) -> None:
        if is_own:
            here = self.base + self.names
            self.named = self.named[:-1] if self.named == here else here[:-1]
        if self.names:
            self.names.pop()
            os.close(self.descriptors.pop())
        elif self.is_confined:
            above = [(name, is_own) for name in self.base[:-1]]
            self._jump(above + self.pending[::-1], is_own=is_own)

    def _jump(self, pending: list[tuple[str, bool]], *, is_own: bool = False) -> None:
        """Go on from `/` with `pending`, below a root where it begins with one; a link may not leave the roots."""
        if not self.is_confined:
            self._start("/", pending, renames=False)
        elif not self._start_below_root(pending, renames=is_own):
            if not is_own:
                raise self._leads_out()
            self._start("/", pending, renames=True)

    def _finish(self, name: str, status: os.stat_result | None) -> Pinned:
        rest = [part for part, _ in reversed(self.pending)]
        if status is None and (name == "." or "." in rest or ".." in rest):
            raise Failure("not_found", f"{self.shown}: no such directory.")
        here = self.base + self.names
        tail = [] if name == "." else [name, *rest]
        named = self.named + [part for part, is_own in reversed(self.pending) if is_own]
        parent = self.descriptors.pop()
        missing = tuple(tail) if status is None else ()
        return Pinned(parent, name, _join(named), _join(here + tail), status, missing)

    def _leads_out(self) -> Failure:
        return Failure("outside_workspace", f"{self.shown}: a link on this path leads out of the workspace.")


def _split(path: str) -> list[str]:
    """Return the names of a path; one that ends in `/` ends in the name `.`, for it must be a directory."""
    names = [name for name in path.split("/") if name not in ("", ".")]
    if names and path.endswith(("/", "/.")):
        names.append(".")
    return names


def _join(names: list[str]) -> str:
    return "/" + "/".join(names)


def _procfs_devices() -> set[str]:
    devices = set()
    with open(f"{PROCFS}/self/mountinfo", encoding="utf-8", errors="surrogateescape") as mounts:
        for line in mounts:
            fields = line.split(" ")
            if fields[fields.index("-") + 1] == "proc":
                devices.add(fields[2])
    return devices
