import os
from pathlib import Path

import pytest

from tests.calls import call


def write(path: str, content: str, **arguments: object) -> dict:
    return call("write", {"file_path": path, "content": content, **arguments}, yolo=True)


def test_a_new_file_is_made_with_its_directories(workspace: Path):
    answer = write("a/b/c.txt", "one\ntwo")
    assert (workspace / "a/b/c.txt").read_bytes() == b"one\ntwo"
    assert answer["data"] == {"path": "a/b/c.txt", "bytes": 7, "lines": 2, "created": True, "is_same": False}
    assert (answer["text"], answer["changed"]) == ("Created a/b/c.txt: 7 bytes, 2 lines.", True)


def test_an_existing_file_is_replaced_and_keeps_its_mode(workspace: Path):
    (workspace / "run").write_text("old")
    (workspace / "run").chmod(0o755)
    answer = write("run", "new\n")
    assert (workspace / "run").read_text() == "new\n"
    assert (workspace / "run").stat().st_mode & 0o777 == 0o755
    assert (answer["data"]["created"], answer["text"]) == (False, "Replaced run: 4 bytes, 1 line.")


def test_the_same_content_changes_nothing_and_is_fine(workspace: Path):
    (workspace / "a").write_text("x\n")
    before = (workspace / "a").stat().st_ctime_ns
    answer = write("a", "x\n")
    assert (answer["ok"], answer["changed"], answer["undo"], answer["data"]["is_same"]) == (True, False, None, True)
    assert (workspace / "a").stat().st_ctime_ns == before


@pytest.mark.parametrize(
    "content", ["", "\r\n", "a\rb\r\nc\n", "\ufeffx", "\0", "漢\U0001d11e", "\x1b[31m", "x" * 1_000_000]
)
def test_what_is_written_is_what_the_file_holds(workspace: Path, content: str):
    write("a", content)
    assert (workspace / "a").read_bytes() == content.encode()


def test_a_dangling_link_inside_gets_its_target_and_one_outside_is_refused(workspace: Path, tmp_path: Path):
    (workspace / "in").symlink_to("target")
    (workspace / "out").symlink_to(tmp_path / "target")
    assert write("in", "x")["changed"]
    assert ((workspace / "in").is_symlink(), (workspace / "target").read_text()) == (True, "x")
    assert write("out", "x")["error"]["kind"] == "outside_workspace"
    assert not (tmp_path / "target").exists()


def test_what_is_no_file_is_refused(workspace: Path):
    (workspace / "directory").mkdir()
    (workspace / "file").touch()
    os.mkfifo(workspace / "fifo")
    kinds = {name: write(name, "x")["error"]["kind"] for name in ("directory", "fifo", "file/below", "new/")}
    assert kinds == {
        "directory": "is_a_directory",
        "fifo": "not_a_file",
        "file/below": "not_found",
        "new/": "not_found",
    }


def test_an_expected_hash_is_kept_to(workspace: Path):
    (workspace / "a").write_text("x")
    assert write("a", "y", expect_sha256="0" * 64)["error"]["kind"] == "stale"
    assert write("absent", "y", expect_sha256="0" * 64)["error"]["kind"] == "not_found"
    assert (workspace / "a").read_text() == "x"


def test_a_read_only_directory_is_said(workspace: Path):
    (workspace / "d").mkdir(mode=0o555)
    answer = write("d/a", "x")
    if os.geteuid():
        assert (answer["error"]["kind"], answer["exit"], answer["changed"]) == ("io", 74, False)


def test_writing_outside_asks(workspace: Path, tmp_path: Path):
    answer = call("write", {"file_path": "../x", "content": "x"})
    assert (answer["exit"], (tmp_path / "x").exists()) == (75, False)


def test_a_path_with_nul_is_usage(workspace: Path):
    assert write("a\0b", "x")["exit"] == 2


def test_an_encoding_can_be_named_and_a_change_of_it_is_said(workspace: Path):
    made = write("a.txt", "Łódź\n", encoding="cp1250")
    assert (made["ok"], (workspace / "a.txt").read_bytes()) == (True, "Łódź\n".encode("cp1250"))
    write("b.txt", "hé\n", encoding="utf-16")
    assert (workspace / "b.txt").read_bytes() == b"\xff\xfeh\0\xe9\0\n\0"
    changed = write("b.txt", "hé\n")
    assert "[b.txt was utf-16-le and is utf-8 now; `encoding` keeps another]" in changed["text"]


def test_a_character_that_the_named_encoding_lacks_is_refused(workspace: Path):
    answer = write("a.txt", "漢", encoding="cp1250")
    assert (answer["error"]["kind"], answer["changed"], (workspace / "a.txt").exists()) == ("encoding", False, False)
    assert write("a.txt", "x", encoding="hex")["exit"] == 2


@pytest.mark.parametrize(
    ("before", "after", "is_told"), [(100, 24, True), (100, 25, False), (50, 1, False), (51, 0, True)]
)
def test_a_file_that_loses_most_of_its_lines_is_told(workspace: Path, before: int, after: int, is_told: bool):
    (workspace / "a").write_text("line\n" * before)
    answer = write("a", "new\n" * after)
    assert answer["changed"]
    assert [notice["kind"] for notice in answer["notices"]] == ["shrunk"] * is_told
    if is_told:
        assert f"a had {before} lines and has {after} lines now" in answer["text"]
