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
    assert answer["data"] == {"path": "a.py", "replacements": 1, "tier": "exact", "lines": [2], "edits": []}
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


def edits(path: str, *pairs: tuple[str, str], **arguments: object) -> dict:
    given = [{"old_string": old, "new_string": new} for old, new in pairs]
    return call("edit", {"file_path": path, "edits": given, **arguments}, yolo=True)


def test_several_edits_are_all_matched_against_the_file_as_it_is(workspace: Path):
    (workspace / "a").write_bytes(b"one\r\ntwo\nthree\n    four\n    five\n")
    answer = edits("a", ("two", "one"), ("one", "two"), ("four\nfive\n", "4\n5\n"))
    assert (workspace / "a").read_bytes() == b"two\r\none\nthree\n    4\n    5\n"
    assert answer["data"] == {
        "path": "a",
        "replacements": 3,
        "tier": "indentation",
        "lines": [1, 2, 4],
        "edits": [
            {"edit": 1, "status": "applied", "tier": "exact", "lines": [2]},
            {"edit": 2, "status": "applied", "tier": "exact", "lines": [1]},
            {"edit": 3, "status": "applied", "tier": "indentation", "lines": [4]},
        ],
    }
    assert answer["text"] == (
        "Edited a: 3 edits, 3 replacements, lines 1, 2, 4.\nEdit 3, with the indentation shifted."
    )


def test_edits_are_all_or_nothing_and_every_failing_one_is_named(workspace: Path):
    (workspace / "a").write_text("x\ny\nx\n")
    answer = edits("a", ("y", "z"), ("x", "w"), ("absent line", "q"))
    error = failed(answer, "not_unique")
    assert error["message"].startswith("a: edit 2: text occurs 2 times (lines 1, 3). 1 more of 3 edits failed.")
    assert [(one["edit"], one["status"]) for one in error["details"]["edits"]] == [
        (1, "fits"),
        (2, "failed"),
        (3, "failed"),
    ]
    assert "a: edit 3: the text does not occur." in answer["text"]
    assert "Edit 1 would fit." in answer["text"]
    assert (workspace / "a").read_text() == "x\ny\nx\n"


@pytest.mark.parametrize("pairs", [(("one two", "1"), ("two three", "2")), (("two three", "2"), ("one two", "1"))])
def test_edits_that_overlap_are_refused_with_both_numbers(workspace: Path, pairs: tuple[tuple[str, str], ...]):
    (workspace / "a").write_text("zero\none two three\n")
    error = failed(edits("a", *pairs), "not_unique")
    assert "a: edit 2 overlaps edit 1 at line 2." in error["message"]


def test_an_edit_of_what_another_one_writes_is_told_apart(workspace: Path):
    (workspace / "a").write_text("one\n")
    error = failed(edits("a", ("one", "two"), ("two", "three")), "no_match")
    assert error["hint"].startswith("Edit 2 looks for what edit 1 writes")


def test_what_fits_is_made_only_where_that_is_asked_for(workspace: Path):
    (workspace / "a").write_text("one\ntwo\n")
    answer = edits("a", ("one", "1"), ("three", "3"), ("two", "2"), partial=True)
    assert (answer["ok"], answer["changed"]) == (True, True)
    assert (workspace / "a").read_text() == "1\n2\n"
    assert [one["status"] for one in answer["data"]["edits"]] == ["applied", "failed", "applied"]
    assert answer["data"]["edits"][1]["error"].startswith("no_match: a: edit 2: the text does not occur")
    assert "2 of 3 edits" in answer["text"]
    assert "Edit 2 was not made: no_match" in answer["text"]
    failed(edits("a", ("three", "3"), ("four", "4"), partial=True), "no_match")


def test_edits_may_come_as_text_and_from_other_agents(workspace: Path):
    (workspace / "a").write_text("x x\ny\n")
    given = '[{"old_str": "x", "new_str": "z", "replaceAll": true}, {"old_text": "y", "new_text": "w"}]'
    assert call("multi_edit", {"path": "a", "edits": given}, yolo=True)["changed"]
    assert (workspace / "a").read_text() == "z z\nw\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "missing old_string, new_string"),
        ({"old_string": "x"}, "missing new_string"),
        ({"new_string": "x"}, "missing old_string"),
        (
            {"old_string": "x", "new_string": "y", "edits": [{"old_string": "a", "new_string": "b"}]},
            "edits for several",
        ),
        ({"edits": [{"old_string": "x"}]}, "edits[0]: missing 'new_string'"),
        ({"edits": [{"old_string": "x", "new_string": "y"}], "near_line": 1}, "near_line"),
        (
            {"edits": [{"old_string": "", "new_string": "y"}, {"old_string": "x", "new_string": "z"}]},
            "edit 1 has an empty",
        ),
    ],
)
def test_arguments_that_do_not_say_one_thing_are_a_usage_error(workspace: Path, arguments: dict, said: str):
    (workspace / "a").write_text("x\n")
    assert said in failed(call("edit", {"file_path": "a", **arguments}, yolo=True), "usage", 2)["message"]
    assert (workspace / "a").read_text() == "x\n"


def test_exactly_so_many_places_are_replaced_as_are_counted(workspace: Path):
    (workspace / "a").write_text("x\ny\nx\n")
    error = failed(edit("a", "x", "z", count=3), "not_unique")
    assert error["message"] == "a: text occurs 2 times (lines 1, 3), not 3."
    assert edit("a", "x", "z", count=2)["data"]["replacements"] == 2
    assert (workspace / "a").read_text() == "z\ny\nz\n"
    (workspace / "a").write_text("aaa\n")
    failed(edit("a", "aa", "b", count=2), "not_unique")
    failed(edit("a", "aa", "b", count=2, replace_all=True), "not_unique")


def test_a_line_chooses_between_equal_places_and_never_makes_one(workspace: Path):
    (workspace / "a").write_text("x\n-\n-\nx\nxx\n")
    assert edit("a", "-\nx", "-\ny", near_line=1)["data"]["lines"] == [3]
    (workspace / "a").write_text("x\n-\nx\n-\n-\nx\n")
    failed(edit("a", "x", "y", near_line=2), "not_unique")
    failed(edit("a", "z", "y", near_line=2), "no_match")
    assert edit("a", "x", "y", near_line=7)["data"]["lines"] == [6]


@pytest.mark.parametrize(
    ("content", "old", "likely"),
    [
        ("one\ntwo\nthree\n", "2\ttwo\n3\tthree", (2, "without the line numbers")),
        ('one\nprint("a\\n")\n', 'print(\\"a\\\\n\\")', (2, "with one level of escapes undone")),
        ("one\ntwo\nthree\n", "two\\nthree", (2, "with one level of escapes undone")),
        (
            "one\nsay “hi” – now\nend\n",
            'say "hi" - now\nend',
            (2, "with other quotes, dashes or spaces (typographic ones)"),
        ),
    ],
)
def test_the_usual_slips_are_named(workspace: Path, content: str, old: str, likely: tuple[int, str]):
    (workspace / "a").write_text(content)
    answer = edit("a", old, "new")
    assert failed(answer, "no_match")["details"]["likely"] == {"line": likely[0], "how": likely[1]}
    assert f"it stands at line {likely[0]}." in answer["text"]


def test_typographic_quotes_are_shown_by_their_numbers(workspace: Path):
    (workspace / "a").write_text("say “hi”\n")
    assert "file:  say·\\u201chi\\u201d" in edit("a", 'say "hi"', "x")["text"]


def test_a_text_that_stands_in_another_file_of_the_session_is_found_there(workspace: Path):
    (workspace / "a").write_text("something\n")
    (workspace / "b").write_text("def wanted():\n    pass\n")
    (workspace / ".env").write_text("def wanted():\n")
    for name in ("a", "b"):
        in_session("read", file_path=name)
    answer = in_session("edit", file_path="a", old_string="def wanted():", new_string="x")
    assert failed(answer, "no_match")["details"]["found_in"] == "b"
    assert answer["text"].endswith("The text is in b.")


def test_a_named_encoding_is_edited_in_place(workspace: Path):
    (workspace / "a").write_bytes("Имя\nгод\n".encode("cp866"))
    assert edit("a", "год", "день", encoding="cp866")["changed"]
    assert (workspace / "a").read_bytes() == "Имя\nдень\n".encode("cp866")


def test_what_changed_since_the_read_is_shown(workspace: Path):
    path = workspace / "a"
    path.write_text("one\ntwo\nthree\n")
    in_session("read", file_path="a")
    path.write_text("one\nTWO\nthree\n")
    answer = in_session("edit", file_path="a", old_string="three", new_string="3")
    error = failed(answer, "stale")
    assert "-two\n+TWO\n" in answer["text"]
    assert error["details"]["diff"] in answer["text"]
    assert path.read_text() == "one\nTWO\nthree\n"


def test_what_changed_since_the_sessions_own_write_is_shown(workspace: Path):
    in_session("write", file_path="a", content="one\ntwo\n")
    (workspace / "a").write_text("one\n2\n")
    assert "-two\n+2" in in_session("edit", file_path="a", old_string="one", new_string="1")["text"]


def test_of_a_large_file_it_is_said_that_what_it_was_is_not_kept(workspace: Path):
    path = workspace / "a"
    path.write_text("a line\n" * 20_000)
    in_session("read", file_path="a", limit=10)
    path.write_text("A line\n" * 20_000)
    answer = in_session("edit", file_path="a", old_string="x", new_string="y")
    failed(answer, "stale")
    assert "lines 1 to 10 had been read; it is not kept" in answer["text"]


def test_what_changed_in_a_secret_file_is_not_shown(workspace: Path):
    path = workspace / ".env"
    path.write_text("KEY=one\n")
    in_session("read", file_path=".env")
    path.write_text("KEY=two\n")
    arguments = {"file_path": ".env", "old_string": "KEY", "new_string": "K"}
    answer = call("edit", arguments, session="s")
    assert answer["error"]["kind"] == "approval_required"
    assert "=one" not in answer["text"]
    assert "=two" not in answer["text"]


@pytest.fixture
def reading_required(home: Path) -> None:
    (home / ".config" / "codetools").mkdir(parents=True)
    (home / ".config" / "codetools" / "config.yaml").write_text("edit: {require_read: true}\n")


@pytest.mark.usefixtures("reading_required")
def test_a_file_is_read_before_it_is_changed_where_the_setting_asks_for_it(workspace: Path):
    path = workspace / "a"
    path.write_text("x\n")
    patch = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n"
    for tool, arguments in (
        ("edit", {"file_path": "a", "old_string": "x", "new_string": "y"}),
        ("write", {"file_path": "a", "content": "y\n"}),
        ("patch", {"patch": patch}),
    ):
        answer = in_session(tool, **arguments)
        failed(answer, "stale")
        assert 'Read it first: read {"file_path": "a"}' in answer["text"]
        assert "a session" in call(tool, arguments, yolo=True)["text"]
    assert path.read_text() == "x\n"
    in_session("read", file_path="a")
    assert in_session("edit", file_path="a", old_string="x", new_string="y")["changed"]
    assert in_session("edit", file_path="a", old_string="y", new_string="z")["changed"]
    assert in_session("write", file_path="new", content="y\n")["changed"]
    assert in_session("edit", file_path="new", old_string="y", new_string="z")["changed"]


@pytest.mark.usefixtures("reading_required")
def test_who_knows_the_hash_has_read_the_file(workspace: Path):
    (workspace / "a").write_text("x\n")
    sha256 = hashlib.sha256(b"x\n").hexdigest()
    assert edit("a", "x", "y", expect_sha256=sha256)["changed"]


@pytest.mark.parametrize("name", ["multiedit", "MultiEdit", "multi_edit", "replace", "str_replace"])
def test_other_harnesses_names_for_it_are_understood(workspace: Path, name: str):
    (workspace / "a.py").write_text("one\n")
    arguments = {"absolute_path": str(workspace / "a.py"), "old_string": "one", "new_string": "two"}
    assert call(name, {**arguments, "expected_replacements": 1}, yolo=True)["ok"]
    assert (workspace / "a.py").read_text() == "two\n"
