"""Whatever file tools do in a session, undo brings back the first state: at once, and step by step."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.calls import call
from tests.files.test_inverse import state_of

PATHS = st.sampled_from(["a", "b", "d/a", "d/b", "d/e/c", "d", "d/e", "n"])
DIRECTORIES = st.sampled_from(["d", "d/e", "n", "d/n", "n/e"])
STEPS = st.one_of(
    st.tuples(st.just("write"), PATHS, st.sampled_from(["", "1\n", "2\r\n", "last"])),
    st.tuples(st.just("delete"), PATHS, st.just("")),
    st.tuples(st.just("mkdir"), PATHS, st.just("")),
    st.tuples(st.just("move"), PATHS, PATHS),
    st.tuples(st.just("move"), DIRECTORIES, DIRECTORIES),
    st.tuples(st.just("undo"), st.just(""), st.just("")),
)


def step(kind: str, path: str, other: str) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "write": {"file_path": path, "content": other},
        "delete": {"paths": [path], "recursive": True},
        "mkdir": {"path": path},
        "move": {"source": path, "destination": other, "overwrite": True},
        "undo": {},
    }[kind]
    return call(kind, arguments, yolo=True, session="s")


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, min_size=1, max_size=8))
def test_undo_is_the_identity_over_any_session(
    workspace: Path, home: Path, monkeypatch: pytest.MonkeyPatch, steps: list[tuple[str, str, str]]
):
    monkeypatch.setenv("CODETOOLS_HOME", tempfile.mkdtemp(dir=home))  # a store of its own for each example
    for path in workspace.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    for name in ("a", "d/a", "d/e/c"):
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text(name)
    (workspace / "a").chmod(0o750)
    before = state_of(workspace)
    for one in steps:
        answer = step(*one)
        assert answer["ok"] or (answer["error"]["kind"] != "internal" and not answer["changed"]), answer
    after = state_of(workspace)
    whole = call("undo", {"id": "session"}, yolo=True, session="s")
    if whole["ok"]:
        assert state_of(workspace) == before
        assert call("undo", {"id": whole["undo"]}, yolo=True, session="s")["ok"]
        assert state_of(workspace) == after
        assert call("undo", {"id": "session"}, yolo=True, session="s")["ok"]
    elif whole["error"]["kind"] == "stale":  # the refusal names what takes the session back all the same
        assert "one by one" in whole["text"], whole
        for number in whole["error"]["details"]["ids"]:
            assert call("undo", {"id": number}, yolo=True, session="s")["ok"]
    else:
        assert whole["error"]["kind"] == "not_found", whole
    assert state_of(workspace) == before
