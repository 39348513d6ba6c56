import hashlib
import os
from pathlib import Path

import pytest

from tests.calls import call


def edit(path: str, old: str, new: str, **arguments: object) -> dict:
    return call("edit", {"file_path": path, "old_string": old, "new_string": new, **arguments}, yolo=True)


def failed(answer: dict, kind: str, exit_code: int = 65) -> dict:
    assert (answer["ok"], answer["error"]["kind"], answer["exit"], answer["changed"]) == (False, kind, exit_code, False)
    return answer["error"]


def test_one_place_is_replaced_and_all_else_stays_i4(workspace: Path):
    (workspace / "a.py").write_bytes(b"one\r\ntwo\nthree")
    answer = edit("a.py", "two", "2")
    assert (workspace / "a.py").read_bytes() == b"one\r\n2\nthree"
    assert answer["data"] == {"path": "a.py", "replacements": 1, "tier": "exact", "lines": [2]}
    assert (answer["changed"], answer["exit"], answer["undo"]) == (True, 0, "1")
    assert answer["text"] == "Edited a.py: 1 replacement, line 2."
    assert answer["changes"][0]["sha256"] == hashlib.sha256(b"one\r\n2\nthree").hexdigest()


def test_text_that_occurs_twice_is_refused_with_every_line(workspace: Path):
    (workspace / "app.py").write_text("x\n\nx\n" + "y\n" * 5 + "x\n")
    error = failed(edit("app.py", "x", "z"), "not_unique")
    assert error["details"]["lines"] == [1, 3, 9]
    assert error["message"] == "app.py: text occurs 3 times (lines 1, 3, 9)."
    assert "--all" in error["hint"]


def test_overlapping_places_count(workspace: Path):
    (workspace / "a").write_text("aaa\n")
    failed(edit("a", "aa", "b"), "not_unique")


def test_all_places_are_replaced_when_asked(workspace: Path):
    (workspace / "a").write_text("x x\nx\n")
    answer = edit("a", "x", "\\1$&{y}", replace_all=True)
    assert (workspace / "a").read_text() == "\\1$&{y} \\1$&{y}\n\\1$&{y}\n"
    assert (answer["data"]["replacements"], answer["data"]["lines"]) == (3, [1, 1, 2])


def test_replace_all_takes_exact_text_only(workspace: Path):
    (workspace / "a").write_bytes(b"a\r\nb\r\na\r\nb\r\n")
    error = failed(edit("a", "a\nb\n", "x", replace_all=True), "no_match")
    assert error["details"] == {"lines": [1, 3], "tier": "line_endings"}


@pytest.mark.parametrize(
    ("content", "old", "given", "reason"),
    [
        ("def f():\n\treturn 1\n", "def f():\n  return 1\n", "··return·1", "They differ only in blanks."),
        ("say “hi”\n", 'say "hi"\n', 'say·"hi"', "typographic quotes"),
        ("Name = 1\nother\n", "name = 1\nother\n", "name·=·1", "upper and lower case"),
        ('a = "x"\nb = 2\n', 'a = \\"x\\"\nb = 2\n', 'a·=·\\"x\\"', "only in escapes"),
    ],
)
def test_text_that_does_not_occur_shows_where_the_nearest_parts(
    workspace: Path, content: str, old: str, given: str, reason: str
):
    (workspace / "a").write_text(content)
    answer = edit("a", old, "new")
    failed(answer, "no_match")
    assert f"given: {given}\n" in answer["text"]
    assert reason in answer["text"]
    assert (workspace / "a").read_text() == content


def test_nothing_alike_is_a_short_answer(workspace: Path):
    (workspace / "a").write_text("one\ntwo\n")
    answer = edit("a", "completely different", "x")
    assert failed(answer, "no_match")["details"] == {}
    assert answer["text"] == "a: the text does not occur. Read the file again and copy the text exactly."


def test_an_edit_that_changes_nothing_is_refused(workspace: Path):
    (workspace / "a").write_text("x\n")
    failed(edit("a", "x", "x"), "no_change")


def test_an_empty_old_text_makes_a_new_file_and_nothing_else(workspace: Path):
    assert edit("new/a.txt", "", "hello\n")["changed"]
    assert (workspace / "new/a.txt").read_text() == "hello\n"
    failed(edit("new/a.txt", "", "other\n"), "exists")
    assert (workspace / "new/a.txt").read_text() == "hello\n"


def test_a_crlf_file_stays_one(workspace: Path):
    (workspace / "a").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\nthree\r\n")
    assert edit("a", "one\ntwo\n", "1\n2\n2b\n")["data"]["tier"] == "line_endings"
    assert (workspace / "a").read_bytes() == b"\xef\xbb\xbf1\r\n2\r\n2b\r\nthree\r\n"


def test_an_indentation_shift_is_shifted_back(workspace: Path):
    (workspace / "a").write_text("class A:\n    def f(self):\n        return 1\n")
    answer = edit("a", "def f(self):\n    return 1\n", "def f(self):\n    return 2\n")
    assert (workspace / "a").read_text() == "class A:\n    def f(self):\n        return 2\n"
    assert answer["text"] == "Edited a: 1 replacement, line 2, with the indentation shifted."


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_wide_text_is_edited_in_its_own_encoding(workspace: Path, codec: str):
    mark = b"\xff\xfe" if codec.endswith("le") else b"\xfe\xff"
    (workspace / "a").write_bytes(mark + "é\r\nab\r\n".encode(codec))
    edit("a", "ab\n", "漢\n")
    assert (workspace / "a").read_bytes() == mark + "é\r\n漢\r\n".encode(codec)


def test_a_legacy_encoding_is_kept_and_what_it_lacks_is_refused(workspace: Path):
    (workspace / "a").write_bytes(b"Gr\xfc\xdfe\nName\n")
    edit("a", "Name", "Straße")
    assert (workspace / "a").read_bytes() == b"Gr\xfc\xdfe\nStra\xdfe\n"
    failed(edit("a", "Grüße", "漢字"), "encoding")
    assert (workspace / "a").read_bytes() == b"Gr\xfc\xdfe\nStra\xdfe\n"


def test_undecodable_bytes_around_an_ascii_edit_stay(workspace: Path):
    (workspace / "a").write_bytes("漢字漢字".encode() + b"\xff\x80 name \xc3\n")
    edit("a", "name", "title")
    assert (workspace / "a").read_bytes() == "漢字漢字".encode() + b"\xff\x80 title \xc3\n"


def test_what_cannot_be_edited_is_refused(workspace: Path):
    (workspace / "binary").write_bytes(b"a\0b")
    (workspace / "directory").mkdir()
    (workspace / "near.txt").touch()
    os.mkfifo(workspace / "fifo")
    failed(edit("binary", "a", "b"), "binary")
    failed(edit("directory", "a", "b"), "is_a_directory", 66)
    failed(edit("fifo", "a", "b"), "not_a_file", 66)
    assert failed(edit("nears.txt", "a", "b"), "not_found", 66)["details"]["near"] == ["near.txt"]


def test_an_unexpected_hash_is_stale(workspace: Path):
    (workspace / "a").write_text("x\n")
    failed(edit("a", "x", "y", expect_sha256="0" * 64), "stale")
    assert edit("a", "x", "y", expect_sha256=hashlib.sha256(b"x\n").hexdigest())["changed"]


def in_session(tool: str, **arguments: object) -> dict:
    return call(tool, arguments, session="s", yolo=True)


def test_a_file_that_changed_since_the_session_read_it_is_stale(workspace: Path):
    path = workspace / "a"
    path.write_text("x\n")
    in_session("read", file_path="a")
    path.write_text("x changed\n")
    failed(in_session("edit", file_path="a", old_string="x", new_string="y"), "stale")
    failed(in_session("write", file_path="a", content="y"), "stale")
    in_session("read", file_path="a")
    assert in_session("edit", file_path="a", old_string="x", new_string="y")["changed"]


def test_a_touch_and_the_sessions_own_edits_are_not_stale(workspace: Path):
    path = workspace / "a"
    path.write_text("x\n")
    in_session("read", file_path="a")
    os.utime(path, (1, 1))
    assert in_session("edit", file_path="a", old_string="x", new_string="y")["changed"]
    assert in_session("edit", file_path="a", old_string="y", new_string="z")["changed"]
    assert in_session("undo")["changed"]
    assert in_session("edit", file_path="a", old_string="y", new_string="w")["changed"]


def test_a_dry_run_shows_the_change_and_makes_none(workspace: Path):
    (workspace / "a").write_text("x\n")
    answer = call("edit", {"file_path": "a", "old_string": "x", "new_string": "y"}, dry_run=True)
    assert (answer["changed"], answer["dry_run"], answer["exit"]) == (False, True, 0)
    assert answer["changes"][0]["diff"] == "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n"
    assert (workspace / "a").read_text() == "x\n"


def test_without_leave_nothing_is_changed(workspace: Path):
    (workspace / "a").write_text("x\n")
    answer = call("edit", {"file_path": "a", "old_string": "x", "new_string": "y"})
    assert (answer["exit"], answer["error"]["kind"]) == (75, "approval_required")
    assert (workspace / "a").read_text() == "x\n"


def test_names_that_models_use_are_accepted(workspace: Path):
    (workspace / "a").write_text("x\n")
    answer = call("edit", {"path": "a", "old_str": "x", "new_text": "y", "all": True}, yolo=True)
    assert answer["changed"]
