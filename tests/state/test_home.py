import os
import stat
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.state.home import make_directory, state_home


def test_state_lies_in_the_home_directory(home: Path):
    assert state_home() == f"{home}/.local/state/codetools"


def test_xdg_state_home_moves_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_STATE_HOME", "/x/state/")
    assert state_home() == "/x/state/codetools"


def test_a_relative_xdg_state_home_is_ignored(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_STATE_HOME", "state")
    assert state_home() == f"{home}/.local/state/codetools"


def test_codetools_home_wins(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_STATE_HOME", "/x")
    monkeypatch.setenv("CODETOOLS_HOME", "/y/z/../w")
    assert state_home() == "/y/w"


def test_a_relative_codetools_home_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CODETOOLS_HOME", ".state")
    with pytest.raises(Failure) as caught:
        state_home()
    assert caught.value.kind == "config"


def test_directories_are_private(tmp_path: Path):
    make_directory(str(tmp_path / "a" / "b"))
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700


def test_an_open_directory_is_made_private(tmp_path: Path):
    (tmp_path / "a").mkdir(mode=0o777)
    make_directory(str(tmp_path / "a"))
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700


def test_a_file_in_the_way_is_io(tmp_path: Path):
    (tmp_path / "a").write_text("")
    with pytest.raises(Failure) as caught:
        make_directory(str(tmp_path / "a" / "b"))
    assert caught.value.kind == "io"
    assert os.path.isfile(tmp_path / "a")
