"""What many changes come to: the first state of every path and the last, as one group that undo can take back."""

import stat
from collections.abc import Iterator

from codetools.core.path import Path
from codetools.core.record import Record
from codetools.state.changes import Entry, Group, PreImage


class After(Record):
    """What stood at a path after a change. `mode` is None where it was not recorded."""

    kind: str  # file, link or directory
    sha256: str = ""
    link: str | None = None
    mode: int | None = None


class Spot(Record):
    """One path over all changes: `first` is what stood there before them, `last` after them; None is nothing.

    `is_disturbed` is whether somebody else changed it between two of them.
    """

    path: Path
    first: PreImage | None
    last: After | None
    is_disturbed: bool = False


class Net(Record):
    """All paths that some changes touched, and the directories that were moved, with their first names."""

    spots: tuple[Spot, ...]
    moved: tuple[Entry, ...]

    @property
    def entangled(self) -> Path | None:
        """A moved directory that other changes reach into: their order cannot be given up."""
        places = [place for entry in self.moved for place in (entry.source, entry.path) if place is not None]
        for spot in self.spots:
            for place in places:
                if spot.path.startswith(f"{place}/") or spot.path == place:
                    return place
        return None


def net_of(groups: tuple[Group, ...]) -> Net:
    """Fold groups, oldest first, into their net effect. Only those that were made count."""
    spots: dict[str, Spot] = {}
    moved: list[Entry] = []
    for group in groups:
        if group.status not in ("committed", "undone"):
            continue
        for entry in group.entries:
            if entry.kind == "move" and entry.before is not None and stat.S_ISDIR(entry.before.mode):
                _move(moved, entry)
                continue
            for path, before, after in _events(entry):
                _add(spots, path, before, after)
    return Net(tuple(spots.values()), tuple(moved))


def net_entries(net: Net) -> tuple[Entry, ...]:
    """Return the net effect as entries, in the order in which undoing them last to first works."""
    ranked = sorted((_rank(entry), entry.path, entry) for spot in net.spots for entry in _entries(spot))
    ordered = [*net.moved, *(entry for _, _, entry in ranked)]
    return tuple(reversed(ordered))


def _rank(entry: Entry) -> tuple[int, int]:
    """Order the undoing: new files go, then new directories from below; old directories come from above, then files."""
    depth = entry.path.count("/")
    if entry.kind == "create":
        return 0, depth
    if entry.kind == "mkdir":
        return 1, -depth
    is_directory = entry.before is not None and stat.S_ISDIR(entry.before.mode)
    return (2, depth) if is_directory and entry.kind == "delete" else (3, depth)


def _entries(spot: Spot) -> Iterator[Entry]:
    first, last = spot.first, spot.last
    was = after_of(first)
    may_differ_in_mode = was is not None and was.kind == "file" and last is not None and last.mode is None
    if _is_same(was, last) and not may_differ_in_mode:
        return
    if first is not None and last is not None and was is not None and (was.kind, last.kind) == ("file", "file"):
        yield Entry(spot.path, "modify", before=first, after_sha256=last.sha256, after_mode=last.mode)
        return
    if first is not None:
        yield Entry(spot.path, "delete", before=first)
    if last is not None and last.kind == "directory":
        yield Entry(spot.path, "mkdir", after_mode=last.mode)
    elif last is not None:
        yield Entry(spot.path, "create", after_sha256=last.sha256 or None, after_mode=last.mode, after_link=last.link)


def after_of(image: PreImage | None) -> After | None:
    """Return a pre-image as a state that a path can come to."""
    if image is None:
        return None
    if image.link is not None:
        return After("link", link=image.link)
    if stat.S_ISDIR(image.mode):
        return After("directory", mode=image.mode)
    return After("file", image.sha256, mode=image.mode)


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


def _add(spots: dict[str, Spot], path: Path, before: PreImage | None, after: After | None) -> None:
    spot = spots.get(path)
    if spot is None:
        spots[path] = Spot(path, before, after)
        return
    is_disturbed = spot.is_disturbed or not _is_same(spot.last, after_of(before), with_mode=False)
    if after is not None and after.mode is None and spot.last is not None and before is not None:
        after = after.but(mode=before.mode)
    spots[path] = spot.but(last=after, is_disturbed=is_disturbed)


def _is_same(one: After | None, other: After | None, *, with_mode: bool = True) -> bool:
    if one is None or other is None:
        return one is other
    modes_differ = one.mode is not None and other.mode is not None and one.mode != other.mode
    return (one.kind, one.sha256, one.link) == (other.kind, other.sha256, other.link) and not (
        with_mode and modes_differ
    )


def _move(moved: list[Entry], entry: Entry) -> None:
    """Add a directory's move, or join it to the one that brought the directory there."""
    for place, earlier in enumerate(moved):
        if earlier.path == entry.source:
            del moved[place]
            entry = entry.but(source=earlier.source)
            break
    if entry.path != entry.source:
        moved.append(entry)
