import os
import socket
import time
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.system.bounded import COMPARED_BYTES, holds, kind_of, open_directory, open_file, read_all, read_chunks
from codetools.system.confined import pin


def open_at(path: Path) -> int:
    with pin(str(path), [str(path.parent)], follow_last=False) as pinned:
        return open_file(pinned, path.name)


def refusal(path: Path) -> Failure:
    started = time.monotonic()
    with pytest.raises(Failure) as caught:
        open_at(path)
    assert time.monotonic() - started < 1
    return caught.value


def test_what_is_no_file_is_refused_at_once_i6(tmp_path: Path):
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        (tmp_path / "directory").mkdir()
        (tmp_path / "link").symlink_to("nothing")
        found = {name: refusal(tmp_path / name).kind for name in ("fifo", "socket", "directory", "link", "absent")}
    assert found == {
        "fifo": "not_a_file",
        "socket": "not_a_file",
        "directory": "is_a_directory",
        "link": "not_a_file",
        "absent": "not_found",
    }


def test_devices_and_procfs_are_refused():
    assert refusal(Path("/dev/zero")).message == "zero is a device, not a file."
    assert refusal(Path("/proc/version")).kind == "not_a_file"


def test_a_file_swapped_for_a_link_after_the_look_is_not_followed_i3(tmp_path: Path):
    (tmp_path / "a").write_text("inside")
    with pin(str(tmp_path / "a"), [str(tmp_path)]) as pinned:
        (tmp_path / "a").unlink()
        (tmp_path / "a").symlink_to("/etc/passwd")
        with pytest.raises(Failure) as caught:
            open_file(pinned, "a")
    assert caught.value.kind == "stale"


def test_a_file_swapped_for_a_fifo_after_the_look_does_not_hang_i6(tmp_path: Path):
    (tmp_path / "a").write_text("inside")
    with pin(str(tmp_path / "a"), [str(tmp_path)]) as pinned:
        (tmp_path / "a").unlink()
        os.mkfifo(tmp_path / "a")
        with pytest.raises(Failure) as caught:
            open_file(pinned, "a")
    assert caught.value.kind == "not_a_file"


@pytest.mark.parametrize("size", [0, 1, 1 << 18, (1 << 18) + 1, 1_000_000])
def test_all_bytes_are_read_up_to_the_limit_i6(tmp_path: Path, size: int):
    content = os.urandom(size)
    (tmp_path / "a").write_bytes(content)
    descriptor = open_at(tmp_path / "a")
    try:
        assert read_all(descriptor, size, "a") == content
        assert b"".join(read_chunks(descriptor, "a")) == content
        if size:
            assert read_all(descriptor, size - 1, "a") is None
    finally:
        os.close(descriptor)


def test_holes_are_passed_over(tmp_path: Path):
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.write(b"start\n")
        file.seek(1 << 40)
        file.write(b"end\n")
    descriptor = open_at(path)
    try:
        started = time.monotonic()
        chunks = list(read_chunks(descriptor, "sparse"))
        assert time.monotonic() - started < 1
    finally:
        os.close(descriptor)
    assert b"".join(chunks).replace(b"\0", b"") == b"start\nend\n"
    assert sum(map(len, chunks)) < 4_000_000


def test_a_directory_is_opened_only_as_one(tmp_path: Path):
    (tmp_path / "file").touch()
    with pin(str(tmp_path / "file"), [str(tmp_path)]) as pinned, pytest.raises(Failure) as caught:
        open_directory(pinned, "file")
    assert caught.value.kind == "not_found"
    assert kind_of(os.stat(tmp_path)) == "directory"


@pytest.mark.parametrize("size", [0, 1, COMPARED_BYTES - 1, COMPARED_BYTES, COMPARED_BYTES + 1, 3 * COMPARED_BYTES])
def test_a_file_holds_exactly_its_own_bytes(tmp_path: Path, size: int):
    content = os.urandom(size)
    (tmp_path / "f").write_bytes(content)
    descriptor = open_at(tmp_path / "f")
    assert holds(descriptor, content)
    assert not holds(descriptor, content + b"x")
    if size:
        assert not holds(descriptor, content[:-1])
        assert not holds(descriptor, content[:-1] + bytes([content[-1] ^ 1]))
        assert not holds(descriptor, bytes([content[0] ^ 1]) + content[1:])
    os.close(descriptor)
