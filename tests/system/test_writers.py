import os
import threading
from pathlib import Path

from codetools.system.writers import has_writer


def reading(path: Path) -> int:
    return os.open(path, os.O_RDONLY)


def test_a_file_that_nobody_writes_has_no_writer(tmp_path: Path):
    (tmp_path / "f").write_text("x")
    first, second = reading(tmp_path / "f"), reading(tmp_path / "f")
    assert not has_writer(first)
    assert not has_writer(second)


def test_a_writer_is_seen_until_it_closes_the_file_whatever_the_file_is_called_by_then(tmp_path: Path):
    (tmp_path / "f").write_text("x")
    descriptor = reading(tmp_path / "f")
    with (tmp_path / "f").open("a"):
        (tmp_path / "f").rename(tmp_path / "g")
        assert has_writer(descriptor)
    assert not has_writer(descriptor)


def test_whoever_opens_the_file_meanwhile_gets_it_and_does_us_no_harm(tmp_path: Path):
    (tmp_path / "f").write_text("")
    stop = threading.Event()

    def look() -> None:
        descriptor = reading(tmp_path / "f")
        while not stop.is_set():
            has_writer(descriptor)

    looker = threading.Thread(target=look)
    looker.start()
    for _ in range(500):
        with (tmp_path / "f").open("a") as file:
            file.write("x")
    stop.set()
    looker.join()
    assert (tmp_path / "f").read_text() == "x" * 500
