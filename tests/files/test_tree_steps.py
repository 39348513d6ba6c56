import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.files.commit import commit
from codetools.files.prepare import prepare
from tests.files.room import commit_staged, files_of, journal_of, tree_of
from tests.files.test_commit import litter
from tests.files.test_inverse import state_of, undo


@pytest.fixture
def tree(workspace: Path) -> Path:
    for name in ("a", "b/c", "b/d/e"):
        path = workspace / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    (workspace / "tree/empty").mkdir()
    (workspace / "tree/link").symlink_to("/etc/passwd")
    (workspace / "other").write_bytes(b"other")
    return workspace


def stage_removal(workspace: Path):
    files = files_of(workspace)
    files.delete("tree", recursive=True)
    return files


@pytest.mark.parametrize("spoil", ["write", "add", "remove", "chmod", "relink", "swap"])
def test_a_tree_that_changed_meanwhile_stays_as_it_is_now(tree: Path, home: Path, tmp_path: Path, spoil: str):
    """What went with the name is looked at after the rename, for other programs know no lock of ours."""
    (tmp_path / "outside").mkdir()
    journal = journal_of(home)
    begin = journal.begin

    def spoil_first(*arguments: object) -> str:
        if spoil == "write":
            (tree / "tree/b/c").write_bytes(b"B/C")
        elif spoil == "add":
            (tree / "tree/b/d/new").write_bytes(b"x")
        elif spoil == "remove":
            (tree / "tree/b/c").unlink()
        elif spoil == "chmod":
            (tree / "tree/b").chmod(0o700)
        elif spoil == "relink":
            (tree / "tree/link").unlink()
            (tree / "tree/link").symlink_to("/etc/group")
        else:
            (tree / "tree/b").rename(tree / "away")
            (tree / "tree/b").symlink_to(tmp_path / "outside")
        return begin(*arguments)

    journal.begin = spoil_first
    with pytest.raises(Failure) as caught:
        commit(prepare(stage_removal(tree)), journal, "test", None)
    assert (caught.value.kind, caught.value.details) == ("stale", {"changed_meanwhile": True})
    assert (tree / "tree/a").read_bytes() == b"a"
    assert litter(tree) == []
    assert journal.groups(str(tree))[0].status == "aborted"


def test_a_tree_comes_back_where_a_later_step_fails(tree: Path, home: Path):
    before = state_of(tree)
    files = stage_removal(tree)
    files.modify(files.read("other"), b"new")
    journal = journal_of(home)
    begin = journal.begin

    def spoil_the_last(*arguments: object) -> str:
        (tree / "other").write_bytes(b"theirs")
        return begin(*arguments)

    journal.begin = spoil_the_last
    with pytest.raises(Failure):
        commit(prepare(files), journal, "test", None)
    (tree / "other").write_bytes(b"other")
    assert state_of(tree) == before
    assert litter(tree) == []


def test_a_new_tree_is_there_whole_or_not_at_all(workspace: Path, home: Path):
    files = files_of(workspace)
    for name in ("n/a", "n/b/c"):
        files.create(name, b"x")
    journal = journal_of(home)
    begin = journal.begin

    def take_the_name(*arguments: object) -> str:
        (workspace / "n").mkdir()
        return begin(*arguments)

    journal.begin = take_the_name
    with pytest.raises(Failure) as caught:
        commit(prepare(files), journal, "test", None)
    assert caught.value.details == {"changed_meanwhile": True}
    assert os.listdir(workspace / "n") == []
    assert litter(workspace) == []


def test_a_directory_that_only_its_owner_may_read_comes_back_so(workspace: Path, home: Path):
    (workspace / "d/e").mkdir(parents=True)
    (workspace / "d/e/f").write_bytes(b"x")
    (workspace / "d/e").chmod(0o2750)
    (workspace / "d").chmod(0o1711)
    before = state_of(workspace)
    files = files_of(workspace)
    files.delete("d", recursive=True)
    done = commit_staged(files, home)
    undo(workspace, home, done.undo)
    assert state_of(workspace) == before


def test_a_name_is_freed_and_taken_by_another_kind_in_one_call(workspace: Path, home: Path):
    (workspace / "was-file").write_bytes(b"x")
    (workspace / "was-link").symlink_to("was-file")
    (workspace / "was-dir").mkdir()
    before = state_of(workspace)
    files = files_of(workspace)
    for name in ("was-file", "was-link", "was-dir"):
        files.delete(name)
    files.mkdir("was-file")
    files.create("was-link", b"now a file")
    files.create("was-dir", b"now a file")
    done = commit_staged(files, home).undo
    assert (workspace / "was-file").is_dir()
    assert tree_of(workspace) == {"was-link": b"now a file", "was-dir": b"now a file"}
    undo(workspace, home, done)
    assert state_of(workspace) == before


def test_what_leaves_a_directory_that_goes_is_kept(workspace: Path, home: Path):
    (workspace / "d").mkdir()
    (workspace / "d/f").write_bytes(b"x")
    before = state_of(workspace)
    files = files_of(workspace)
    files.move("d/f", "f")
    files.delete("d")
    done = commit_staged(files, home).undo
    assert tree_of(workspace) == {"f": b"x"}
    undo(workspace, home, done)
    assert state_of(workspace) == before


KILLED = """
import os, sys, signal
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from codetools.files import branch
from codetools.state.journal import Journal
from tests.files.room import commit_staged, files_of
from tests.files.test_inverse import undo
def die(*_): os.kill(os.getpid(), signal.SIGKILL)
what, workspace, home = sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
if what == "removing":
    branch.remove = die
elif what == "comparing":
    branch.difference = die
elif what == "laying":
    lay_file, count = branch.lay_file, [0]
    def lay_two(*arguments):
        count[0] += 1
        return die() if count[0] == 3 else lay_file(*arguments)
    branch.lay_file = lay_two
elif what == "laid":
    Journal.commit = die
if what in ("removing", "comparing"):
    files = files_of(workspace)
    files.delete("tree", recursive=True)
    commit_staged(files, home)
else:
    undo(workspace, home, "1")
"""


@pytest.mark.parametrize("what", ["removing", "comparing", "laying", "laid"])
def test_a_killed_process_leaves_a_tree_old_or_new_and_its_journal_right(tree: Path, home: Path, what: str):
    before = state_of(tree)
    if what in ("laying", "laid"):
        commit_staged(stage_removal(tree), home)
    command = [sys.executable, "-c", KILLED, str(Path(__file__).parents[2]), what, str(tree), str(home)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    is_there = what == "laid"
    assert (tree / "tree").exists() == is_there
    assert len(litter(tree)) == (0 if what == "laid" else 1)
    if is_there:
        assert state_of(tree) == before
        assert [group.status for group in journal_of(home).groups(str(tree))] == ["committed", "undone"]
        return
    undo(tree, home, "1")  # takes the lock that the dead process noted its litter with
    assert state_of(tree) == before
    assert litter(tree) == []


def test_a_limit_that_strikes_while_a_tree_is_laid_leaves_nothing(workspace: Path, home: Path):
    import resource

    (workspace / "d").mkdir()
    (workspace / "d/a").write_bytes(b"x" * 1000)
    (workspace / "d/large").write_bytes(b"x" * 900_000)
    files = files_of(workspace)
    files.delete("d", recursive=True)
    commit_staged(files, home)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    journal = journal_of(home)
    group = journal.group("1")
    assert group is not None
    files = files_of(workspace)
    from codetools.files.inverse import stage_inverse

    stage_inverse(files, group, journal.content)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, before[1]))
    try:
        with pytest.raises(Failure, match="nothing was changed") as caught:
            commit(prepare(files), journal, "undo", None, "1")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert caught.value.kind == "io"
    assert [path.name for path in workspace.iterdir()] == [".git"]
