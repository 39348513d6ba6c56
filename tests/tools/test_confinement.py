"""No tool that changes files reaches what lies outside, or what is protected, by any spelling of a path (I3)."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.calls import call
from tests.files.test_inverse import state_of
from tests.files.test_races import SWAPPER

PATCH = "*** Begin Patch\n*** {}\n*** End Patch\n"

MUTATIONS: dict[str, Callable[[str], tuple[str, dict[str, Any]]]] = {
    "write": lambda path: ("write", {"file_path": path, "content": "x"}),
    "edit": lambda path: ("edit", {"file_path": path, "old_string": "theirs", "new_string": "x"}),
    "edit_new": lambda path: ("edit", {"file_path": path, "old_string": "", "new_string": "x"}),
    "patch_add": lambda path: ("patch", {"patch": PATCH.format(f"Add File: {path}\n+x")}),
    "patch_update": lambda path: ("patch", {"patch": PATCH.format(f"Update File: {path}\n@@\n-theirs\n+x")}),
    "patch_delete": lambda path: ("patch", {"patch": PATCH.format(f"Delete File: {path}")}),
    "patch_move": lambda path: (
        "patch",
        {"patch": PATCH.format(f"Update File: mine\n*** Move to: {path}\n@@\n-m\n+n")},
    ),
    "delete": lambda path: ("delete", {"paths": [path], "recursive": True}),
    "mkdir": lambda path: ("mkdir", {"path": path}),
    "move_from": lambda path: ("move", {"source": path, "destination": "got"}),
    "move_to": lambda path: ("move", {"source": "mine", "destination": path, "overwrite": True}),
}
each_mutation = pytest.mark.parametrize("mutation", MUTATIONS)

OUTSIDE_BY_NAME = [
    "../outside/file",
    "../outside/new",
    "d/../../outside/file",
    "../ws-evil/file",
    "{outside}/file",
    "~",
]
OUTSIDE_BY_LINK = [
    "out/file",
    "out/new",
    "abs/file",
    "d/out/file",
    "dangling/new",
    "out/../outside/file",
    "magic{outside}/file",
]
PROTECTED = [
    ".git/config", ".git/hooks/new", ".GIT/config", "d/.Git/HEAD", ".codetools/config.yaml", ".CodeTools/new/x",
    ".envrc", ".ENVRC", ".mcp.json", ".vscode/tasks.json", "d/.vscode/Tasks.json", "in/.git/config",
]  # fmt: skip


@pytest.fixture
def ground(workspace: Path, tmp_path: Path) -> Path:
    """A workspace with links of every kind, and two neighbours that must stay as they are."""
    for name in ("outside", "ws-evil"):
        (tmp_path / name / "sub").mkdir(parents=True)
        (tmp_path / name / "file").write_text("theirs\n")
    (workspace / "d").mkdir()
    (workspace / "mine").write_text("m\n")
    (workspace / ".git/config").write_text("theirs\n")
    links = {
        "out": "../outside", "abs": str(tmp_path / "outside"), "d/out": "../../outside", "dangling": "../nowhere",
        "magic": "/proc/self/root", "in": str(workspace / "d"), "out-file": "../outside/file", "loop": "loop",
    }  # fmt: skip
    for name, target in links.items():
        (workspace / name).symlink_to(target)
    return workspace


def neighbours(ground: Path) -> dict[str, object]:
    return {name: state_of(ground.parent / name) for name in ("outside", "ws-evil")}


def make(mutation: str, path: str, ground: Path, **options: Any) -> dict[str, Any]:
    tool, arguments = MUTATIONS[mutation](path.replace("{outside}", str(ground.parent / "outside")))
    return call(tool, arguments, **options)


@each_mutation
@pytest.mark.parametrize("path", OUTSIDE_BY_NAME)
def test_a_path_that_names_the_outside_is_asked_about_and_nothing_is_told(ground: Path, mutation: str, path: str):
    before = neighbours(ground)
    path = str(Path.home() / "file") if path == "~" else path
    if mutation.startswith("patch") and path.startswith("/"):
        return  # a patch takes no absolute path
    answer = make(mutation, path, ground, allow=("edit(**)", "read(**)"))
    assert answer["exit"] in (75, 77, 65), answer["text"]
    assert (answer["ok"], answer["changed"]) == (False, False)
    assert "theirs" not in str(answer)
    assert neighbours(ground) == before


@each_mutation
@pytest.mark.parametrize("path", OUTSIDE_BY_LINK)
def test_a_link_that_leads_out_is_refused_whatever_the_rules_say(ground: Path, mutation: str, path: str):
    before, inside = neighbours(ground), state_of(ground)
    answer = make(mutation, path, ground, yolo=True)
    assert (answer["exit"], answer["changed"]) == (77, False), answer["text"]
    assert neighbours(ground) == before
    assert state_of(ground) == inside
    assert not (ground.parent / "nowhere").exists()


@each_mutation
def test_the_refusal_is_the_same_whether_the_target_exists_or_not(ground: Path, mutation: str):
    there, missing = (make(mutation, f"out/{name}", ground, yolo=True) for name in ("file", "miss"))
    assert there["error"]["kind"] == missing["error"]["kind"]
    assert there["text"].replace("out/file", "P") == missing["text"].replace("out/miss", "P")
    there, missing = (make(mutation, f"../outside/{name}", ground, allow=("edit(mine)",)) for name in ("file", "miss"))
    assert there["text"].replace("/file", "P") == missing["text"].replace("/miss", "P")


@each_mutation
def test_a_link_in_the_last_place_is_gone_itself_or_refused(ground: Path, mutation: str):
    before = neighbours(ground)
    for path in ("out-file", "dangling", "out"):
        answer = make(mutation, path, ground, yolo=True)
        if mutation in ("delete", "move_from", "patch_delete") and answer["ok"]:
            assert not os.path.lexists(ground / path)
            call("undo", {}, yolo=True)
        else:
            assert (answer["ok"], answer["changed"]) == (False, False), answer["text"]
        assert os.path.islink(ground / path)
    assert neighbours(ground) == before
    assert not (ground.parent / "nowhere").exists()


@each_mutation
@pytest.mark.parametrize("path", PROTECTED)
def test_protected_names_are_refused_in_any_case_and_before_they_exist(ground: Path, mutation: str, path: str):
    before = state_of(ground)
    answer = make(mutation, path, ground, yolo=True, allow=("edit(**)",))
    assert (answer["ok"], answer["changed"]) == (False, False)
    assert answer["error"]["kind"] in ("protected", "not_found", "exists"), answer["text"]
    if mutation in ("write", "mkdir", "move_to", "delete", "move_from"):
        assert answer["error"]["kind"] == "protected", answer["text"]
    assert state_of(ground) == before


@each_mutation
def test_a_loop_of_links_ends(ground: Path, mutation: str):
    answer = make(mutation, "loop/file", ground, yolo=True)
    assert (answer["ok"], answer["changed"]) == (False, False)


def test_an_absolute_link_that_stays_inside_works_for_every_tool(ground: Path):
    for mutation, path in (
        ("write", "in/new"), ("edit", "in/old"), ("patch_update", "in/patched"), ("mkdir", "in/made"),
        ("move_to", "in/moved"), ("delete", "in/gone"), ("move_from", "in/from"),
    ):  # fmt: skip
        if mutation in ("edit", "patch_update", "delete", "move_from"):
            (ground / path).write_text("theirs\n")
        answer = make(mutation, path, ground, yolo=True)
        assert answer["ok"], answer["text"]
    assert sorted(os.listdir(ground / "d")) == ["made", "moved", "new", "old", "out", "patched"]


def test_an_undo_follows_no_link_put_in_its_way(ground: Path):
    (ground / "e").mkdir()
    (ground / "e/file").write_text("theirs\n")
    assert make("edit", "e/file", ground, yolo=True)["ok"]
    (ground / "e").rename(ground / "away")
    (ground / "e").symlink_to("../outside")
    (ground.parent / "outside/file").write_text("x\n")
    before = neighbours(ground)
    answer = call("undo", {}, yolo=True)
    assert (answer["ok"], answer["changed"]) == (False, False)
    assert neighbours(ground) == before


def test_a_git_file_that_points_elsewhere_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "tree/sub").mkdir(parents=True)
    (tmp_path / "tree/.git").write_text(f"gitdir: {tmp_path}/elsewhere\n")
    monkeypatch.chdir(tmp_path / "tree/sub")
    assert call("write", {"file_path": "../a", "content": "x"}, yolo=True)["ok"]
    answer = call("write", {"file_path": "../../elsewhere/a", "content": "x"}, allow=("edit(**)",))
    assert (answer["exit"], os.listdir(tmp_path / "elsewhere")) == (75, [])


def test_swapped_links_never_let_a_tool_out_i3(ground: Path, home: Path):
    for name in ("real", "place"):
        (ground / name / "sub").mkdir(parents=True)
        (ground / name / "sub/f").write_text("theirs\n")
        (ground / name / "file").write_text("theirs\n")
    (ground / "link").symlink_to("real")
    (home / "config.yaml").write_text("limits: {lock_seconds: 0.01}\n")
    before = neighbours(ground)
    command = [sys.executable, "-c", SWAPPER, str(ground.parent / "outside")]
    done, until, turn = 0, time.monotonic() + 2.5, 0
    with subprocess.Popen(command, cwd=ground, stdout=subprocess.PIPE) as swapper:
        assert swapper.stdout is not None
        swapper.stdout.readline()
        while time.monotonic() < until:
            for directory in ("place", "link"):
                turn += 1
                for mutation, path in (
                    ("write", f"new{turn}"), ("edit", "file"), ("mkdir", f"m{turn}/n"), ("delete", "sub"),
                    ("move_from", "file"), ("move_to", f"moved{turn}"),
                ):  # fmt: skip
                    answer = make(mutation, f"{directory}/{path}", ground, yolo=True, config=home / "config.yaml")
                    done += answer["changed"]
                    if answer["changed"] and mutation in ("edit", "delete", "move_from", "move_to"):
                        call("undo", {}, yolo=True, config=home / "config.yaml")
        swapper.kill()
    assert done > 0
    assert neighbours(ground) == before
