"""No bad input may be a bug of ours: the state directory keeps the traceback of each."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bad_input.doors import OLD
from tests.cli.typed import CODETOOLS
from tests.jobs import lay_job


@pytest.fixture(autouse=True)
def no_bugs(home: Path) -> Iterator[None]:
    yield
    kept = [file.read_text() for file in home.glob("**/errors/*.txt")]
    assert kept == []


@pytest.fixture
def files(workspace: Path) -> Path:
    lay_job()
    (workspace / "a.txt").write_text(OLD)
    return workspace


@pytest.fixture(scope="session", autouse=True)
def silent_call(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[subprocess.Popen[str]]":
    """A call whose arguments never come; it waits while the other tests run."""
    place = tmp_path_factory.mktemp("silent")
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [str(CODETOOLS), "call", "read"],
        stdin=reader,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=place,
        env={"HOME": str(place), "PATH": os.environ["PATH"]},
    )
    yield process
    process.kill()
    process.wait()
    for descriptor in (reader, writer):
        os.close(descriptor)
