"""No job outlives its test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jobs import end_all


@pytest.fixture(autouse=True)
def no_job_stays(home: Path) -> Iterator[None]:
    yield
    end_all()
