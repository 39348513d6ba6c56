import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.path import Path as Written
from codetools.state.blobs import INLINE_BYTES
from codetools.state.journal import Entry, Journal, PreImage
from codetools.state.store import open_store
from codetools.system.replace import temporary_name

ROOT = "/p"
DIES = """
import os, sys
sys.path.insert(0, sys.argv[1])
from tests.state.test_journal import *
target = Written(sys.argv[3])
journal = Journal(open_store(sys.argv[2], 5.0))
entries = tuple(modify(target + name, b"old", b"new") for name in ("a", "b"))
journal.begin("edit", None, ROOT, entries)
for name in sys.argv[4:]:
    Path(target + name).write_bytes(b"new")
os.kill(os.getpid(), 9)
"""
FILLS = """
import resource, sys
sys.path.insert(0, sys.argv[1])
from tests.state.test_journal import *
journal = Journal(open_store(sys.argv[2], 5.0))
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
try:
    journal.begin("edit", None, ROOT, (modify("/p/a", b"x" * int(sys.argv[3]), b"new"),))
except Failure as failure:
    print(failure.kind)
"""
CHECKOUT = str(Path(__file__).parent.parent.parent)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def image(content: bytes) -> PreImage:
    return PreImage(sha256(content), len(content), 0o100644, content)


def modify(path: str, before: bytes, after: bytes) -> Entry:
    return Entry(Written(path), "modify", None, image(before), sha256(after), 0o644)


def done(journal: Journal, *entries: Entry, session: str | None = None, undoes: str | None = None) -> str:
    group = journal.begin("edit", session, ROOT, entries, undoes)
    journal.commit(group)
    return group


def latest(journal: Journal, session: str | None = None) -> str | None:
    group = journal.latest(ROOT, session)
    return group.id if group else None


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(open_store(str(tmp_path / "home"), 5.0))


@pytest.mark.parametrize("size", [0, 10, INLINE_BYTES, INLINE_BYTES + 1, 1 << 20])
def test_i5_a_pre_image_comes_back_whole(journal: Journal, size: int):
    content = os.urandom(size)
    journal.begin("edit", "s", ROOT, (modify("/p/a", content, b"x"),))
    assert journal.content(sha256(content)) == content
    assert [found.status for found in journal.groups(ROOT)] == ["intent"]


def test_i5_what_was_begun_is_seen_by_another_process(journal: Journal):
    done(journal, modify("/p/a", b"old", b"new"))
    code = "import sys; from codetools.state.journal import *; from codetools.state.store import *;"
    code += (
        "j = Journal(open_store(sys.argv[1], 1.0)); g = j.latest('/p'); print(j.content(g.entries[0].before.sha256))"
    )
    found = subprocess.run([sys.executable, "-c", code, journal.store.home], capture_output=True, check=True)
    assert found.stdout == b"b'old'\n"


def test_a_group_comes_back_as_it_was_given(journal: Journal):
    odd = Written(os.fsdecode(b"/p/\xff\n"))
    link = PreImage(sha256(b"t"), 1, 0o120777, None, os.fsdecode(b"t\xfe"))
    directory = PreImage(sha256(b""), 0, 0o040755)
    attributes = (("user.a", b"\x00\xff"), ("security.capability", b"c"))
    entries = (
        Entry(odd, "create", None, None, sha256(b"n"), 0o600),
        Entry(Written("/p/l"), "delete", None, link),
        Entry(Written("/p/d"), "delete", None, directory),
        Entry(Written("/p/new"), "mkdir"),
        Entry(Written("/p/m"), "move", odd, image(b"m").but(xattrs=attributes), sha256(b"m"), 0o644),
        Entry(Written("/p/k"), "create", after_link="to"),
    )
    group = journal.group(done(journal, *entries, session="s"))
    assert group is not None
    assert group.entries[4] == entries[4].but(before=entries[4].before.but(content=None))  # type: ignore[union-attr]
    assert group.entries[:4] + group.entries[5:] == entries[:4] + entries[5:]
    assert (group.tool, group.session, group.root, group.status, group.undoes) == ("edit", "s", ROOT, "committed", None)


def test_an_unknown_group_is_none(journal: Journal):
    assert [journal.group(name) for name in ("1", "x", "-1", "9" * 30, "")] == [None] * 5


def test_undo_walks_back_and_redo_is_undone_again(journal: Journal):
    first = done(journal, modify("/p/a", b"0", b"1"))
    second = done(journal, modify("/p/a", b"1", b"2"))
    assert latest(journal) == second
    undo = done(journal, modify("/p/a", b"2", b"1"), undoes=second)
    assert latest(journal) == first
    redo = done(journal, modify("/p/a", b"1", b"2"), undoes=undo)
    assert latest(journal) == redo
    assert [group.status for group in journal.groups(ROOT)] == ["committed", "undone", "undone", "committed"]
    done(journal, modify("/p/a", b"2", b"1"), undoes=redo)
    assert latest(journal) == first


def test_an_aborted_or_open_group_is_not_undone(journal: Journal):
    first = done(journal, modify("/p/a", b"0", b"1"))
    journal.abort(journal.begin("edit", None, ROOT, (modify("/p/a", b"1", b"2"),)))
    journal.begin("edit", None, ROOT, (modify("/p/a", b"1", b"3"),))
    assert latest(journal) == first
    assert [group.status for group in journal.groups(ROOT)] == ["intent", "aborted", "committed"]


def test_sessions_and_workspaces_are_apart(journal: Journal):
    mine = done(journal, modify("/p/a", b"0", b"1"), session="mine")
    yours = done(journal, modify("/p/b", b"0", b"1"), session="yours")
    assert latest(journal) == yours
    assert latest(journal, "mine") == mine
    assert journal.latest("/q") is None
    assert [group.id for group in journal.groups(ROOT, session="yours")] == [yours]


def test_history_of_a_path_covers_what_is_below_and_where_it_came_from(journal: Journal):
    below = done(journal, modify("/p/d/a", b"0", b"1"))
    moved = done(journal, Entry(Written("/p/e"), "move", Written("/p/d"), image(b"x"), sha256(b"x"), 0o644))
    done(journal, modify("/p/dx", b"0", b"1"))
    assert [group.id for group in journal.groups(ROOT, "/p/d")] == [moved, below]
    assert [group.id for group in journal.groups(ROOT, "/p/d/a")] == [below]


def test_a_pre_image_larger_than_the_limit_is_refused_and_nothing_recorded(tmp_path: Path):
    journal = Journal(open_store(str(tmp_path), 1.0), Limits(journal_bytes=1000))
    with pytest.raises(Failure) as caught:
        journal.begin("edit", None, ROOT, (modify("/p/a", b"x" * 1001, b"y"),))
    assert caught.value.kind == "io"
    assert "journal_bytes" in caught.value.message
    assert journal.groups(ROOT) == ()


def test_a_pre_image_that_cannot_be_written_is_refused(journal: Journal):
    Path(journal.store.home, "blobs").write_text("in the way")
    with pytest.raises(Failure) as caught:
        journal.begin("edit", None, ROOT, (modify("/p/a", b"x" * (INLINE_BYTES + 1), b"y"),))
    assert caught.value.kind == "io"
    assert journal.groups(ROOT) == ()


def test_a_change_without_its_content_is_a_bug_not_a_loss(journal: Journal):
    with pytest.raises(ValueError, match="without its content"):
        journal.begin("edit", None, ROOT, (modify("/p/a", b"x", b"y").but(before=image(b"x").but(content=None)),))


def test_contents_can_be_kept_one_by_one(journal: Journal):
    hashes = [journal.keep(content) for content in (b"small", b"x" * (INLINE_BYTES + 1))]
    entries = tuple(
        Entry(Written(f"/p/{number}"), "delete", None, PreImage(name, 5, 0o100644))
        for number, name in enumerate(hashes)
    )
    done(journal, *entries)
    assert [len(journal.content(name)) for name in hashes] == [5, INLINE_BYTES + 1]


def test_a_damaged_blob_is_io_not_wrong_bytes(journal: Journal):
    content = b"x" * (INLINE_BYTES + 1)
    done(journal, modify("/p/a", content, b"y"))
    Path(journal.store.home, "blobs", sha256(content)).write_bytes(b"y" * len(content))
    with pytest.raises(Failure) as caught:
        journal.content(sha256(content))
    assert caught.value.kind == "io"


def test_the_oldest_groups_go_when_the_bytes_are_too_many(tmp_path: Path):
    size = INLINE_BYTES + 1
    journal = Journal(open_store(str(tmp_path), 1.0), Limits(journal_bytes=3 * size))
    contents = [bytes([65 + number]) * size for number in range(5)]
    ids = [done(journal, modify("/p/a", content, b"x")) for content in contents]
    assert [group.id for group in journal.groups(ROOT)] == ids[:1:-1]
    assert sorted(path.name for path in (tmp_path / "blobs").iterdir()) == sorted(map(sha256, contents[2:]))
    assert any("journal_bytes" in notice.message for notice in journal.store.notices)
    with pytest.raises(Failure) as caught:
        journal.content(sha256(contents[0]))
    assert caught.value.kind == "io"


def test_what_another_process_added_counts_for_one_that_stays(tmp_path: Path):
    size = INLINE_BYTES + 1
    stays, other = (Journal(open_store(str(tmp_path), 1.0), Limits(journal_bytes=3 * size)) for _ in range(2))
    contents = [bytes([65 + number]) * size for number in range(4)]
    done(stays, modify("/p/a", contents[0], b"x"))
    ids = [done(other, modify("/p/a", content, b"x")) for content in contents[1:3]]
    ids.append(done(stays, modify("/p/a", contents[3], b"x")))
    assert [group.id for group in stays.groups(ROOT)] == ids[::-1]
    assert sorted(path.name for path in (tmp_path / "blobs").iterdir()) == sorted(map(sha256, contents[1:]))


def test_old_groups_go_with_their_contents(tmp_path: Path):
    journal = Journal(open_store(str(tmp_path), 1.0), Limits(journal_days=7))
    old = done(journal, modify("/p/a", b"0", b"1"))
    journal.store.write(lambda c: c.execute("UPDATE change_group SET at = at - 8 * 86400"))
    journal.store.write(lambda c: c.execute("UPDATE upkeep SET at = at - 8 * 86400"))
    new = done(journal, modify("/p/b", b"2", b"3"))
    assert journal.group(old) is None
    assert [group.id for group in journal.groups(ROOT)] == [new]
    assert journal.store.read(lambda c: c.execute("SELECT sha256 FROM blob").fetchall()) == [(sha256(b"2"),)]


def test_a_content_that_two_groups_share_stays_with_the_younger(tmp_path: Path):
    journal = Journal(open_store(str(tmp_path), 1.0), Limits(journal_bytes=25))
    for _ in range(4):
        done(journal, modify("/p/a", b"0123456789", b"x"))
    assert len(journal.groups(ROOT)) >= 2
    assert journal.content(sha256(b"0123456789")) == b"0123456789"


@pytest.mark.parametrize(
    ("made", "status", "left"),
    [((), "aborted", ["a", "b"]), (("a", "b"), "committed", ["a", "b"]), (("b",), "committed", ["b"])],
)
def test_i5_a_killed_process_leaves_what_can_be_undone(
    journal: Journal, tmp_path: Path, made: tuple[str, ...], status: str, left: list[str]
):
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"old")
    killed = subprocess.run([sys.executable, "-c", DIES, CHECKOUT, journal.store.home, f"{tmp_path}/", *made])
    assert killed.returncode == -9
    [group] = journal.groups(ROOT)
    assert (group.status, [os.path.basename(entry.path) for entry in group.entries]) == (status, left)
    assert [notice.kind for notice in journal.store.notices] == (["recovered"] if len(made) == 1 else [])
    assert journal.content(sha256(b"old")) == b"old"
    assert [(tmp_path / name).read_bytes() for name in ("a", "b")] == [
        b"new" if name in made else b"old" for name in ("a", "b")
    ]


def test_ids_are_never_used_again(tmp_path: Path):
    journal = Journal(open_store(str(tmp_path), 1.0))
    first = done(journal, modify("/p/a", b"0", b"1"))
    journal.store.write(lambda c: c.execute("DELETE FROM change_group"))
    assert int(done(journal, modify("/p/a", b"0", b"1"))) > int(first)


@pytest.mark.parametrize("size", [50_000, INLINE_BYTES + 1])
def test_i5_a_disk_that_fills_is_io_and_nothing_is_recorded(journal: Journal, size: int):
    full = subprocess.run([sys.executable, "-c", FILLS, CHECKOUT, journal.store.home, str(size)], capture_output=True)
    assert full.stdout == b"io\n", full.stderr
    assert journal.groups(ROOT) == ()
    assert list(Path(journal.store.home).glob("blobs/*")) == []
    done(journal, modify("/p/a", b"0", b"1"))


DIES_MOVING = """
import os, sys
sys.path.insert(0, sys.argv[1])
from tests.state.test_journal import *
top = Written(sys.argv[3])
journal = Journal(open_store(sys.argv[2], 5.0))
entries = (
    modify(top + "new/edited", b"old", b"new").but(temporary=Written(top + "new/" + TEMPORARY)),
    Entry(Written(top + "new/gone"), "delete", before=image(b"gone")),
    Entry(Written(top + "new/made"), "create", after_sha256=sha256(b"made")),
    Entry(Written(top + "old"), "move", source=Written(top + "new"), before=PreImage("", 0, 0o40755)),
)
journal.begin("undo", None, ROOT, entries)
os.kill(os.getpid(), 9)
"""
TEMPORARY = temporary_name()


@pytest.mark.parametrize("is_moved", [True, False])
def test_changes_in_a_directory_that_was_moved_after_them_are_found_after_a_crash(
    home: Path, tmp_path: Path, is_moved: bool
):
    directory = tmp_path / ("old" if is_moved else "new")
    directory.mkdir()
    (directory / "edited").write_bytes(b"new")
    (directory / "made").write_bytes(b"made")
    (directory / TEMPORARY).write_bytes(b"old")
    script = DIES_MOVING.replace("TEMPORARY", repr(TEMPORARY), 1)
    died = subprocess.run([sys.executable, "-c", script, CHECKOUT, str(home), f"{tmp_path}/"], check=False)
    assert died.returncode == -9
    (group,) = Journal(open_store(str(home), 5.0)).groups(ROOT)
    kinds = ["modify", "delete", "create", *(["move"] if is_moved else [])]
    assert (group.status, [entry.kind for entry in group.entries]) == ("committed", kinds)
    assert sorted(os.listdir(directory)) == ["edited", "made"]
