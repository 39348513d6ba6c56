from pathlib import Path

import pytest

from codetools.config.settings import Settings
from codetools.context import Context, Surroundings
from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.files.files import Files
from codetools.files.workspace import find_workspace
from codetools.state.store import Store, open_store


class Anything:
    """A gate that lets everything pass."""

    def path(self, access: object) -> None: ...

    def may_show(self, access: object) -> bool:
        return True

    def command(self, access: object) -> None: ...


def context(home: Path, session: str | None = None, **around: object) -> Context:
    gate = Anything()
    files = Files(find_workspace(), gate, Limits())

    def store() -> Store:
        return open_store(str(home / "state"), 1.0)

    return Context(
        files, gate, Settings(), str(home / "state"), store, lambda process: None, session, Surroundings(**around)
    )


def test_a_call_without_a_deadline_is_never_late(workspace: Path, home: Path):
    found = context(home)
    assert found.remaining_seconds() is None
    found.check_cancelled()


def test_i6_a_deadline_that_has_passed_is_a_timeout(workspace: Path, home: Path):
    with pytest.raises(Failure) as caught:
        context(home, seconds=0.0).check_cancelled()
    assert caught.value.kind == "timeout"


def test_a_cancelled_call_is_interrupted(workspace: Path, home: Path):
    with pytest.raises(Failure) as caught:
        context(home, is_cancelled=lambda: True).check_cancelled()
    assert caught.value.kind == "interrupted"


def test_progress_reaches_the_door(workspace: Path, home: Path):
    heard: list[tuple[object, ...]] = []
    context(home, progress=lambda *told: heard.append(told)).progress(1, 2, "half")
    assert heard == [(1, 2, "half")]


def test_without_a_session_there_are_no_marks_and_no_store(workspace: Path, home: Path):
    assert context(home).marks() is None
    assert not (home / "state").exists()


def test_with_a_session_marks_are_kept_in_the_store(workspace: Path, home: Path):
    assert context(home, "s").marks() is not None
    assert (home / "state/store.sqlite").exists()


def test_the_spool_directory_is_private(workspace: Path, home: Path):
    directory = Path(context(home).spool_directory())
    assert directory.stat().st_mode & 0o777 == 0o700
