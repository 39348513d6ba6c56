"""Another program writes to the new file between a swap and its being taken back."""

import os
import threading
from pathlib import Path

import pytest

from codetools.files.swap_back import swap_back
from codetools.system import replace
from tests.calls import call


@pytest.fixture
def swapped(tmp_path: Path) -> Path:
    """`file` is what a call has just put there, `temporary` what it displaced."""
    (tmp_path / "file").write_text("new\n")
    (tmp_path / "temporary").write_text("old\ntheirs 1\n")
    return tmp_path


def take_back(directory: Path, laid: os.stat_result) -> str:
    parent = os.open(directory, os.O_RDONLY)
    swap_back(parent, "file", "temporary", (laid.st_dev, laid.st_ino), b"new\n")
    os.close(parent)
    return (directory / "file").read_text()


def test_what_was_displaced_has_its_name_again(swapped: Path):
    assert take_back(swapped, (swapped / "file").stat()) == "old\ntheirs 1\n"


def test_what_was_appended_to_the_new_file_is_appended_to_the_old_one(swapped: Path):
    laid = (swapped / "file").stat()
    with (swapped / "file").open("a") as file:
        file.write("theirs 2\n")
    assert take_back(swapped, laid) == "old\ntheirs 1\ntheirs 2\n"


def test_a_program_that_still_has_the_new_file_open_is_waited_for(swapped: Path):
    laid = (swapped / "file").stat()
    file = (swapped / "file").open("a")
    file.write("theirs 2\n")
    closing = threading.Timer(0.1, file.close)
    closing.start()
    assert take_back(swapped, laid) == "old\ntheirs 1\ntheirs 2\n"


def test_a_file_that_was_put_there_or_written_anew_stays(swapped: Path):
    laid = (swapped / "file").stat()
    (swapped / "other").write_text("theirs\n")
    (swapped / "other").rename(swapped / "file")
    assert take_back(swapped, laid) == "theirs\n"


def test_what_was_written_over_the_new_file_stays(swapped: Path):
    laid = (swapped / "file").stat()
    (swapped / "file").write_text("theirs\n")
    assert take_back(swapped, laid) == "theirs\n"


def test_a_file_open_for_writing_elsewhere_is_not_replaced_under_its_writer_i4(workspace: Path):
    (workspace / "log").write_text("one\n")
    with (workspace / "log").open("a") as writer:
        refused = call("edit", {"file_path": "log", "old_string": "one", "new_string": "two"}, yolo=True)
        writer.write("theirs\n")
    assert (refused["ok"], refused["changed"], refused["error"]["kind"]) == (False, False, "io")
    assert "open for writing" in refused["text"]
    assert (workspace / "log").read_text() == "one\ntheirs\n"
    assert call("edit", {"file_path": "log", "old_string": "one", "new_string": "two"}, yolo=True)["ok"]
    assert not [name for name in os.listdir(workspace) if replace.is_temporary(name)]
