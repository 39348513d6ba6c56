import os
import signal
import stat
from pathlib import Path

import pytest

from codetools.system import replace


@pytest.fixture
def parent(tmp_path: Path):
    descriptor = os.open(tmp_path, os.O_PATH | os.O_DIRECTORY)
    yield descriptor
    os.close(descriptor)


def test_two_names_are_swapped_in_one_step(tmp_path: Path, parent: int):
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("2")
    replace.exchange(parent, "a", "b")
    assert ((tmp_path / "a").read_text(), (tmp_path / "b").read_text()) == ("2", "1")


def test_a_new_name_must_be_free(tmp_path: Path, parent: int):
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("2")
    with pytest.raises(FileExistsError):
        replace.rename_new(parent, "a", parent, "b")
    replace.rename_new(parent, "a", parent, "c")
    assert sorted(os.listdir(tmp_path)) == ["b", "c"]


def test_a_temporary_file_never_follows_or_reuses_what_is_there(tmp_path: Path, parent: int):
    (tmp_path / "planted").symlink_to("target")
    with pytest.raises(FileExistsError):
        replace.make_temporary(parent, "planted", b"x", replace.PRIVATE_MODE)
    assert not (tmp_path / "target").exists()


def test_a_temporary_file_is_private_and_complete(tmp_path: Path, parent: int):
    content = os.urandom(3_000_000)
    name = replace.temporary_name()
    os.close(replace.make_temporary(parent, name, content, replace.PRIVATE_MODE))
    assert replace.is_temporary(name)
    assert (tmp_path / name).read_bytes() == content
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_mode_and_attributes_are_copied(tmp_path: Path):
    for name in "ab":
        (tmp_path / name).touch()
    (tmp_path / "a").chmod(0o4711)
    os.setxattr(tmp_path / "a", "user.one", b"1")
    source, target = (os.open(tmp_path / name, os.O_RDWR) for name in "ab")
    try:
        assert replace.copy_metadata(source, target) == []
    finally:
        os.close(source)
        os.close(target)
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o4711
    assert os.getxattr(tmp_path / "b", "user.one") == b"1"


def test_an_interrupt_is_held_back_and_told():
    with replace.HeldSignals() as held:
        os.kill(os.getpid(), signal.SIGINT)
        assert signal.SIGINT in signal.sigpending()
    assert held.interrupted
    assert not signal.sigpending()


def test_an_interrupt_during_a_failure_is_not_swallowed():
    def fail() -> None:
        with replace.HeldSignals():
            os.kill(os.getpid(), signal.SIGINT)
            raise ValueError

    with pytest.raises(KeyboardInterrupt):
        fail()
