import subprocess
import sys
import time
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.state.durable import read_if_there, replace_file
from codetools.state.lockfile import Lock

HOLDER = """
import sys
from codetools.state.lockfile import Lock
with Lock(sys.argv[1], 1.0):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_held_elsewhere_is_io_after_its_seconds(tmp_path: Path):
    path = str(tmp_path / "lock")
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout
    assert holder.stdout.readline() == b"held\n"
    started = time.monotonic()
    with pytest.raises(Failure) as caught, Lock(path, 0.2):
        pass
    assert caught.value.kind == "io"
    assert time.monotonic() - started >= 0.2
    holder.kill()
    holder.communicate()
    with Lock(path, 5.0):
        pass


def test_a_replaced_file_is_whole_private_and_leaves_no_litter(tmp_path: Path):
    path = tmp_path / "f"
    path.write_bytes(b"old")
    replace_file(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_replaced_is_io_and_stays(tmp_path: Path):
    (tmp_path / "f").mkdir()
    with pytest.raises(Failure) as caught:
        replace_file(str(tmp_path / "f"), b"new")
    assert caught.value.kind == "io"
    assert list(tmp_path.iterdir()) == [tmp_path / "f"]


def test_a_file_over_the_cap_is_an_error(tmp_path: Path):
    (tmp_path / "f").write_bytes(b"x" * 11)
    assert read_if_there(str(tmp_path / "f"), 11) == b"x" * 11
    assert read_if_there(str(tmp_path / "g"), 11) is None
    with pytest.raises(OSError, match="larger"):
        read_if_there(str(tmp_path / "f"), 10)
