"""No bad input may be a bug of ours: the state directory keeps the traceback of each."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bad_input.doors import OLD


@pytest.fixture(autouse=True)
def no_bugs(home: Path) -> Iterator[None]:
    yield
    kept = [file.read_text() for file in home.glob("**/errors/*.txt")]
    assert kept == []


@pytest.fixture
def files(workspace: Path) -> Path:
    (workspace / "a.txt").write_text(OLD)
    return workspace
