"""An approval is named by its id or by a beginning that no other one shares."""

from pathlib import Path

import pytest

from codetools.cli.naming import LEAST_CHARS, approval_named
from codetools.core.errors import Failure
from codetools.state.approvals import Approval, ApprovalStore
from codetools.state.store import open_store


@pytest.fixture
def store(home: Path) -> ApprovalStore:
    return ApprovalStore(open_store(str(home / "state"), 5.0))


def asked(store: ApprovalStore, digest: str) -> Approval:
    return store.ask(digest, "edit", "{}", "/ws", None, "edit a", "", "edit(a)", "{}")


def test_a_beginning_names_the_only_one(store: ApprovalStore):
    found = asked(store, "one")
    assert approval_named(store, found.id) == found
    assert approval_named(store, found.id[:LEAST_CHARS]) == found
    assert approval_named(store, found.id[: LEAST_CHARS - 1]) is None
    assert approval_named(store, "zzzz") is None


def test_one_that_several_share_is_refused(store: ApprovalStore, monkeypatch: pytest.MonkeyPatch):
    ends = iter(b"12")
    monkeypatch.setattr("codetools.state.approvals.os.urandom", lambda size: b"\0" * (size - 1) + bytes([next(ends)]))
    asked(store, "one")
    asked(store, "two")
    with pytest.raises(Failure) as raised:
        approval_named(store, "000000")
    assert raised.value.kind == "usage"
    assert raised.value.message == "2 waiting calls begin with '000000'."
