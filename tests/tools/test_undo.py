from pathlib import Path

from tests.calls import call
from tests.files.test_inverse import state_of


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


def session(tool: str, **arguments: object) -> dict:
    answer = do(tool, "s", **arguments)
    assert answer["ok"], answer
    return answer


def test_a_session_is_taken_back_whole_and_that_can_be_undone(workspace: Path):
    for name in ("kept", "edited", "gone", "moved"):
        (workspace / name).write_text(f"{name}\n")
    (workspace / "tree/empty").mkdir(parents=True)
    (workspace / "tree/f").write_text("f\n")
    before = state_of(workspace)
    session("write", file_path="new/file", content="1\n")
    session("edit", file_path="new/file", old_string="1", new_string="2")
    session("edit", file_path="edited", old_string="edited", new_string="one")
    session("edit", file_path="edited", old_string="one", new_string="two")
    session("delete", paths=["gone"])
    session("write", file_path="gone", content="again\n")
    session("move", source="moved", destination="there/moved")
    session("move", source="there/moved", destination="there/again")
    session("delete", paths=["tree"], recursive=True)
    session("mkdir", path="made/dir")
    session("write", file_path="passing", content="x")
    session("delete", paths=["passing"])
    session("edit", file_path="kept", old_string="kept", new_string="lost")
    session("undo")
    after = state_of(workspace)
    answer = session("undo", id="session")
    assert (answer["data"]["tool"], answer["changed"]) == ("session", True)
    assert state_of(workspace) == before
    assert do("undo", "s")["error"]["kind"] == "not_found"
    assert do("undo", "s", id="session")["error"]["kind"] == "not_found"
    session("undo", id=answer["undo"])
    assert state_of(workspace) == after
    session("undo", id="session")
    assert state_of(workspace) == before


def test_a_moved_directory_comes_back_with_its_session(workspace: Path):
    (workspace / "d/e").mkdir(parents=True)
    (workspace / "d/e/f").write_text("x")
    before = state_of(workspace)
    session("move", source="d", destination="x/y")
    session("move", source="x/y", destination="z")
    session("write", file_path="a", content="1")
    session("undo", id="session")
    assert state_of(workspace) == before


def test_what_a_session_changed_in_a_directory_that_it_moved_comes_back_with_it(workspace: Path):
    (workspace / "d/e").mkdir(parents=True)
    for name in ("d/edited", "d/gone", "d/e/deep", "d/left"):
        (workspace / name).write_text("x\n")
    (workspace / "d/edited").chmod(0o751)
    before = state_of(workspace)
    session("edit", file_path="d/edited", old_string="x", new_string="y")
    session("move", source="d", destination="new/d")
    session("edit", file_path="new/d/edited", old_string="y", new_string="z")
    session("delete", paths=["new/d/gone"])
    session("write", file_path="new/d/made/file", content="1\n")
    session("move", source="new/d/e", destination="out")
    session("write", file_path="d", content="a file where the directory was\n")
    session("move", source="new", destination="newer")
    session("write", file_path="newer/d/left", content="y\n")
    after = state_of(workspace)
    shown = {one["path"]: one.get("source") for one in session("diff")["data"]["files"]}
    assert shown["newer/d"] == "d"
    assert "newer/d/edited" in shown
    answer = session("undo", id="session")
    assert state_of(workspace) == before
    session("undo", id=answer["undo"])
    assert state_of(workspace) == after
    session("undo", id="session")
    assert state_of(workspace) == before


def test_directories_that_changed_places_are_refused_with_the_order_that_takes_them_back(workspace: Path):
    for name in ("one", "other"):
        (workspace / name).mkdir()
        (workspace / name / "f").write_text(name)
    before = state_of(workspace)
    for source, destination in (("one", "between"), ("other", "one"), ("between", "other")):
        session("move", source=source, destination=destination)
    answer = do("undo", "s", id="session")
    assert (answer["error"]["kind"], answer["changed"]) == ("stale", False)
    assert answer["text"].endswith("in this order: 3 2 1")
    for number in answer["error"]["details"]["ids"]:
        session("undo", id=number)
    assert state_of(workspace) == before


def test_a_session_in_which_another_had_a_hand_is_refused_and_the_file_named(workspace: Path):
    (workspace / "a").write_text("0\n")
    session("write", file_path="b", content="b")
    session("edit", file_path="a", old_string="0", new_string="1")
    do("edit", "other", file_path="a", old_string="1", new_string="2")
    answer = do("undo", "s", id="session")
    assert (answer["error"]["kind"], answer["error"]["details"]["path"]) == ("stale", "a")
    call("read", {"file_path": "a"}, session="s")
    session("edit", file_path="a", old_string="2", new_string="3")
    answer = do("undo", "s", id="session")
    assert (answer["error"]["kind"], answer["error"]["details"]["path"]) == ("stale", "a")
    assert ((workspace / "a").read_text(), (workspace / "b").exists()) == ("3\n", True)


def test_undo_of_a_session_needs_one(workspace: Path):
    do("write", file_path="a", content="1")
    assert do("undo", id="session")["error"]["kind"] == "usage"


def test_what_commands_may_have_changed_is_named(workspace: Path):
    session("write", file_path="a", content="1")
    session("bash", command="touch made-by-bash")
    answer = session("undo", id="session")
    assert [notice["kind"] for notice in answer["notices"]] == ["not_undone"]
    assert "touch made-by-bash" in answer["text"]
    assert (workspace / "made-by-bash").exists()


def test_a_mode_that_overwriting_changed_comes_back(workspace: Path):
    (workspace / "a").write_text("a")
    (workspace / "b").write_text("a")
    (workspace / "b").chmod(0o755)
    before = state_of(workspace)
    session("move", source="b", destination="a", overwrite=True)
    session("undo", id="session")
    assert state_of(workspace) == before
