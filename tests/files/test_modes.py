"""File modes bite: a process that they hold for changes nothing that they forbid, and says so (also for root)."""

import os
import struct
from pathlib import Path

import pytest

from tests import needs
from tests.calls import call
from tests.unprivileged import call_without_capabilities

CAPABILITY = struct.pack("<5I", 0x02000001, 1 << 10, 0, 0, 0)  # cap_net_bind_service+ep


def snapshot(root: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path.relative_to(root)): (path.stat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in sorted(root.rglob("*"))
    }


CALLS = {
    "edit": {"file_path": "dir/a", "old_string": "x", "new_string": "y"},
    "write": {"file_path": "dir/a", "content": "y\n"},
    "patch": {"patch": "--- a/dir/a\n+++ b/dir/a\n@@ -1 +1 @@\n-x\n+y\n"},
    "delete": {"paths": ["dir/a"]},
    "move": {"source": "dir/a", "destination": "dir/b"},
    "mkdir": {"path": "dir/new"},
}


@pytest.fixture
def tree(workspace: Path) -> Path:
    (workspace / "dir").mkdir()
    (workspace / "dir" / "a").write_text("x\n")
    (workspace / "free").write_text("x\n")
    return workspace


@pytest.mark.parametrize("tool", CALLS)
def test_a_closed_directory_is_left_as_it_is(tree: Path, tool: str):
    (tree / "dir").chmod(0o555)
    before = snapshot(tree)
    answer = call_without_capabilities(tool, CALLS[tool])
    assert (answer["exit"], answer["error"]["kind"], answer["changed"]) == (74, "io", False), answer["text"]
    assert snapshot(tree) == before
    (tree / "dir").chmod(0o755)
    assert call_without_capabilities(tool, CALLS[tool])["changed"]


@pytest.mark.parametrize("tool", ["edit", "write", "patch"])
@pytest.mark.parametrize("mode", [0o444, 0o044, 0o000])
def test_a_file_that_may_not_be_written_is_never_replaced(tree: Path, tool: str, mode: int):
    (tree / "dir" / "a").chmod(mode)
    answer = call_without_capabilities(tool, CALLS[tool])
    assert (answer["exit"], answer["error"]["kind"], answer["changed"]) == (74, "io", False), answer["text"]
    assert (tree / "dir" / "a").read_text() == "x\n"
    assert os.listdir(tree / "dir") == ["a"]


def test_of_several_files_none_is_changed_where_one_may_not_be(tree: Path):
    (tree / "dir").chmod(0o555)
    before = snapshot(tree)
    patch = "".join(f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-x\n+y\n" for name in ("free", "dir/a"))
    answer = call_without_capabilities("patch", {"patch": patch})
    assert (answer["error"]["kind"], answer["changed"]) == ("io", False)
    assert snapshot(tree) == before


def test_a_tree_with_a_closed_directory_in_it_is_not_deleted(tree: Path):
    (tree / "top" / "closed").mkdir(parents=True)
    (tree / "top" / "closed" / "a").write_text("x\n")
    (tree / "top" / "closed").chmod(0o555)
    before = snapshot(tree)
    answer = call_without_capabilities("delete", {"paths": ["top"], "recursive": True})
    assert (answer["error"]["kind"], answer["changed"]) == ("io", False)
    assert snapshot(tree) == before


def test_an_undo_that_may_not_be_made_leaves_all_as_it_is_and_can_be_made_later(tree: Path):
    assert call_without_capabilities("edit", CALLS["edit"])["changed"]
    (tree / "dir").chmod(0o555)
    before = snapshot(tree)
    answer = call_without_capabilities("undo", {})
    assert (answer["exit"], answer["error"]["kind"], answer["changed"]) == (74, "io", False), answer["text"]
    assert snapshot(tree) == before
    (tree / "dir").chmod(0o755)
    assert call_without_capabilities("undo", {})["changed"]
    assert (tree / "dir" / "a").read_text() == "x\n"


def test_an_attribute_that_could_not_be_kept_is_told_by_the_edit_and_by_its_undo(tree: Path):
    if os.geteuid() != 0:
        needs.missing("run as root: only root gives a file capabilities")
    path = tree / "dir" / "a"
    os.setxattr(path, "security.capability", CAPABILITY)
    os.setxattr(path, "user.note", b"kept")
    answer = call_without_capabilities("edit", CALLS["edit"])
    assert answer["changed"]
    assert "could not keep security.capability" in answer["text"]
    assert os.listxattr(path) == ["user.note"]
    again = call_without_capabilities("undo", {})
    assert again["changed"]
    assert "could not keep security.capability" in again["text"]
    assert (path.read_text(), os.getxattr(path, "user.note")) == ("x\n", b"kept")


def test_undo_by_one_who_may_gives_back_an_attribute_that_the_edit_lost(tree: Path):
    if os.geteuid() != 0:
        needs.missing("run as root: only root gives a file capabilities")
    path = tree / "dir" / "a"
    os.setxattr(path, "security.capability", CAPABILITY)
    assert call_without_capabilities("edit", CALLS["edit"])["changed"]
    answer = call("undo", {}, yolo=True)
    assert answer["changed"]
    assert answer["notices"] == []
    assert os.getxattr(path, "security.capability") == CAPABILITY
