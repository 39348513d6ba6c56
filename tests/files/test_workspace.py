import os
import subprocess
import sys
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.core.path import Path as Name
from codetools.files.workspace import Root, Workspace, find_workspace, parse_root


def bounded(root: Path, cwd: Path, *roots: Path) -> Workspace:
    return Workspace(Name(str(root)), Name(str(cwd)), tuple(Root(Name(str(path))) for path in roots))


def test_the_nearest_marker_makes_the_root(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    (workspace / "a/b").mkdir(parents=True)
    (workspace / "sub/.codetools").mkdir(parents=True)
    (workspace / "sub/deep").mkdir()
    monkeypatch.chdir(workspace / "a/b")
    assert find_workspace() == bounded(workspace, workspace / "a/b", workspace)
    monkeypatch.chdir(workspace / "sub/deep")
    assert find_workspace().root == str(workspace / "sub")


def test_a_marker_counts_by_its_name_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "p/q").mkdir(parents=True)
    (tmp_path / "p/.git").write_text("gitdir: /somewhere/else")
    monkeypatch.chdir(tmp_path / "p/q")
    assert find_workspace().root == str(tmp_path / "p")
    (tmp_path / "p/.git").unlink()
    (tmp_path / "p/.git").symlink_to("/nowhere")
    assert find_workspace().root == str(tmp_path / "p")


def test_without_a_marker_the_working_directory_is_the_root(tmp_path: Path):
    (tmp_path / "plain").mkdir()
    found = find_workspace(str(tmp_path / "plain"))
    assert (found.root, found.cwd, found.is_bounded) == (str(tmp_path / "plain"), str(tmp_path / "plain"), True)


def test_the_climb_stops_below_the_home_directory(home: Path):
    (home / ".git").mkdir()
    (home / "project").mkdir()
    assert find_workspace(str(home / "project")).root == str(home / "project")


@pytest.mark.parametrize("place", ["/", "~"])
def test_a_directory_too_wide_bounds_nothing(home: Path, place: str):
    (home / ".git").mkdir()
    found = find_workspace(os.path.expanduser(place))
    assert (found.is_bounded, found.roots) == (False, ())
    assert not found.locate("etc" if place == "/" else ".git").inside
    assert find_workspace(root=str(home)).is_bounded


def test_another_users_directory_bounds_nothing(tmp_path: Path):
    if os.geteuid():
        return  # only root can make a directory that is another's
    (tmp_path / "theirs/.git").mkdir(parents=True)
    (tmp_path / "theirs/mine").mkdir()
    os.chown(tmp_path / "theirs", 1234, 1234)
    assert not find_workspace(str(tmp_path / "theirs")).is_bounded
    assert find_workspace(str(tmp_path / "theirs/mine")).root == str(tmp_path / "theirs/mine")


def test_a_named_root_is_the_working_directory_where_the_current_one_lies_outside(workspace: Path, tmp_path: Path):
    (tmp_path / "other/sub").mkdir(parents=True)
    assert find_workspace(root=str(tmp_path / "other")).cwd == str(tmp_path / "other")
    assert find_workspace(root=str(tmp_path)).cwd == str(workspace)
    assert find_workspace(str(tmp_path / "other/sub"), str(tmp_path / "other")).cwd == str(tmp_path / "other/sub")


def test_roots_are_real_and_must_exist(tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "file").touch()
    assert parse_root(f"{tmp_path}/link:ro") == Root(Name(str(tmp_path / "real")), writable=False)
    assert find_workspace(root=f"{tmp_path}/link").root == str(tmp_path / "real")
    for written, kind in (("absent", "not_found"), ("file", "usage")):
        with pytest.raises(Failure) as caught:
            parse_root(f"{tmp_path}/{written}")
        assert caught.value.kind == kind


DELETED = """
import os, sys
os.mkdir(sys.argv[1]); os.chdir(sys.argv[1]); os.rmdir(sys.argv[1])
from codetools.core.errors import Failure
from codetools.core.path import Path as Name
from codetools.files.workspace import find_workspace
try:
    find_workspace()
except Failure as failure:
    print(failure.kind, failure.message)
print(find_workspace(root=sys.argv[2]).cwd)
"""


def test_a_deleted_working_directory_is_said(tmp_path: Path):
    command = [sys.executable, "-P", "-c", DELETED, str(tmp_path / "gone"), str(tmp_path)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert shown == ["not_found The working directory no longer exists.", str(tmp_path)]


def test_every_printed_path_passes_back(workspace: Path, tmp_path: Path):
    (workspace / "sub/deep").mkdir(parents=True)
    (tmp_path / "extra").mkdir()
    found = bounded(workspace, workspace / "sub", workspace, tmp_path / "extra")
    places = {
        workspace / "sub/deep/x": "deep/x",
        workspace / "sub": ".",
        workspace: "..",
        workspace / "a": "../a",
        workspace / "subtle": "../subtle",
        tmp_path / "extra/y": str(tmp_path / "extra/y"),
        Path("/etc/passwd"): "/etc/passwd",
        workspace / "sub/\udcff": "\udcff",
    }
    for absolute, shown in places.items():
        assert found.show(str(absolute)) == shown
        assert found.absolute(shown) == str(absolute)


def test_where_a_path_leads(workspace: Path, tmp_path: Path):
    (tmp_path / "ro").mkdir()
    (tmp_path / "ro/file").touch()
    (workspace / "file").touch()
    (workspace / "link").symlink_to("file")
    (workspace / "to-ro").symlink_to(tmp_path / "ro")
    found = bounded(workspace, workspace, workspace)
    found = found.but(roots=(*found.roots, Root(Name(str(tmp_path / "ro")), writable=False)))
    link = found.locate("link")
    assert (link.written, link.reached, link.inside) == (str(workspace / "link"), str(workspace / "file"), True)
    assert (found.locate("to-ro/file").root, found.locate("to-ro/file").writable) == (str(tmp_path / "ro"), False)
    outside = found.locate("/etc/passwd")
    assert (outside.inside, outside.root, outside.exists) == (False, "/", True)
    assert not found.locate(str(tmp_path / "ws-evil")).inside


def test_a_way_into_the_workspace_by_a_link_outside_is_inside(workspace: Path, tmp_path: Path):
    (workspace / "file").touch()
    (tmp_path / "alias").symlink_to(workspace)
    found = find_workspace(str(workspace)).locate(str(tmp_path / "alias/file"))
    assert (found.inside, found.reached) == (True, str(workspace / "file"))
