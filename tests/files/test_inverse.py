import os
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.files.files import Files
from codetools.files.inverse import stage_inverse
from tests.files.room import commit_staged, files_of, journal_of


def state_of(root: Path) -> dict[str, object]:
    """Everything that undo has to bring back: kinds, bytes, modes, extended attributes, link targets."""
    found: dict[str, object] = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if path.is_symlink():
            found[name] = ("link", os.readlink(path))
            continue
        attributes = {key: os.getxattr(path, key) for key in os.listxattr(path)}
        content = path.read_bytes() if path.is_file() else None
        found[name] = (content, path.stat().st_mode, attributes)
    return found


def undo(workspace: Path, home: Path, group_id: str) -> tuple[str, tuple[str, ...]]:
    files, journal = files_of(workspace), journal_of(home)
    group = journal.group(group_id)
    assert group is not None
    kept = stage_inverse(files, group, journal.content)
    return commit_staged(files, home, undoes=group_id).undo, kept


@pytest.fixture
def tree(workspace: Path) -> Path:
    (workspace / "d/e").mkdir(parents=True)
    (workspace / "a.txt").write_bytes(b"alpha\r\n\xff")
    (workspace / "a.txt").chmod(0o751)
    os.setxattr(workspace / "a.txt", "user.note", b"kept")
    (workspace / "d/e/f").write_bytes(b"deep")
    (workspace / "d/e").chmod(0o700)
    (workspace / "link").symlink_to("a.txt")
    return workspace


def every_kind(files: Files) -> None:
    files.modify(files.read("d/e/f"), b"changed")
    files.create("new/place/file", b"new")
    files.mkdir("empty/dir")
    files.move("link", "moved-link")
    files.delete("a.txt")


def a_whole_directory(files: Files) -> None:
    files.delete("d/e/f")
    files.delete("d/e")
    files.delete("d")
    files.delete("link")


def a_moved_directory(files: Files) -> None:
    files.move("d", "sub/d")
    files.move("a.txt", "sub/a.txt")


@pytest.mark.parametrize("change", [every_kind, a_whole_directory, a_moved_directory])
def test_undo_brings_everything_back_and_can_be_undone(tree: Path, home: Path, change):
    before = state_of(tree)
    files = files_of(tree)
    change(files)
    first = commit_staged(files, home).undo
    after = state_of(tree)
    second, _ = undo(tree, home, first)
    assert state_of(tree) == before
    third, _ = undo(tree, home, second)
    assert state_of(tree) == after
    undo(tree, home, third)
    assert state_of(tree) == before


@pytest.mark.parametrize("name", ["d/e/f", "new/place/file", "moved-link"])
def test_undo_refuses_what_has_changed_since_and_changes_nothing(tree: Path, home: Path, name: str):
    files = files_of(tree)
    every_kind(files)
    done = commit_staged(files, home).undo
    path = tree / name
    path.unlink()
    path.write_bytes(b"later")
    changed = state_of(tree)
    with pytest.raises(Failure) as caught:
        undo(tree, home, done)
    assert caught.value.kind == "stale"
    assert state_of(tree) == changed


def test_undo_refuses_where_a_deleted_name_is_taken_again(tree: Path, home: Path):
    files = files_of(tree)
    files.delete("a.txt")
    done = commit_staged(files, home).undo
    (tree / "a.txt").write_bytes(b"another")
    with pytest.raises(Failure) as caught:
        undo(tree, home, done)
    assert caught.value.kind == "stale"
    assert (tree / "a.txt").read_bytes() == b"another"


def test_a_directory_that_others_use_by_now_stays(tree: Path, home: Path):
    files = files_of(tree)
    files.create("new/place/file", b"new")
    done = commit_staged(files, home).undo
    (tree / "new/theirs").write_bytes(b"x")
    _, kept = undo(tree, home, done)
    assert kept == ("new",)
    assert sorted(path.name for path in (tree / "new").iterdir()) == ["theirs"]


def test_the_undone_change_is_no_longer_the_latest(tree: Path, home: Path):
    files = files_of(tree)
    files.modify(files.read("a.txt"), b"one")
    first = commit_staged(files, home).undo
    files = files_of(tree)
    files.modify(files.read("a.txt"), b"two")
    second = commit_staged(files, home).undo
    undo(tree, home, second)
    latest = journal_of(home).latest(str(tree))
    assert latest is not None
    assert latest.id == first
