"""What many changes come to: the first state of every path and the last, named by where they are now."""

import stat
from collections.abc import Sequence

from codetools.core.path import Path
from codetools.core.record import Record
from codetools.state.changes import PreImage, rebased


class After(Record):
    """What stood at a path after a change. `mode` is None where it was not recorded."""

    kind: str  # file, link or directory
    sha256: str = ""
    link: str | None = None
    mode: int | None = None


class Spot(Record):
    """One path over all changes: `first` is what stood there before them, `last` after them; None is nothing.

    `path` follows the directories that were moved: what was below one is named by where that is now. `is_disturbed` is
    whether somebody else changed it between two changes.
    """

    path: Path
    first: PreImage | None
    last: After | None
    is_disturbed: bool = False


class Moved(Record):
    """A directory that was there before the changes and has another name after them; `before` is its mode."""

    first: Path
    now: Path
    before: PreImage


class Net(Record):
    """All that some changes come to. `covered` is what stood where a moved directory stands now."""

    spots: tuple[Spot, ...]
    moved: tuple[Moved, ...]  # the last one moved is the last
    covered: tuple[Spot, ...] = ()


def after_of(image: PreImage | None) -> After | None:
    """Return a pre-image as a state that a path can come to."""
    if image is None:
        return None
    if image.link is not None:
        return After("link", link=image.link)
    if stat.S_ISDIR(image.mode):
        return After("directory", mode=image.mode)
    return After("file", image.sha256, mode=image.mode)


def is_same(one: After | None, other: After | None, *, with_mode: bool = True) -> bool:
    """Whether two states are one; a mode that was not recorded is any."""
    if one is None or other is None:
        return one is other
    modes_differ = one.mode is not None and other.mode is not None and one.mode != other.mode
    return (one.kind, one.sha256, one.link) == (other.kind, other.sha256, other.link) and not (
        with_mode and modes_differ
    )


def present_name(moved: Sequence[Moved], first: Path, besides: Moved | None = None) -> Path:
    """Return where a first name is to be looked for while some directories are moved."""
    above = [one for one in moved if one is not besides and rebased(first, one.first, one.first)]
    deepest = max(above, key=lambda one: len(one.first), default=None)
    return first if deepest is None else rebased(first, deepest.first, deepest.now) or first


def first_name(moved: Sequence[Moved], now: Path) -> Path:
    """Return what a path of now was called at the beginning."""
    above = [one for one in moved if rebased(now, one.now, one.now)]
    deepest = max(above, key=lambda one: len(one.now), default=None)
    return now if deepest is None else rebased(now, deepest.now, deepest.first) or now
