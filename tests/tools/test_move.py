import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.calls import call
from tests.files.test_inverse import state_of


def move(source: str, destination: str, overwrite: bool = False, **options: Any) -> dict[str, Any]:
    arguments = {"source": source, "destination": destination, "overwrite": overwrite}
    return call("move", arguments, **{"yolo": True, **options})


def undo() -> dict[str, Any]:
    return call("undo", {}, yolo=True)


def test_a_file_gets_another_name_and_its_old_one_back(workspace: Path):
    (workspace / "a").write_text("x")
    (workspace / "a").chmod(0o751)
    before = state_of(workspace)
    answer = move("a", "new/place/b")
    assert answer["text"] == "Moved a to new/place/b."
    assert (workspace / "new/place/b").read_text() == "x"
    assert undo()["ok"]
    assert state_of(workspace) == before


@pytest.mark.parametrize("destination", ["d", "d/", "link"])
def test_into_a_directory_the_name_is_kept(workspace: Path, destination: str):
    (workspace / "sub/d").mkdir(parents=True)
    (workspace / "d").mkdir()
    (workspace / "link").symlink_to("d")
    (workspace / "sub/a").write_text("x")
    assert move("sub/a", destination)["ok"]
    assert (workspace / "d/a").read_text() == "x"


def test_a_taken_name_is_refused(workspace: Path):
    for name in "ab":
        (workspace / name).write_text(name)
    answer = move("a", "b")
    assert (answer["error"]["kind"], answer["exit"], answer["changed"]) == ("exists", 65, False)
    assert (workspace / "b").read_text() == "b"


def test_overwrite_replaces_a_file_by_a_file_and_undo_brings_both_back(workspace: Path):
    (workspace / "a").write_text("a")
    (workspace / "a").chmod(0o755)
    (workspace / "b").write_text("b")
    (workspace / "b").chmod(0o640)
    before = state_of(workspace)
    assert move("a", "b", overwrite=True)["ok"]
    assert ((workspace / "b").read_text(), stat.S_IMODE((workspace / "b").stat().st_mode)) == ("a", 0o755)
    assert not (workspace / "a").exists()
    after = state_of(workspace)
    answer = undo()
    assert state_of(workspace) == before
    assert call("undo", {"id": answer["undo"]}, yolo=True)["ok"]
    assert state_of(workspace) == after


def test_overwrite_by_the_same_content_keeps_the_new_name_only(workspace: Path):
    for name in "ab":
        (workspace / name).write_text("same")
    assert move("a", "b", overwrite=True)["ok"]
    assert sorted(path.name for path in workspace.iterdir()) == [".git", "b"]


def test_a_directory_is_never_overwritten(workspace: Path):
    (workspace / "a").mkdir()
    (workspace / "d/a").mkdir(parents=True)
    (workspace / "f").write_text("x")
    assert move("a", "d", overwrite=True)["error"]["kind"] == "exists"
    assert move("a", "f", overwrite=True)["error"]["kind"] == "exists"


def test_a_directory_moves_with_all_it_holds(workspace: Path):
    (workspace / "d/e").mkdir(parents=True)
    (workspace / "d/e/f").write_text("x")
    before = state_of(workspace)
    assert move("d", "other/d2")["ok"]
    assert (workspace / "other/d2/e/f").read_text() == "x"
    assert undo()["ok"]
    assert state_of(workspace) == before


@pytest.mark.parametrize("destination", ["d", "d/e/new", "d/new/deep"])
def test_a_directory_does_not_go_into_itself(workspace: Path, destination: str):
    (workspace / "d/e").mkdir(parents=True)
    assert move("d", destination)["error"]["kind"] == "usage"


def test_a_file_moved_onto_itself_is_no_change(workspace: Path):
    (workspace / "a").write_text("x")
    assert move("a", "./a")["error"]["kind"] == "no_change"
    assert move("a", ".", overwrite=True)["error"]["kind"] == "no_change"
    assert (workspace / "a").read_text() == "x"


def test_a_link_is_moved_itself(workspace: Path):
    (workspace / "a").write_text("x")
    (workspace / "link").symlink_to("a")
    assert move("link", "other")["ok"]
    assert os.readlink(workspace / "other") == "a"
    assert (workspace / "a").read_text() == "x"


@pytest.mark.parametrize("path", [".", "..", "a/..", "{root}"])
def test_what_must_stay_is_not_moved(workspace: Path, path: str):
    (workspace / "a").mkdir()
    answer = move(path.format(root=workspace), "/tmp/never-made")
    assert (answer["exit"], answer["changed"]) == (77, False)


def test_what_is_protected_or_denied_below_a_directory_stops_its_move(workspace: Path):
    (workspace / "d/.git").mkdir(parents=True)
    (workspace / "d/.git/config").write_text("x")
    assert move("d", "e")["error"]["kind"] == "protected"
    (workspace / "f").mkdir()
    (workspace / "f/key").write_text("x")
    assert move("f", "g", deny=("edit(f/key)",))["error"]["kind"] == "denied"
    assert move("f", "g", deny=("edit(g/key)",))["error"]["kind"] == "denied"
    assert (workspace / "f/key").exists()


def test_between_file_systems_a_file_is_copied_and_a_directory_refused(workspace: Path):
    disk = workspace / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(disk)]
    if subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode:
        return  # needs the right to mount
    try:
        (workspace / "a").write_text("x")
        (workspace / "a").chmod(0o750)
        (workspace / "d").mkdir()
        assert move("a", "disk")["ok"]
        assert ((disk / "a").read_text(), stat.S_IMODE((disk / "a").stat().st_mode)) == ("x", 0o750)
        assert not (workspace / "a").exists()
        assert "different file systems" in move("d", "disk")["error"]["message"]
        assert undo()["ok"]
        assert ((workspace / "a").read_text(), (disk / "a").exists()) == ("x", False)
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_the_names_other_agents_use_are_understood(workspace: Path):
    (workspace / "a").write_text("x")
    assert call("rename", {"old_path": "a", "new_path": "b"}, yolo=True)["ok"]
    assert call("mv", {"src": "b", "dst": "c"}, yolo=True)["ok"]
    assert call("rm", {"path": "c"}, yolo=True)["ok"]
    assert call("remove", {"paths": ["c"]}, yolo=True)["exit"] == 66
