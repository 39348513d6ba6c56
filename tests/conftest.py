"""The real home is forbidden: every test gets its own home, state and settings."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell's background leaves it
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("CODETOOLS_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(directory))
    return directory


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """A process that has given its answer ignores what would interrupt it; the tests go on."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [(number, signal.getsignal(number)) for number in numbers]
    yield
    for number, handler in before:
        signal.signal(number, handler)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "ws"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    return root
