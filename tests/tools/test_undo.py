from pathlib import Path

from tests.calls import call


def do(tool: str, session: str | None = None, **arguments: object) -> dict:
    return call(tool, arguments, yolo=True, **({"session": session} if session else {}))


def test_the_last_change_is_taken_back_and_the_one_before_it(workspace: Path):
    path = workspace / "a"
    path.write_text("0\n")
    do("edit", file_path="a", old_string="0", new_string="1")
    do("edit", file_path="a", old_string="1", new_string="2")
    assert do("undo")["text"] == "Undid change 2 (edit): a."
    assert path.read_text() == "1\n"
    answer = do("undo")
    assert (path.read_text(), answer["data"]["undone"], answer["changed"]) == ("0\n", "1", True)


def test_a_new_file_and_its_directories_are_removed(workspace: Path):
    do("write", file_path="a/b/c", content="x")
    do("undo")
    assert not (workspace / "a").exists()


def test_an_undo_can_be_undone_by_its_id(workspace: Path):
    (workspace / "a").write_text("old\n")
    do("write", file_path="a", content="new\n")
    answer = do("undo")
    assert do("undo", id=answer["undo"])["changed"]
    assert (workspace / "a").read_text() == "new\n"


def test_a_file_that_has_changed_since_is_refused(workspace: Path):
    (workspace / "a").write_text("old\n")
    do("write", file_path="a", content="new\n")
    (workspace / "a").write_text("later\n")
    answer = do("undo")
    assert (answer["error"]["kind"], answer["exit"], answer["changed"]) == ("stale", 65, False)
    assert (workspace / "a").read_text() == "later\n"


def test_a_session_takes_back_its_own_last_change(workspace: Path):
    do("write", "one", file_path="a", content="1")
    do("write", "two", file_path="b", content="2")
    do("undo", "one")
    assert ((workspace / "a").exists(), (workspace / "b").exists()) == (False, True)
    assert do("undo", "one")["error"]["kind"] == "not_found"


def test_what_cannot_be_undone_is_said(workspace: Path):
    assert do("undo")["error"]["message"] == "There is no change to undo in this workspace."
    assert do("undo", id="99")["error"]["kind"] == "not_found"
    do("write", file_path="a", content="1")
    do("undo")
    again = do("undo", id="1")
    assert (again["error"]["kind"], again["exit"]) == ("no_change", 65)


def test_an_undo_asks_like_any_change(workspace: Path):
    do("write", file_path="a", content="1")
    assert call("undo", {})["exit"] == 75
    assert (workspace / "a").exists()
