import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from codetools.state.approvals import VALID_SECONDS, Approval, ApprovalStore
from codetools.state.store import open_store

SPENDER = """
import sys
from codetools.state.approvals import ApprovalStore
from codetools.state.store import open_store
approvals = ApprovalStore(open_store(sys.argv[1], 10.0))
sys.stdin.read(1)
print(approvals.spend(sys.argv[2]))
"""


@pytest.fixture
def approvals(tmp_path: Path) -> ApprovalStore:
    return ApprovalStore(open_store(str(tmp_path / "home"), 5.0))


def asked(approvals: ApprovalStore, digest: str = "d", files: str = "{}", session: str | None = None) -> Approval:
    return approvals.ask(digest, "edit", '{"file_path":"a"}', "/p", session, "modify a", "-x\n+y", "edit(a)", files)


def expire(approvals: ApprovalStore) -> None:
    approvals._store.write(lambda connection: connection.execute("UPDATE approval SET expires = 1"))


def test_what_was_asked_is_found_again(approvals: ApprovalStore):
    before = time.time()
    given = asked(approvals, session="s")
    assert approvals.find(given.id) == given
    assert approvals.waiting() == (given,)
    assert before + VALID_SECONDS <= given.expires <= time.time() + VALID_SECONDS
    assert (given.state, given.operation, given.session, given.root) == ("waiting", "modify a", "s", "/p")


def test_an_id_cannot_be_guessed(approvals: ApprovalStore):
    ids = {asked(approvals, digest=str(number)).id for number in range(50)}
    assert len(ids) == 50
    assert {len(name) for name in ids} == {20}


def test_the_same_question_keeps_its_id(approvals: ApprovalStore):
    assert asked(approvals).id == asked(approvals).id
    assert asked(approvals).id != asked(approvals, files='{"a":"1"}').id
    assert asked(approvals).id != asked(approvals, session="s").id


def test_a_repeated_question_gets_its_hour_anew(approvals: ApprovalStore):
    first = asked(approvals)
    assert asked(approvals).expires >= first.expires


def test_an_approval_is_spent_once(approvals: ApprovalStore):
    given = asked(approvals)
    assert approvals.mark_approved(given.id, "me")
    assert [found.id for found in approvals.approved("d")] == [given.id]
    assert approvals.spend(given.id)
    assert not approvals.spend(given.id)
    assert approvals.approved("d") == ()
    assert asked(approvals).id != given.id, "the next call is asked about again"


def test_of_many_processes_one_spends_it(approvals: ApprovalStore):
    given = asked(approvals)
    home = approvals._store.home
    racers = [
        subprocess.Popen([sys.executable, "-c", SPENDER, home, given.id], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(6)
    ]
    results = [racer.communicate(b"x")[0].strip() for racer in racers]
    assert sorted(results) == [b"False"] * 5 + [b"True"]


def test_the_harness_spends_what_nobody_approved_yet(approvals: ApprovalStore):
    assert approvals.spend(asked(approvals).id)


def test_a_denied_or_expired_one_cannot_be_spent(approvals: ApprovalStore):
    denied, late = asked(approvals, "a"), asked(approvals, "b")
    assert approvals.mark_denied(denied.id, "me")
    assert not approvals.mark_approved(denied.id, "me")
    assert not approvals.spend(denied.id)
    expire(approvals)
    assert not approvals.spend(late.id)
    assert not approvals.mark_approved(late.id, "me")
    assert approvals.waiting() == ()


def test_an_unknown_id_is_nothing(approvals: ApprovalStore):
    assert approvals.find("x") is None
    assert not approvals.spend("x")
    assert not approvals.mark_approved("' OR 1=1 --", "me")
    assert approvals.wait("x", time.monotonic() + 10) is None


def test_a_wait_ends_with_the_decision(approvals: ApprovalStore, tmp_path: Path):
    given = asked(approvals)
    other = ApprovalStore(open_store(str(tmp_path / "home"), 5.0))
    decide = threading.Timer(0.2, other.mark_denied, (given.id, "you"))
    decide.start()
    found = approvals.wait(given.id, time.monotonic() + 20)
    decide.join()
    assert found is not None
    assert (found.state, found.decided_by) == ("denied", "you")


def test_i6_a_wait_ends_at_its_deadline(approvals: ApprovalStore):
    given = asked(approvals)
    started = time.monotonic()
    assert approvals.wait(given.id, started + 0.3) == given
    assert time.monotonic() - started < 5


def test_a_wait_ends_with_the_hour(approvals: ApprovalStore):
    given = asked(approvals)
    expire(approvals)
    found = approvals.wait(given.id, time.monotonic() + 20)
    assert found is not None
    assert found.is_expired
