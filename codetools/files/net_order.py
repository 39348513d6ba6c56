"""A net effect as changes to take back: in an order in which each can be taken back on its own."""

import stat
from collections.abc import Iterator

from codetools.core.path import Path
from codetools.files.fold import net_of
from codetools.files.net import Moved, Net, Spot, after_of, first_name, is_same, present_name
from codetools.state.changes import Entry, Group, PreImage, rebased

_NEW_DIRECTORY = 1


def net_entries(net: Net) -> tuple[Entry, ...] | None:
    """Return the net effect as entries, in the order in which undoing them last to first works.

    None where there is no such order, or none in which that undo could be undone: two directories that changed places.
    """
    entries = _ordered(net)
    if entries is None or not net.moved:
        return entries
    undo = Group("", "undo", None, Path("/"), 0.0, "committed", None, tuple(map(_opposite, reversed(entries))))
    return None if _ordered(net_of((undo,))) is None else entries


def _ordered(net: Net) -> tuple[Entry, ...] | None:
    """What is in a moved directory is taken back where it is now, and the directory after that.

    What stood where it is now comes last.
    """
    moves = _moves(net.moved)
    if moves is None:
        return None
    nows = [move.path for move in moves]
    ranked = sorted((_rank(entry), entry.path, entry) for spot in net.spots for entry in _entries(spot))
    late = {path for rank, path, _ in ranked if rank[0] == _NEW_DIRECTORY and any(_lies_in(now, path) for now in nows)}
    is_in_the_way = any(path in nows or (path in late and rank[0] != _NEW_DIRECTORY) for rank, path, _ in ranked)
    is_in_the_way |= any(_lies_in(one.first, first_name(net.moved, path)) for path in late for one in net.moved)
    covered = sorted((_rank(entry), entry.path, entry) for spot in net.covered for entry in _entries(spot))
    is_in_the_way |= not {path for _, path, _ in ranked}.isdisjoint(path for _, path, _ in covered)  # two of one name
    if is_in_the_way or any(sum(_lies_in(path, now) for now in nows) != 1 for _, path, _ in covered):
        return None
    ordered = [entry for _, path, entry in ranked if path not in late]
    emptied = [entry for _, path, entry in ranked if path in late]
    for place, move in enumerate(moves):
        ordered.append(move)
        full = [entry for entry in emptied if any(_lies_in(now, entry.path) for now in nows[place + 1 :])]
        ordered += [entry for entry in emptied if entry not in full]
        emptied = full
    return tuple(reversed([*ordered, *(entry for _, _, entry in covered)]))


def _moves(moved: tuple[Moved, ...]) -> list[Entry] | None:
    """Return the moves in the order of their undoing; those of one another are undone from within."""
    left = list(moved)
    moves: list[Entry] = []
    while left:
        found = next((one for one in reversed(left) if _may_go_back(one, left)), None)
        if found is None:
            return None
        left.remove(found)
        moves.append(Entry(found.now, "move", source=present_name(left, found.first), before=found.before))
    return moves


def _may_go_back(one: Moved, left: list[Moved]) -> bool:
    """Whether a directory can have its first name back while the others stand where they are now."""
    others = [other for other in left if other is not one]
    target = present_name(others, one.first)
    if _lies_in(target, one.now) or any(target == other.now for other in others):
        return False
    if any(_lies_in(target, other.now) and not _lies_in(one.first, other.first) for other in others):
        return False
    return not any(_lies_in(other.now, one.now) or _lies_in(other.first, one.first) for other in others)


def _lies_in(path: Path, top: Path) -> bool:
    return rebased(path, top, top) is not None


def _opposite(entry: Entry) -> Entry:
    """Return what taking an entry back records, as far as names and kinds go."""
    if entry.kind == "move":
        return entry.but(path=entry.source, source=entry.path)
    if entry.kind in ("create", "mkdir"):
        kind = stat.S_IFDIR if entry.kind == "mkdir" else stat.S_IFREG
        return Entry(entry.path, "delete", before=PreImage(entry.after_sha256 or "", 0, kind, link=entry.after_link))
    if entry.kind == "delete" and entry.before is not None:
        if stat.S_ISDIR(entry.before.mode):
            return Entry(entry.path, "mkdir")
        return Entry(entry.path, "create", after_sha256=entry.before.sha256, after_link=entry.before.link)
    return entry


def _rank(entry: Entry) -> tuple[int, int]:
    """Order the undoing: new files go, then new directories from below; old directories come from above, then files."""
    depth = entry.path.count("/")
    if entry.kind == "create":
        return 0, depth
    if entry.kind == "mkdir":
        return _NEW_DIRECTORY, -depth
    is_directory = entry.before is not None and stat.S_ISDIR(entry.before.mode)
    return (2, depth) if is_directory and entry.kind == "delete" else (3, depth)


def _entries(spot: Spot) -> Iterator[Entry]:
    first, last = spot.first, spot.last
    was = after_of(first)
    may_differ_in_mode = was is not None and was.kind == "file" and last is not None and last.mode is None
    if is_same(was, last) and not may_differ_in_mode:
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
