import os
from pathlib import Path

import pytest

from codetools.state.marks import KEPT_BYTES, KEPT_FILES, Mark, Marks, forget
from codetools.state.session_rules import SessionRules
from codetools.state.store import open_store


@pytest.fixture
def marks(tmp_path: Path) -> Marks:
    return Marks(open_store(str(tmp_path), 1.0))


def test_the_last_look_counts(marks: Marks):
    marks.record("s", "/p/a", Mark("1" * 64, 10**18, 5, 1, 2))
    marks.record("s", "/p/a", Mark("2" * 64, 2 * 10**18, 6, 3, 4))
    assert marks.mark("s", "/p/a") == Mark("2" * 64, 2 * 10**18, 6, 3, 4)


def test_sessions_and_paths_are_apart(marks: Marks):
    marks.record("s", "/p/a", Mark("1" * 64, 1, 5, 1, 2))
    assert marks.mark("t", "/p/a") is None
    assert marks.mark("s", "/p/b") is None


def test_a_name_that_is_not_utf8_has_a_mark(marks: Marks):
    path = os.fsdecode(b"/p/\xff")
    marks.record("s", path, Mark("1" * 64, 1, 5, 1, 2))
    assert marks.mark("s", path) is not None


def test_a_mark_can_be_forgotten(marks: Marks, tmp_path: Path):
    marks.record("s", "/p/a", Mark("1" * 64, 1, 5, 1, 2))
    open_store(str(tmp_path), 1.0).write(lambda connection: forget(connection, "s", "/p/a"))
    assert marks.mark("s", "/p/a") is None


def test_session_rules_hold_in_their_session_and_workspace(tmp_path: Path):
    rules = SessionRules(open_store(str(tmp_path), 1.0))
    for rule in ("edit(b)", "edit(a)", "edit(b)"):
        rules.add("s", "/p", rule)
    assert set(rules.rules("s", "/p")) == {"edit(a)", "edit(b)"}
    assert rules.rules("s", "/q") == rules.rules("t", "/p") == ()
    rules.clear("s")
    assert rules.rules("s", "/p") == ()


def test_the_contents_of_the_last_small_files_are_kept(marks: Marks):
    seen = Mark("1" * 64, 1, 5, 1, 2)
    marks.record("other", "/p/0", seen, b"other")
    for number in range(KEPT_FILES + 2):
        marks.record("s", f"/p/{number}", seen, b"%d" % number)
    marks.record("s", "/p/large", seen, bytes(KEPT_BYTES + 1))
    marks.record("s", "/p/unkept", seen)
    assert [marks.content("s", f"/p/{number}") for number in (0, 1, 2, KEPT_FILES + 1)] == [None, None, b"2", b"101"]
    assert [marks.content("s", f"/p/{name}") for name in ("large", "unkept", "never")] == [None] * 3
    assert marks.content("other", "/p/0") == b"other"
    assert marks.mark("s", "/p/0") == seen
