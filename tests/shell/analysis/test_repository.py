"""Which repositories git may read unasked: only those whose every setting is known to be harmless."""

import os
from pathlib import Path

import pytest

from codetools.shell.analysis.repository import find_repository
from tests.shell.places import make_repository, make_workspace, run_git


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repository(make_workspace(tmp_path)).resolve()


def trouble(root: Path) -> str:
    found = find_repository(str(root), (str(root),))
    assert found is not None
    return found.trouble


def test_a_usual_clone_is_no_trouble(root: Path, tmp_path: Path):
    run_git(tmp_path, "clone", "-q", str(root), "clone")
    clone = tmp_path / "clone"
    run_git(clone, "config", "user.name", "A Name")
    run_git(clone, "config", "branch.main.description", "# not a comment; nor this")
    run_git(clone, "config", "remote.origin.url", "git@example.org:a/b.git")
    assert trouble(clone) == ""


@pytest.mark.parametrize(
    ("place", "make"),
    [
        (".git/config", lambda path: (path.unlink(), os.mkfifo(path))),
        (".git/config", lambda path: (path.rename(path.with_name("other")), path.symlink_to("other"))),
        (".git/config", lambda path: path.unlink()),
        (".git/config", lambda path: path.write_text("[user]\n" + "name = x\n" * 100_000)),
        (".git/config", lambda path: path.write_bytes(b"[user]\n\0")),
        (".git/config.worktree", lambda path: path.write_text("[core]\n\tfsmonitor = x\n")),
        (".git/commondir", lambda path: path.write_text("../elsewhere\n")),
        (".git/objects/info/alternates", lambda path: path.write_text("/elsewhere\n")),
        (".git/HEAD", lambda path: path.unlink()),
        (".git/packed-refs", lambda path: path.symlink_to("../.env")),
        (".git/shallow", lambda path: path.symlink_to("../.env")),
        (".git/info/grafts", lambda path: (path.parent.mkdir(exist_ok=True), path.symlink_to("../../.env"))),
        (".git/rebase-merge/head-name", lambda path: (path.parent.mkdir(), path.symlink_to("../../.env"))),
        (".git/worktrees", lambda path: path.symlink_to("..")),
        (".git/refs", lambda path: path.rename(path.with_name("no"))),
        (".git", lambda path: (path.rename(path.with_name("g")), path.symlink_to("g"))),
        (".git", lambda path: (path.rename(path.with_name("g")), path.write_text("gitdir: g\n"))),
    ],
)
def test_i7_what_is_not_plain_is_a_trouble(root: Path, place: str, make):
    make(root / place)
    assert trouble(root)


def test_submodules_and_filters_trouble_only_what_reads_files(root: Path):
    (root / "src/.gitattributes").write_text("*.psd filter=lfs\n")
    found = find_repository(str(root / "src"), (str(root),))
    assert found is not None
    assert (found.top, found.trouble, bool(found.files_trouble)) == (str(root), "", True)
    (root / "src/.gitattributes").write_text("*.py diff=python text\n")
    assert not find_repository(str(root / "src"), (str(root),)).files_trouble
    (root / ".gitmodules").write_text("")
    assert find_repository(str(root), (str(root),)).files_trouble


def test_a_repository_above_the_workspace_does_not_count(root: Path):
    assert find_repository(str(root / "src/deep"), (str(root / "src"),)) is None
    assert find_repository(str(root), ()) is None
