"""Every test that asks for `place` runs over both engines."""

from pathlib import Path

import pytest

from codetools.search.engine import Engine
from tests.search.engines import Place, engines


@pytest.fixture(params=engines(), ids=lambda engine: engine.name)
def engine(request: pytest.FixtureRequest) -> Engine:
    return request.param


@pytest.fixture
def place(engine: Engine, tmp_path: Path) -> Place:
    directory = tmp_path / "place"
    directory.mkdir()
    return Place(engine, directory)
