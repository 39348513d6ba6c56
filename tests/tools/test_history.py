from pathlib import Path
from typing import Any

from tests.calls import call


def do(tool: str, session: str = "s", **arguments: object) -> dict[str, Any]:
    return call(tool, arguments, yolo=True, session=session)


def lines(answer: dict[str, Any]) -> list[list[str]]:
    """The text, without the time of each line."""
    rows = [line.split("  ") for line in answer["text"].split("\n")]
    return [[row[0], *row[2:]] for row in rows]


def test_changes_are_listed_newest_first_with_what_undo_takes(workspace: Path):
    (workspace / "a").write_text("1\n")
    do("edit", file_path="a", old_string="1", new_string="2\n3")
    do("write", file_path="b", content="x\n")
    do("move", source="b", destination="d/c")
    do("undo")
    do("delete", paths=["a"])
    answer = do("history")
    assert lines(answer) == [
        ["5", "delete", "a (deleted)", "+0 -2"],
        ["4", "undo", "d/c -> b, d (deleted)", "+0 -0", "[undid 3]"],
        ["3", "move", "d/ (new), b -> d/c", "+0 -0", "[undone]"],
        ["2", "write", "b (new)", "+1 -0"],
        ["1", "edit", "a", "+2 -1"],
    ]
    assert answer["data"]["changes"][4]["paths"] == [{"path": "a", "kind": "modify", "additions": 2, "removals": 1}]


def test_a_call_of_a_session_lists_its_own_and_all_lists_every(workspace: Path):
    do("write", "one", file_path="a", content="1")
    do("write", "two", file_path="b", content="2")
    assert [row[0] for row in lines(do("history", "one"))] == ["1"]
    assert [row[0] for row in lines(call("history", {"session": "two"}, session="one"))] == ["2"]
    assert [row[0] for row in lines(do("history", "one", all=True))] == ["2", "1"]
    assert [row[0] for row in lines(call("history", {}))] == ["2", "1"]


def test_the_history_of_a_file_or_of_a_directory(workspace: Path):
    for name in ("a", "d/x", "d/y", "dd"):
        do("write", file_path=name, content="1\n")
    do("move", source="a", destination="e")
    (workspace / "link").symlink_to("e")
    assert [row[0] for row in lines(do("history", path="a"))] == ["5", "1"]
    assert [row[0] for row in lines(do("history", path="link"))] == ["5"]
    assert [row[0] for row in lines(do("history", path="d"))] == ["3", "2"]
    answer = do("history", path="other")
    assert (answer["exit"], answer["text"]) == (1, "No changes are recorded.")


def test_more_than_the_limit_is_said_with_the_next_call(workspace: Path):
    for number in range(4):
        do("write", file_path=f"f{number}", content="1\n")
    answer = do("history", limit=2)
    assert [row[0] for row in lines(answer)[:2]] == ["4", "3"]
    assert answer["data"]["truncated"]["next"] == {"tool": "history", "arguments": {"limit": 10}}
    assert "[the 2 newest changes; limit shows more]" in answer["text"]


def test_a_change_of_many_files_stays_one_line(workspace: Path):
    for number in range(150):
        path = workspace / f"d/f{number}"
        path.parent.mkdir(exist_ok=True)
        path.write_text("1\n")
    do("delete", paths=["d"], recursive=True)
    answer = do("history")
    assert answer["text"].endswith("d (deleted) and 150 below  +0 -150")
    assert (len(answer["data"]["changes"][0]["paths"]), answer["data"]["changes"][0]["total_paths"]) == (100, 151)


def test_an_undo_of_a_session_names_all_it_undid(workspace: Path):
    for number in range(5):
        do("write", file_path=f"f{number}", content="1\n")
    do("undo", id="session")
    assert do("history")["data"]["changes"][0]["undoes"] == ["5", "4", "3", "2", "1"]


def test_another_workspace_is_not_listed(workspace: Path, tmp_path: Path):
    do("write", file_path="a", content="1")
    (tmp_path / "other/.git").mkdir(parents=True)
    assert call("history", {}, directory=tmp_path / "other")["exit"] == 1
