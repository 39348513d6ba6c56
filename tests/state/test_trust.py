import os
import stat
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.state.trust import NAME, distrust, is_trusted, trust

HASH, OTHER = "a" * 64, "b" * 64


def test_nothing_is_trusted_at_first(tmp_path: Path):
    assert not is_trusted(str(tmp_path / "home"), "/p/.codetools/config.yaml", HASH)
    assert not (tmp_path / "home").exists()


def test_trust_is_for_one_path_and_one_content(tmp_path: Path):
    home = str(tmp_path / "home")
    trust(home, "/p/c", HASH)
    assert is_trusted(home, "/p/c", HASH)
    assert not is_trusted(home, "/p/c", OTHER)
    assert not is_trusted(home, "/p/d/c", HASH)
    trust(home, "/p/c", OTHER)
    assert not is_trusted(home, "/p/c", HASH)
    assert stat.S_IMODE((tmp_path / "home" / NAME).stat().st_mode) == 0o600


def test_trust_can_be_taken_back(tmp_path: Path):
    trust(str(tmp_path), "/p/c", HASH)
    assert distrust(str(tmp_path), "/p/c")
    assert not is_trusted(str(tmp_path), "/p/c", HASH)
    assert not distrust(str(tmp_path), "/p/c")


def test_names_that_are_not_utf8_are_told_apart(tmp_path: Path):
    trust(str(tmp_path), os.fsdecode(b"/p/\xff"), HASH)
    assert is_trusted(str(tmp_path), os.fsdecode(b"/p/\xff"), HASH)
    assert not is_trusted(str(tmp_path), "/p/\\xff", HASH)
    assert not is_trusted(str(tmp_path), os.fsdecode(b"/p/\xfe"), HASH)


@pytest.mark.parametrize("content", ["{", "[]", '{"/p/c": "yes"}', '{"/p/c": {"sha256": null}}', "\x00"])
def test_i7_a_list_that_cannot_be_read_trusts_nothing(tmp_path: Path, content: str):
    (tmp_path / NAME).write_text(content)
    assert not is_trusted(str(tmp_path), "/p/c", HASH)


def test_a_broken_list_is_not_overwritten(tmp_path: Path):
    (tmp_path / NAME).write_text("{")
    with pytest.raises(Failure) as caught:
        trust(str(tmp_path), "/p/c", HASH)
    assert caught.value.kind == "io"
    assert (tmp_path / NAME).read_text() == "{"
