import fcntl
import gc
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.files.commit import commit
from codetools.files.prepare import prepare
from tests.files.room import commit_staged, files_of, journal_of, tree_of


def stage_edit(workspace: Path, name: str, content: bytes):
    files = files_of(workspace)
    files.modify(files.read(name), content)
    return files


def litter(root: Path) -> list[str]:
    return [path.name for path in root.rglob(".codetools-*")]


def test_a_committed_change_is_on_the_disk_and_in_the_journal_i4_i5(workspace: Path, home: Path):
    (workspace / "a.txt").write_bytes(b"old\n")
    done = commit_staged(stage_edit(workspace, "a.txt", b"new\n"), home)
    group = journal_of(home).group(done.undo)
    assert (workspace / "a.txt").read_bytes() == b"new\n"
    assert group is not None
    assert (group.status, group.entries[0].kind) == ("committed", "modify")
    assert journal_of(home).content(group.entries[0].before.sha256) == b"old\n"
    assert litter(workspace) == []


def test_without_a_journal_nothing_is_changed_i5(workspace: Path):
    (workspace / "a.txt").write_bytes(b"old")
    with pytest.raises(Failure, match="journal"):
        commit(prepare(stage_edit(workspace, "a.txt", b"new")), None, "test", None)
    assert (workspace / "a.txt").read_bytes() == b"old"


def test_what_was_written_meanwhile_is_stale_and_stays(workspace: Path, home: Path):
    (workspace / "a.txt").write_bytes(b"old")
    files = stage_edit(workspace, "a.txt", b"new")
    (workspace / "a.txt").write_bytes(b"other")
    with pytest.raises(Failure) as caught:
        commit_staged(files, home)
    assert (caught.value.kind, caught.value.details) == ("stale", {"changed_meanwhile": True})
    assert (workspace / "a.txt").read_bytes() == b"other"


def test_a_touch_is_no_change(workspace: Path, home: Path):
    (workspace / "a.txt").write_bytes(b"old")
    files = stage_edit(workspace, "a.txt", b"new")
    os.utime(workspace / "a.txt", (1, 1))
    commit_staged(files, home)
    assert (workspace / "a.txt").read_bytes() == b"new"


def test_what_is_written_between_check_and_swap_is_put_back(workspace: Path, home: Path):
    """The lock is no barrier to other programs: what the swap brought out is looked at."""
    (workspace / "a.txt").write_bytes(b"old")
    journal = journal_of(home)
    begin = journal.begin

    def write_first(*arguments: object) -> str:
        (workspace / "a.txt").write_bytes(b"theirs")
        return begin(*arguments)

    journal.begin = write_first
    with pytest.raises(Failure) as caught:
        commit(prepare(stage_edit(workspace, "a.txt", b"new")), journal, "test", None)
    assert caught.value.kind == "stale"
    assert tree_of(workspace) == {"a.txt": b"theirs"}
    assert journal.groups(str(workspace))[0].status == "aborted"


def test_a_new_file_never_replaces_one_that_appeared(workspace: Path, home: Path):
    files = files_of(workspace)
    files.create("a.txt", b"ours")
    (workspace / "a.txt").write_bytes(b"theirs")
    with pytest.raises(Failure) as caught:
        commit_staged(files, home)
    assert caught.value.kind == "stale"
    assert tree_of(workspace) == {"a.txt": b"theirs"}


def test_all_files_change_or_none(workspace: Path, home: Path):
    for name in "abc":
        (workspace / name).write_bytes(b"old " + name.encode())
    before = tree_of(workspace)
    files = files_of(workspace)
    files.create("new/deep/file", b"x")
    for name in "abc":
        files.modify(files.read(name), b"new")
    journal = journal_of(home)
    begin = journal.begin

    def spoil_the_last(*arguments: object) -> str:
        (workspace / "c").write_bytes(b"theirs")
        return begin(*arguments)

    journal.begin = spoil_the_last
    with pytest.raises(Failure):
        commit(prepare(files), journal, "test", None)
    assert tree_of(workspace) == {**before, "c": b"theirs"}
    assert not (workspace / "new").exists()


def test_missing_directories_are_made_and_recorded(workspace: Path, home: Path):
    files = files_of(workspace)
    files.create("x/y/z.txt", b"deep")
    done = commit_staged(files, home)
    assert [(change.kind, change.path) for change in done.changes] == [
        ("mkdir", "x"),
        ("mkdir", "x/y"),
        ("create", "x/y/z.txt"),
    ]
    assert (workspace / "x/y/z.txt").read_bytes() == b"deep"


def test_mode_and_attributes_stay(workspace: Path, home: Path):
    path = workspace / "run.sh"
    path.write_bytes(b"#!/bin/sh\n")
    path.chmod(0o750)
    os.setxattr(path, "user.note", b"kept")
    commit_staged(stage_edit(workspace, "run.sh", b"#!/bin/bash\n"), home)
    assert stat.S_IMODE(path.stat().st_mode) == 0o750
    assert os.getxattr(path, "user.note") == b"kept"


def test_owner_and_group_stay(workspace: Path, home: Path):
    if os.geteuid():
        return  # only root can make a file that is another's
    path = workspace / "a.txt"
    path.write_bytes(b"old")
    os.chown(path, 1234, 2345)
    commit_staged(stage_edit(workspace, "a.txt", b"new"), home)
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 2345)


def test_a_new_file_honours_the_umask(workspace: Path, home: Path):
    before = os.umask(0o027)
    try:
        files = files_of(workspace)
        files.create("d/a.txt", b"x")
        commit_staged(files, home)
    finally:
        os.umask(before)
    assert stat.S_IMODE((workspace / "d/a.txt").stat().st_mode) == 0o640
    assert stat.S_IMODE((workspace / "d").stat().st_mode) == 0o750


def test_a_link_is_edited_through_and_stays(workspace: Path, home: Path):
    (workspace / "real.txt").write_bytes(b"old")
    (workspace / "link.txt").symlink_to("real.txt")
    done = commit_staged(stage_edit(workspace, "link.txt", b"new"), home)
    assert (workspace / "link.txt").is_symlink()
    assert (workspace / "real.txt").read_bytes() == b"new"
    assert done.changes[0].path == "real.txt"


def test_a_hard_link_is_split_with_a_notice(workspace: Path, home: Path):
    (workspace / "a.txt").write_bytes(b"old")
    os.link(workspace / "a.txt", workspace / "b.txt")
    done = commit_staged(stage_edit(workspace, "a.txt", b"new"), home)
    assert tree_of(workspace) == {"a.txt": b"new", "b.txt": b"old"}
    assert [notice.kind for notice in done.notices] == ["hard_link"]


def test_a_read_only_file_is_refused(workspace: Path, home: Path):
    path = workspace / "a.txt"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(Failure, match="read only") as caught:
        commit_staged(stage_edit(workspace, "a.txt", b"new"), home)
    assert caught.value.kind == "io"
    assert tree_of(workspace) == {"a.txt": b"old"}


def test_a_directory_swapped_for_a_link_is_not_followed_i3(workspace: Path, home: Path, tmp_path: Path):
    (workspace / "d").mkdir()
    (workspace / "d/a.txt").write_bytes(b"old")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/a.txt").write_bytes(b"old")
    files = stage_edit(workspace, "d/a.txt", b"new")
    (workspace / "d").rename(workspace / "moved")
    (workspace / "d").symlink_to(tmp_path / "outside")
    with pytest.raises(Failure) as caught:
        commit_staged(files, home)
    assert caught.value.kind == "stale"
    assert (tmp_path / "outside/a.txt").read_bytes() == b"old"


def test_a_lock_that_stays_taken_names_its_holder_i6(workspace: Path, home: Path):
    (workspace / "a.txt").write_bytes(b"old")
    locks = home / "state" / "locks"
    locks.mkdir(parents=True)
    held = []
    for key in range(256):
        descriptor = os.open(locks / f"{key:02x}", os.O_RDWR | os.O_CREAT)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        os.write(descriptor, b"4321 (edit)")
        held.append(descriptor)
    files = stage_edit(workspace, "a.txt", b"new")
    files.limits = files.limits.but(lock_seconds=0.05)
    try:
        with pytest.raises(Failure, match=r"4321 \(edit\)") as caught:
            commit_staged(files, home)
    finally:
        for descriptor in held:
            os.close(descriptor)
    assert caught.value.kind == "io"
    assert tree_of(workspace) == {"a.txt": b"old"}


def test_delete_move_and_mkdir_are_committed(workspace: Path, home: Path):
    (workspace / "gone").write_bytes(b"1")
    (workspace / "from").write_bytes(b"2")
    (workspace / "empty").mkdir()
    (workspace / "link").symlink_to("/etc/passwd")
    files = files_of(workspace)
    files.delete("gone")
    files.delete("empty")
    files.delete("link")
    files.move("from", "sub/to")
    files.mkdir("made/here")
    done = commit_staged(files, home)
    assert tree_of(workspace) == {"sub/to": b"2"}
    assert (workspace / "made/here").is_dir()
    assert not (workspace / "empty").exists()
    assert not (workspace / "link").is_symlink()
    assert [change.kind for change in done.changes] == ["delete", "delete", "delete", "mkdir", "move", "mkdir", "mkdir"]


def test_a_failed_delete_takes_everything_back(workspace: Path, home: Path):
    (workspace / "a").write_bytes(b"1")
    (workspace / "from").write_bytes(b"2")
    (workspace / "d").mkdir()
    files = files_of(workspace)
    files.delete("a")
    files.move("from", "to")
    files.delete("d")
    (workspace / "d" / "late").write_bytes(b"3")
    with pytest.raises(Failure, match="what it holds changed"):
        commit_staged(files, home)
    assert tree_of(workspace) == {"a": b"1", "from": b"2", "d/late": b"3"}
    assert litter(workspace) == []


def test_a_directory_that_cannot_be_swapped_in_is_compared_and_renamed_with_a_notice(
    workspace: Path, home: Path, monkeypatch: pytest.MonkeyPatch
):
    from codetools.system import replace

    def unsupported(*_: object) -> None:
        raise replace.Unsupported

    monkeypatch.setattr(replace, "_rename", unsupported)
    (workspace / "a.txt").write_bytes(b"old")
    files = stage_edit(workspace, "a.txt", b"new")
    files.create("b.txt", b"b")
    done = commit_staged(files, home)
    assert tree_of(workspace) == {"a.txt": b"new", "b.txt": b"b"}
    assert [notice.kind for notice in done.notices] == ["weaker_guarantee", "weaker_guarantee"]


COMMITTER = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from tests.files.room import commit_staged, files_of
from codetools.core.errors import Failure
workspace, home, number = Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
for step in range(10):
    while True:
        files = files_of(workspace)
        document = files.read("shared.txt")
        files.modify(document, document.content + b"%d.%d\\n" % (number, step))
        try:
            commit_staged(files, home)
            break
        except Failure as failure:
            if failure.kind != "stale":
                raise
"""


def test_no_update_of_several_processes_is_lost(workspace: Path, home: Path):
    (workspace / "shared.txt").write_bytes(b"")
    command = [sys.executable, "-c", COMMITTER, str(Path(__file__).parents[2]), str(workspace), str(home)]
    running = [subprocess.Popen([*command, str(number)]) for number in range(4)]
    assert [process.wait(timeout=60) for process in running] == [0, 0, 0, 0]
    lines = (workspace / "shared.txt").read_text().split()
    assert sorted(lines) == sorted(f"{number}.{step}" for number in range(4) for step in range(10))
    assert litter(workspace) == []


def test_an_interrupt_waits_for_the_commit_and_is_told(workspace: Path, home: Path):
    assert threading.current_thread() is threading.main_thread()
    (workspace / "a.txt").write_bytes(b"old")
    journal = journal_of(home)
    begin = journal.begin

    def interrupt(*arguments: object) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        return begin(*arguments)

    journal.begin = interrupt
    done = commit(prepare(stage_edit(workspace, "a.txt", b"new")), journal, "test", None)
    assert [notice.kind for notice in done.notices] == ["interrupted"]
    assert tree_of(workspace) == {"a.txt": b"new"}


KILLED = """
import os, sys, signal
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from tests.files.room import commit_staged, files_of
from codetools.system import replace
remove = replace.remove
replace.remove = lambda *a: os.kill(os.getpid(), signal.SIGKILL)
files = files_of(Path(sys.argv[2]))
files.modify(files.read("a.txt"), b"new")
commit_staged(files, Path(sys.argv[3]))
"""


def test_what_a_killed_process_left_is_swept_by_the_next_and_its_change_can_be_undone(workspace: Path, home: Path):
    (workspace / "a.txt").write_bytes(b"old")
    command = [sys.executable, "-c", KILLED, str(Path(__file__).parents[2]), str(workspace), str(home)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert (workspace / "a.txt").read_bytes() == b"new"
    assert len(litter(workspace)) == 1
    commit_staged(stage_edit(workspace, "a.txt", b"newer"), home)
    assert litter(workspace) == []
    assert [group.status for group in journal_of(home).groups(str(workspace))] == ["committed", "committed"]


def test_a_full_disk_changes_nothing_and_says_so(home: Path, tmp_path: Path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk)], check=False, stderr=-3)
    if mounted.returncode:
        return  # needs the right to mount; the same path is taken with a file size limit below
    try:
        (disk / ".git").mkdir()
        (disk / "a.txt").write_bytes(b"x" * 20_000)
        with pytest.raises(Failure, match="No space left") as caught:
            commit_staged(stage_edit(disk, "a.txt", b"y" * 60_000), home)
        assert caught.value.kind == "io"
        assert tree_of(disk) == {"a.txt": b"x" * 20_000}
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_file_size_limit_changes_nothing(workspace: Path, home: Path):
    import resource

    (workspace / "a.txt").write_bytes(b"old")
    files = stage_edit(workspace, "a.txt", b"y" * 1_000_000)
    journal = journal_of(home)
    begin = journal.begin
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def limit(*arguments: object) -> str:
        group = begin(*arguments)
        resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, before[1]))
        return group

    journal.begin = limit
    try:
        with pytest.raises(Failure, match="nothing was changed") as caught:
            commit(prepare(files), journal, "test", None)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert caught.value.kind == "io"
    assert tree_of(workspace) == {"a.txt": b"old"}


def test_no_descriptor_is_left_open(workspace: Path, home: Path):
    (workspace / "a.txt").write_bytes(b"old")
    journal = journal_of(home)
    gc.collect()  # what earlier tests have left open is none of ours
    before = os.listdir("/proc/self/fd")
    for content in (b"one", b"two", b"three"):
        commit(prepare(stage_edit(workspace, "a.txt", content)), journal, "test", "session")
    assert len(os.listdir("/proc/self/fd")) == len(before)


def test_a_file_changed_and_moved_in_one_call_keeps_its_mode(workspace: Path, home: Path):
    (workspace / "a").write_bytes(b"old")
    (workspace / "a").chmod(0o755)
    files = stage_edit(workspace, "a", b"new")
    files.move("a", "sub/b")
    commit_staged(files, home)
    assert tree_of(workspace) == {"sub/b": b"new"}
    assert stat.S_IMODE((workspace / "sub/b").stat().st_mode) == 0o755


def test_old_content_that_cannot_be_removed_is_named(workspace: Path, home: Path, monkeypatch: pytest.MonkeyPatch):
    (workspace / "a.txt").write_bytes(b"old")
    files = stage_edit(workspace, "a.txt", b"new")
    unlink = os.unlink

    def refuse(path: str, *, dir_fd: int | None = None) -> None:
        if dir_fd is not None:
            raise PermissionError(1, "refused", path)
        unlink(path)

    monkeypatch.setattr(os, "unlink", refuse)
    done = commit_staged(files, home)
    assert (workspace / "a.txt").read_bytes() == b"new"
    assert [notice.kind for notice in done.notices] == ["left_over"]
    assert litter(workspace)[0] in done.notices[0].message
