"""The log of a job: every byte once, and whose it is."""

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codetools.shell.jobs.log import Log, read_log
from codetools.shell.jobs.place import Place, new_place
from codetools.system.plumbing import STDERR, STDOUT

CHUNKS = st.lists(st.tuples(st.sampled_from([STDOUT, STDERR]), st.binary(min_size=1, max_size=5)), max_size=12)


def whole(place: Place, start: int, end: int) -> list[tuple[int, int]]:
    return [(stream, byte) for stream, chunk in read_log(place, start, end) for byte in chunk]


@settings(max_examples=60, deadline=None)
@given(chunks=CHUNKS, start=st.integers(0, 40), end=st.integers(0, 60), most=st.integers(1, 40))
def test_any_piece_of_the_log_is_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, chunks: list[tuple[int, bytes]], start: int, end: int, most: int
):
    place = new_place(str(tmp_path_factory.mktemp("jobs")))
    log = Log(place, most)
    for stream, chunk in chunks:
        log.write(stream, chunk)
    written = [(stream, byte) for stream, chunk in chunks for byte in chunk]
    assert whole(place, start, end) == written[:most][start:end]
    assert (log.trouble != "") == (len(written) > most)


def test_without_turns_all_is_standard_output(tmp_path: Path):
    place = new_place(str(tmp_path))
    log = Log(place, 100)
    log.write(STDERR, b"abc")
    os.unlink(place.turns)
    assert whole(place, 0, 100) == [(STDOUT, byte) for byte in b"abc"]


def test_a_disk_that_is_full_is_said_once_and_what_came_before_stays(tmp_path: Path):
    place = new_place(str(tmp_path))
    log = Log(place, 100)
    log.write(STDOUT, b"abc")
    os.close(log._log)
    log._log = os.open("/dev/full", os.O_WRONLY)
    log.write(STDOUT, b"def")
    log.write(STDOUT, b"ghi")
    assert log.trouble == f"the rest of the output could not be kept: {os.strerror(errno.ENOSPC)}"
    assert Path(place.log).read_bytes() == b"abc"
