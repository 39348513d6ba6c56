from pathlib import Path
from typing import Any

import pytest

from tests.calls import call
from tests.cli.typed import typed


def mkdir(path: str, **options: Any) -> dict[str, Any]:
    return call("mkdir", {"path": path}, **{"yolo": True, **options})


def test_a_directory_and_those_above_it_are_made_and_undone(workspace: Path):
    answer = mkdir("a/b/c")
    assert (answer["text"], answer["changed"]) == ("Made the directory a/b/c.", True)
    assert (workspace / "a/b/c").is_dir()
    assert call("undo", {}, yolo=True)["ok"]
    assert not (workspace / "a").exists()


@pytest.mark.parametrize("path", ["d", "d/", "./d", "link", "."])
def test_a_directory_that_is_there_is_an_answer(workspace: Path, path: str):
    (workspace / "d").mkdir()
    (workspace / "link").symlink_to("d")
    answer = mkdir(path)
    assert (answer["ok"], answer["exit"], answer["changed"], answer["data"]["created"]) == (True, 0, False, False)


def test_a_file_in_its_place_is_an_error(workspace: Path):
    (workspace / "f").write_text("x")
    assert mkdir("f")["error"]["kind"] == "exists"
    assert mkdir("f/g")["exit"] == 66


def test_it_asks_like_any_change(workspace: Path):
    assert mkdir("d", yolo=False)["exit"] == 75
    assert not (workspace / "d").exists()


def test_a_protected_name_is_refused(workspace: Path):
    for path in (".git/new", ".codetools", ".Husky/a"):
        assert mkdir(path)["error"]["kind"] == "protected"


def test_p_is_understood_as_of_mkdir(workspace: Path):
    assert typed("mkdir", "-p", "a/b", "--yolo").exit_code == 0
    assert (workspace / "a/b").is_dir()
