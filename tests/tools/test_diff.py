import os
import subprocess
from pathlib import Path
from typing import Any

from tests.calls import call


def do(tool: str, session: str = "s", **arguments: object) -> dict[str, Any]:
    answer = call(tool, arguments, yolo=True, session=session)
    assert answer["exit"] in (0, 1), answer
    return answer


def kinds(answer: dict[str, Any]) -> dict[str, str]:
    return {one["path"]: one["kind"] for one in answer["data"]["files"]}


def test_a_session_is_one_diff_of_first_against_present(workspace: Path):
    (workspace / "a").write_text("one\ntwo\nthree\n")
    (workspace / "gone").write_text("x\n")
    do("edit", file_path="a", old_string="two", new_string="2")
    do("edit", file_path="a", old_string="2", new_string="zwei")
    do("write", file_path="new", content="n\n")
    do("delete", paths=["gone"])
    do("write", file_path="passing", content="p")
    do("delete", paths=["passing"])
    answer = do("diff")
    assert answer["text"] == (
        "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n"
        "--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+n"
    )
    assert kinds(answer) == {"a": "modify", "gone": "delete", "new": "create"}
    assert (answer["data"]["additions"], answer["data"]["removals"], answer["data"]["total_files"]) == (2, 2, 3)


def test_git_takes_the_diff_back_to_the_first_state(workspace: Path):
    for number in range(6):
        (workspace / f"f{number}").write_text("".join(f"{number} {line}\n" for line in range(30)))
    before = {path.name: path.read_bytes() for path in workspace.iterdir() if path.is_file()}
    for number in range(4):
        do("edit", file_path=f"f{number}", old_string=f"{number} 7\n", new_string="seven\n")
        do("edit", file_path=f"f{number}", old_string=f"{number} 20\n", new_string="")
    do("delete", paths=["f4"])
    do("write", file_path="sub/new", content="no final newline")
    patch = do("diff")["text"] + "\n"
    subprocess.run(["git", "init", "-q", "."], check=True)
    subprocess.run(["git", "apply", "-R", "-"], input=patch.encode(), check=True)
    assert {path.name: path.read_bytes() for path in workspace.iterdir() if path.is_file()} == before


def test_what_was_undone_is_no_change(workspace: Path):
    (workspace / "a").write_text("1\n")
    do("edit", file_path="a", old_string="1", new_string="2")
    do("undo")
    answer = do("diff")
    assert (answer["exit"], answer["text"]) == (1, "Nothing has changed.")


def test_moves_are_shown_as_such(workspace: Path):
    (workspace / "a").write_text("1\n")
    (workspace / "d").mkdir()
    (workspace / "d/f").write_text("2\n")
    do("move", source="a", destination="b")
    do("move", source="b", destination="c")
    do("move", source="d", destination="e")
    answer = do("diff")
    assert answer["text"] == "rename from a\nrename to c\nrename from d\nrename to e"
    assert kinds(answer) == {"c": "move", "e": "move"}


def test_a_moved_and_changed_file_shows_its_lines(workspace: Path):
    (workspace / "a").write_text("1\n")
    do("move", source="a", destination="b")
    do("edit", file_path="b", old_string="1", new_string="2")
    assert kinds(do("diff")) == {"a": "delete", "b": "create"}
    assert "-1\n" in do("diff")["text"]


def test_only_the_session_counts_and_others_are_told(workspace: Path):
    (workspace / "a").write_text("1\n")
    do("edit", "one", file_path="a", old_string="1", new_string="2")
    do("write", "two", file_path="b", content="b\n")
    assert kinds(do("diff", "one")) == {"a": "modify"}
    assert kinds(call("diff", {"session": "two"})) == {"b": "create"}
    assert kinds(call("diff", {})) == {"a": "modify", "b": "create"}
    (workspace / "a").write_text("person\n")
    answer = do("diff", "one")
    assert answer["data"]["files"][0]["is_foreign"]
    assert "[also changed by somebody else, which undo refuses to touch: a]" in answer["text"]
    assert "+person" in answer["text"]


def test_since_a_change_and_below_a_path(workspace: Path):
    for name in ("a", "d/b", "d/c"):
        do("write", file_path=name, content="1\n")
    assert set(kinds(do("diff", since="2"))) == {"d", "d/b", "d/c"}
    assert set(kinds(do("diff", since="3"))) == {"d/c"}
    assert set(kinds(do("diff", path="a"))) == {"a"}
    assert set(kinds(do("diff", path="d"))) == {"d", "d/b", "d/c"}
    assert call("diff", {"since": "99"})["error"]["kind"] == "not_found"


def test_commands_that_ran_are_named_and_those_that_only_read_are_not(workspace: Path):
    do("bash", command="touch made")
    do("bash", command="ls")
    call("bash", {"command": "touch refused"}, session="s")
    do("bash", "other", command="touch theirs")
    do("write", file_path="a", content="1\n")
    answer = do("diff")
    assert [one["command"] for one in answer["data"]["commands"]] == ["touch made"]
    assert answer["text"].endswith("[not covered by this diff or by undo: what these commands changed]\n  touch made")


def test_what_may_not_be_read_is_named_and_not_shown(workspace: Path):
    do("write", file_path=".env", content="TOKEN=hunter2\n")
    answer = call("diff", {}, session="s")
    assert (kinds(answer), "hunter2" in str(answer)) == ({".env": "hidden"}, False)
    assert "not to be shown without asking: .env" in answer["text"]
    denied = call("diff", {}, session="s", deny=("read(.env)",), yolo=True)
    assert "hunter2" not in str(denied)


def test_binary_large_links_and_directories_take_a_line(workspace: Path):
    (workspace / "bin").write_bytes(b"\x00\x01\x02" * 100)
    (workspace / "link").symlink_to("bin")
    (workspace / "empty").mkdir()
    do("delete", paths=["bin", "link", "empty"], recursive=True)
    do("mkdir", path="made")
    answer = do("diff")
    assert answer["text"].split("\n") == [
        "Binary file bin changes: 300 bytes to nothing.",
        "empty: a directory becomes nothing.",
        "link: a link to bin becomes nothing.",
        "made: nothing becomes a directory.",
    ]


def test_more_than_fits_is_cut_by_files_and_said(workspace: Path, home: Path):
    for number in range(5):
        do("write", file_path=f"f{number}", content="line\n" * 100)
    config = home / "config.yaml"
    config.write_text("limits: {read_chars: 1500}\n")
    answer = call("diff", {}, session="s", config=config)
    assert (len(answer["data"]["files"]), answer["data"]["total_files"]) == (2, 5)
    assert "2 of 5 changed files shown; not shown: f2, f3, f4" in answer["text"]


def test_a_link_put_in_the_place_of_a_changed_file_is_not_followed_out_i3(workspace: Path, tmp_path: Path):
    (tmp_path / "outside").write_text("outside secret\n")
    do("write", file_path="a", content="1\n")
    (workspace / "a").unlink()
    os.symlink(tmp_path / "outside", workspace / "a")
    answer = do("diff")
    assert "outside secret" not in str(answer)
