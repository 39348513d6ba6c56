import hashlib
import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.calls import call
from tests.files.test_inverse import state_of
from tests.needs import missing, program


def delete(*paths: str, recursive: bool = True, **options: Any) -> dict[str, Any]:
    options = {"yolo": True, **options}
    return call("delete", {"paths": list(paths), "recursive": recursive}, **options)


def undo(**options: Any) -> dict[str, Any]:
    return call("undo", {}, yolo=True, **options)


def litter(root: Path) -> list[str]:
    return [path.name for path in root.rglob(".codetools-*")]


def fill(root: Path, files: int, per_directory: int = 20) -> None:
    for number in range(files):
        directory = root / f"d{number // per_directory}" / f"e{number % 3}"
        directory.mkdir(parents=True, exist_ok=True)
        (directory / f"f{number}").write_bytes(b"%d\r\n\xff" % number)


@contextmanager
def few_descriptors(most: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_several_files_go_at_once(workspace: Path):
    for name in "abc":
        (workspace / name).write_text("12\n")
    answer = delete("a", "b", recursive=False)
    assert answer["text"] == "Deleted a, b: 2 files, 6 bytes."
    assert answer["data"] == {"paths": ["a", "b"], "files": 2, "directories": 0, "bytes": 6}
    assert [path.name for path in workspace.iterdir() if path.is_file()] == ["c"]


def test_all_go_or_none(workspace: Path):
    (workspace / "a").write_text("x")
    answer = delete("a", "missing")
    assert (answer["error"]["kind"], answer["exit"], answer["changed"]) == ("not_found", 66, False)
    assert (workspace / "a").exists()


def test_a_directory_without_recursive_is_refused_with_its_count(workspace: Path):
    fill(workspace / "d", 3)
    answer = delete("d", recursive=False)
    assert answer["error"]["kind"] == "is_a_directory"
    assert answer["error"]["message"] == "d is a directory that holds 3 files and 4 directories."
    assert answer["error"]["details"] == {"files": 3, "directories": 4}
    assert (workspace / "d/d0/e0/f0").exists()


def test_a_directory_of_a_thousand_files_comes_back_identical_i5(workspace: Path):
    tree = workspace / "tree"
    fill(tree, 1000)
    (tree / "empty/inner").mkdir(parents=True)
    (tree / "empty").chmod(0o750)
    os.setxattr(tree / "empty", "user.note", b"of a directory")
    (tree / "run").write_bytes(b"#!/bin/sh\n")
    (tree / "run").chmod(0o4755)
    os.setxattr(tree / "run", "user.note", b"\x00\xff")
    (tree / "secret").write_bytes(b"x")
    (tree / "secret").chmod(0o400)
    (tree / "link").symlink_to("run")
    (tree / "dangling").symlink_to("/nowhere/at all")
    (tree / os.fsdecode(b"caf\xe9 \n")).write_bytes(b"odd name")
    before = state_of(workspace)
    answer = delete("tree")
    assert (answer["ok"], answer["changed"], answer["data"]["files"]) == (True, True, 1005)
    assert not os.path.lexists(tree)
    assert litter(workspace) == []
    assert undo()["ok"]
    assert state_of(workspace) == before
    assert litter(workspace) == []


def test_a_directory_of_many_files_needs_few_descriptors(workspace: Path):
    fill(workspace / "tree", 1200, per_directory=2)
    with few_descriptors(320):
        answer = delete("tree")
        assert (answer["ok"], answer["data"]["files"]) == (True, 1200)
        assert undo()["ok"]
    assert sum(len(files) for _, _, files in os.walk(workspace / "tree")) == 1200


def test_many_files_named_one_by_one_need_few_descriptors(workspace: Path):
    for number in range(600):
        (workspace / f"f{number}").write_bytes(b"x")
    with few_descriptors(320):
        assert delete(*(f"f{number}" for number in range(600)))["ok"]


def test_a_link_goes_and_never_its_target_i3(workspace: Path, tmp_path: Path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/file").write_text("theirs")
    (workspace / "d").mkdir()
    (workspace / "d/file").write_text("ours")
    (workspace / "tree").mkdir()
    (workspace / "tree/out").symlink_to(tmp_path / "outside")
    (workspace / "in").symlink_to("d")
    assert delete("tree", "in")["ok"]
    assert (tmp_path / "outside/file").read_text() == "theirs"
    assert (workspace / "d/file").read_text() == "ours"
    assert not os.path.lexists(workspace / "in")


def test_a_path_named_twice_or_below_another_goes_once(workspace: Path):
    fill(workspace / "d", 2)
    (workspace / "l").symlink_to("d/d0")
    answer = delete("d", "d/d0/e0/f0", "d", "l")
    assert (answer["ok"], answer["data"]["paths"]) == (True, ["d", "l"])


@pytest.mark.parametrize("path", [".", "..", "d/..", "d/.", "d/../", "{root}", "{root}/", "/", "/usr", "~home"])
def test_what_must_stay_is_refused_whatever_the_rules_say(workspace: Path, home: Path, path: str):
    (workspace / "d").mkdir()
    (workspace / "d/f").write_text("x")
    named = str(home) if path == "~home" else path.format(root=workspace)
    answer = delete(named, allow=("edit(**)", "edit(/**)"))
    assert (answer["exit"], answer["changed"]) == (77, False)
    assert (workspace / "d/f").exists()


def test_a_directory_above_the_working_directory_is_refused(workspace: Path):
    (workspace / "a/b/c").mkdir(parents=True)
    for path in ("../..", str(workspace / "a"), "../../b", str(workspace / "a/b/c")):
        answer = delete(path, directory=workspace / "a/b/c")
        assert (answer["error"]["kind"], answer["changed"]) == ("denied", False), path
    assert (workspace / "a/b/c").is_dir()


def test_another_root_inside_is_refused(workspace: Path):
    (workspace / "a/inner").mkdir(parents=True)
    answer = delete("a", add_dir=(f"{workspace}/a/inner:ro",))
    assert "above the workspace root" in answer["error"]["message"]


def test_a_mount_point_inside_is_refused(workspace: Path):
    for name in ("d/mnt", "other"):
        (workspace / name).mkdir(parents=True)
    (workspace / "other/kept").write_text("x")
    command = ["mount", "--bind", str(workspace / "other"), str(workspace / "d/mnt")]
    if subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode:
        return  # needs the right to mount
    try:
        assert "mount point" in delete("d")["error"]["message"]
        assert "mount point" in delete("d/mnt")["error"]["message"]
    finally:
        subprocess.run(["umount", str(workspace / "d/mnt")], check=True)
    assert (workspace / "other/kept").exists()


@pytest.mark.parametrize(
    "name", [".git/config", ".GIT/config", ".envrc", "x/.Husky/pre-commit", ".codetools/config.yaml"]
)
def test_a_protected_file_inside_stops_the_whole_and_is_named(workspace: Path, name: str):
    path = workspace / "d" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    (workspace / "d/a").write_text("x")
    answer = delete("d")
    assert answer["error"]["kind"] == "protected"
    assert "d/" + name.split("/")[0] in answer["error"]["message"]
    assert (path.exists(), (workspace / "d/a").exists()) == (True, True)


def test_a_denied_file_inside_stops_the_whole_and_is_named(workspace: Path):
    fill(workspace / "d", 3)
    answer = delete("d", deny=("edit(f2)",))
    assert (answer["error"]["kind"], answer["changed"]) == ("denied", False)
    assert "f2" in answer["error"]["message"]
    assert (workspace / "d/d0/e0/f0").exists()


def test_what_undo_could_not_make_again_stops_the_whole_i5(workspace: Path):
    fill(workspace / "d", 1)
    os.mkfifo(workspace / "d/pipe")
    answer = delete("d")
    assert (answer["error"]["kind"], answer["changed"]) == ("not_a_file", False)
    assert "d/pipe is a FIFO" in answer["error"]["message"]


def test_more_than_the_journal_keeps_is_refused_i5(workspace: Path, home: Path):
    fill(workspace / "d", 50)
    (workspace / "d/large").write_bytes(b"x" * 100_000)
    config = home / "config.yaml"
    config.write_text("limits: {journal_bytes: 90000}\n")
    answer = delete("d", config=config)
    assert (answer["error"]["kind"], answer["changed"]) == ("io", False)
    assert "limits.journal_bytes" in answer["error"]["message"]
    assert (workspace / "d/large").exists()


def test_more_paths_than_the_limit_are_refused(workspace: Path, home: Path):
    fill(workspace / "d", 50)
    config = home / "config.yaml"
    config.write_text("limits: {delete_paths: 40}\n")
    assert "more than 40 paths" in delete("d", config=config)["error"]["message"]


def test_files_too_many_to_hold_in_memory_come_back(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("codetools.files.staging.MAX_HELD_BYTES", 1000)
    monkeypatch.setattr("codetools.files.inverse.MAX_HELD_BYTES", 1000)
    fill(workspace / "d", 400)
    (workspace / "d/large").write_bytes(os.urandom(100_000))
    before = state_of(workspace)
    assert delete("d")["ok"]
    answer = undo()
    assert answer["ok"]
    assert state_of(workspace) == before
    hashes = {change["path"]: change["sha256"] for change in answer["changes"] if "sha256" in change}
    assert hashes == {path: hashlib.sha256((workspace / path).read_bytes()).hexdigest() for path in hashes}
    assert len(hashes) == 401


def test_single_files_too_many_to_hold_in_memory_go_and_come_back(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("codetools.files.staging.MAX_HELD_BYTES", 1000)
    names = [f"f{number}" for number in range(9)]
    for name in names:
        (workspace / name).write_bytes(os.urandom(100_000))
    before = state_of(workspace)
    answer = call("delete", {"paths": names}, yolo=True)
    for is_there in (True, False, True):
        answer = call("undo", {"id": answer["undo"]}, yolo=True)
        assert answer["ok"], answer
        assert [(workspace / name).exists() for name in names] == [is_there] * 9
    assert state_of(workspace) == before


def test_a_secret_file_is_not_shown_by_deleting_it(workspace: Path):
    (workspace / ".env").write_text("TOKEN=hunter2\n")
    for options in ({"yolo": False, "allow": ("edit(.env)",)}, {"deny": ("read(.env)",)}):
        answer = delete(".env", dry_run=True, **options)
        assert answer["ok"]
        assert "hunter2" not in str(answer)
    assert answer["changes"][0]["diff"] == "Hidden file .env changes: 14 bytes to nothing.\n"


def test_a_dry_run_shows_and_changes_nothing(workspace: Path):
    fill(workspace / "d", 2)
    answer = delete("d", dry_run=True)
    assert (answer["ok"], answer["changed"], len(answer["changes"])) == (True, False, 6)
    assert (workspace / "d/d0/e0/f0").exists()


def test_a_delete_asks_once_for_everything(workspace: Path):
    fill(workspace / "d", 30)
    answer = delete("d", yolo=False)
    assert (answer["exit"], answer["changed"]) == (75, False)
    approval = answer["error"]["details"]["approval"]["id"]
    assert delete("d", yolo=False, approve=approval)["changed"]
    assert not (workspace / "d").exists()


def test_deep_nesting_is_refused_and_nothing_is_left(workspace: Path):
    path = workspace / "d"
    path.joinpath(*["x"] * 220).mkdir(parents=True)
    answer = delete("d")
    assert (answer["error"]["kind"], answer["changed"]) == ("io", False)
    assert path.is_dir()


def test_a_deletion_by_a_session_is_forgotten_and_undone(workspace: Path):
    (workspace / "a").write_text("x\n")
    call("read", {"file_path": "a"}, session="s")
    assert delete("a", session="s")["ok"]
    assert undo(session="s")["ok"]
    assert call("edit", {"file_path": "a", "old_string": "x", "new_string": "y"}, session="s", yolo=True)["ok"]


def test_a_file_that_may_only_grow_stays_and_the_reason_is_said(workspace: Path):
    (workspace / "log").write_text("x\n")
    program("chattr")
    if subprocess.run(["chattr", "+a", str(workspace / "log")], capture_output=True, check=False).returncode:
        missing("chattr +a on the temporary directory's file system, as root")
    try:
        for answer in (
            call("delete", {"paths": ["log"]}, yolo=True),
            call("move", {"source": "log", "destination": "old"}, yolo=True),
        ):
            assert (answer["error"]["kind"], answer["changed"]) == ("io", False)
            assert answer["text"].startswith("log cannot be ")
            assert "append-only" in answer["text"]
    finally:
        subprocess.run(["chattr", "-a", str(workspace / "log")], check=True)
