"""Many changes folded into one, in the order in which they were made, through every directory that was moved."""

import stat
from collections.abc import Iterable, Iterator

from codetools.core.path import Path
from codetools.files.net import After, Moved, Net, Spot, after_of, first_name, is_same, present_name
from codetools.state.changes import Entry, Group, PreImage, rebased


def net_of(groups: tuple[Group, ...]) -> Net:
    """Fold groups, oldest first, into their net effect. Only those that were made count."""
    fold = _Fold()
    for group in groups:
        if group.status in ("committed", "undone"):
            for entry in group.entries:
                fold.add(entry)
    moved = tuple(one for one in fold.moved if present_name(fold.moved, one.first, besides=one) != one.now)
    covered = tuple(spot for spots in fold.covered.values() for spot in spots)
    return Net(tuple(fold.spots.values()), moved, covered)


class _Fold:
    """The net effect of the changes so far.

    A moved directory takes along the spots below it, those of what was deleted there too: they are named by where they
    would be now. `covered` holds, by the name of each directory that was moved to where something had been deleted,
    the spots of that.
    """

    def __init__(self) -> None:
        self.spots: dict[Path, Spot] = {}
        self.covered: dict[Path, list[Spot]] = {}
        self.moved: list[Moved] = []

    def add(self, entry: Entry) -> None:
        if entry.kind == "move" and entry.source is not None and _is_directory(entry.before):
            assert entry.before is not None
            self._move(entry.source, entry.path, entry.before)
            return
        for path, before, after in _events(entry):
            self._change(path, before, after)
        if entry.kind == "delete" and _is_directory(entry.before):
            self._forget_moved(entry.path)

    def _change(self, path: Path, before: PreImage | None, after: After | None) -> None:
        spot = self.spots.get(path)
        if spot is None:
            self.spots[path] = Spot(path, before, after)
            return
        is_disturbed = spot.is_disturbed or not is_same(spot.last, after_of(before), with_mode=False)
        if after is not None and after.mode is None and spot.last is not None and before is not None:
            after = after.but(mode=before.mode)
        self.spots[path] = spot.but(last=after, is_disturbed=is_disturbed)

    def _move(self, old: Path, new: Path, before: PreImage) -> None:
        own = self.spots.get(old)
        below = [spot for spot in self.spots.values() if rebased(spot.path, new, new)]
        uncovered = self.covered.pop(old, [])
        self.spots = _renamed((spot for spot in self.spots.values() if spot not in below), old, new)
        self.covered = {
            rebased(top, old, new) or top: list(_renamed(spots, old, new).values())
            for top, spots in self.covered.items()
        }
        is_new = own is not None and own.first is None
        if is_new:
            self._add(below)
        elif below:
            self.covered[new] = below
        self._add(uncovered)
        moved = [one.but(now=rebased(one.now, old, new) or one.now) for one in self.moved]
        last = next((one for one in moved if one.now == new), None)
        if last is not None:
            moved.remove(last)
        if not is_new:  # else it is made, under whatever name
            moved.append(last or Moved(first_name(self.moved, old), new, before))
        self.moved = moved

    def _forget_moved(self, path: Path) -> None:
        """A moved directory is deleted: what was in it is missing where it first was."""
        gone = next((one for one in self.moved if one.now == path), None)
        if gone is not None:
            self.moved.remove(gone)
            self.spots = _renamed(self.spots.values(), path, present_name(self.moved, gone.first))
            self._add(self.covered.pop(path, []))

    def _add(self, spots: list[Spot]) -> None:
        for spot in spots:
            other = self.spots.get(spot.path)
            self.spots[spot.path] = spot if other is None else _joined(spot, other)


def _renamed(spots: Iterable[Spot], old: Path, new: Path) -> dict[Path, Spot]:
    """Return spots by their new names; of two that have one then, one is what was there first."""
    renamed: dict[Path, Spot] = {}
    for spot in spots:
        path = rebased(spot.path, old, new) or spot.path
        other = renamed.get(path)
        renamed[path] = spot.but(path=path) if other is None else _joined(other, spot).but(path=path)
    return renamed


def _joined(one: Spot, other: Spot) -> Spot:
    """Return two spots of one path as one: what one was at first, and what the other is at last."""
    is_disturbed = one.is_disturbed or other.is_disturbed
    if one.first is not None and one.last is None and other.first is None:
        return Spot(one.path, one.first, other.last, is_disturbed)
    if other.first is not None and other.last is None and one.first is None:
        return Spot(one.path, other.first, one.last, is_disturbed)
    return one.but(is_disturbed=True)  # no order of changes leads here: nobody may rely on it


def _events(entry: Entry) -> Iterator[tuple[Path, PreImage | None, After | None]]:
    if entry.kind == "move":
        if entry.source is not None:
            yield entry.source, entry.before, None
        yield entry.path, None, after_of(entry.before)
    elif entry.kind == "mkdir":
        yield entry.path, None, After("directory", mode=entry.after_mode)
    elif entry.kind == "delete":
        yield entry.path, entry.before, None
    elif entry.after_link is not None:
        yield entry.path, entry.before, After("link", link=entry.after_link)
    else:
        yield entry.path, entry.before, After("file", entry.after_sha256 or "", mode=entry.after_mode)


def _is_directory(image: PreImage | None) -> bool:
    return image is not None and stat.S_ISDIR(image.mode)
