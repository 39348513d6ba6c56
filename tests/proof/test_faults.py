"""A part of the proof by faults: the by-hand command tries every moment."""

from pathlib import Path

import pytest

from tests import needs
from tests.proof.faults import ERRORS, NOT_FIRED, Fault, Faulty, suffered
from tests.proof.ground import OPERATIONS, Operation, is_litter

STEP = 31
NAMED = {one.name: one for one in OPERATIONS}
# what was found broken once: operation, system call, part of what it is asked, fault
FOUND = (
    ("edit", "getcwd", "ws", "INT"),  # so early that it was a traceback
    ("edit", "unlinkat", ".codetools-", "EACCES"),  # the old content stayed for good
    ("delete -r", "unlinkat", "u.txt", "EIO"),
    ("edit", "fsetxattr", "user.kept", "EDQUOT"),  # the attribute was lost, and undo did not know it
    ("edit", "fgetxattr", "user.kept", "EIO"),  # it was lost, and nobody said so
    ("edit", "flistxattr", "a.sh", "EINTR"),
    ("edit", "pread64", ", 4120, ", "EIO"),  # one failed read cost the whole history
    ("first write", "openat", "codetools/blobs", "EDQUOT"),  # the change was made, and said not to be
    ("delete -r", "close", ".tmp/inner", "EIO"),  # all was deleted, and said not to be
    ("undo", "renameat2", "a.sh", "KILL"),  # what was laid for the other files stayed
)


@pytest.fixture(autouse=True)
def strace():
    needs.program("strace")


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_i4_a_fault_anywhere_leaves_old_or_new_and_the_journal_knows(operation: Operation, tmp_path: Path):
    tried = list(suffered(operation, tmp_path, every=False, step=STEP))
    assert len(tried) > 1
    assert not [(fault, verdict) for fault, verdict in tried if verdict.wrong]


@pytest.mark.parametrize(("name", "syscall", "asked", "what"), FOUND, ids=lambda value: str(value).split("/")[-1])
def test_i4_a_fault_that_once_did_harm_does_none(name: str, syscall: str, asked: str, what: str, tmp_path: Path):
    ground = Faulty(tmp_path / "ground", NAMED[name])
    moments = [moment for moment in ground.moments if moment.syscall == syscall and asked in moment.line]
    moment = moments[0 if what == "INT" else -1]
    verdict = ground.suffer(Fault(syscall, moment.number, what, moment.line))
    assert not verdict.wrong


def test_a_fault_that_does_not_fire_is_noticed(tmp_path: Path):
    ground = Faulty(tmp_path / "ground", NAMED["edit"])
    for what in (ERRORS[0], "KILL"):
        assert NOT_FIRED in ground.suffer(Fault("renameat2", 99, what)).wrong


def test_i5_what_was_cut_off_before_it_was_made_is_no_change_whatever_the_next_call_does(
    tmp_path: Path,
):
    ground = Faulty(tmp_path / "ground", NAMED["edit"])
    before = ground.journal()
    moment = next(one for one in ground.moments if one.syscall == "renameat2")
    ground.lay()
    ground.call("edit", NAMED["edit"].arguments, Fault(*moment[:2], "KILL").injection, only="renameat2")
    ground.call("edit", {"file_path": "a.sh", "old_string": "one", "new_string": "three"})
    assert len(ground.journal() - before) == 1
    assert not [name for name in ground.snapshot() if is_litter(name)]
    ground.call("undo", {})
    assert ground.snapshot() == ground.old


def test_i5_what_another_program_wrote_just_before_a_kill_is_kept_and_named(tmp_path: Path):
    ground = Faulty(tmp_path / "ground", NAMED["edit"])
    ground.lay()
    ground.call("edit", NAMED["edit"].arguments, Fault("unlinkat", 1, "KILL").injection, only="unlinkat")
    (kept,) = (path for path in ground.root.iterdir() if is_litter(path.name))
    kept.write_text("theirs\n")
    done = ground.call("edit", {"file_path": "a.sh", "old_string": "two", "new_string": "three"})
    assert kept.read_text() == "theirs\n"
    assert kept.name in done.stdout
