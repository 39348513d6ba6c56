"""Two streams come out in the order in which they were written."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetools.system.command import Command
from codetools.system.order import arrange
from codetools.system.process import run_process


def run(script: str, directory: Path | None) -> list[tuple[int, bytes]]:
    """What the command wrote, neighbours of one stream joined."""
    seen: list[tuple[int, bytes]] = []

    def sink(stream: int, chunk: bytes) -> None:
        if seen and seen[-1][0] == stream:
            seen[-1] = (stream, seen[-1][1] + chunk)
        else:
            seen.append((stream, chunk))

    fifos = str(directory) if directory else None
    run_process(Command(("/bin/bash", "-c", script), dict(os.environ), "/", fifos_in=fifos), sink, timeout_seconds=20)
    return seen


def test_quick_turns_keep_their_order_as_far_as_the_machine_tells(tmp_path: Path):
    """A loaded machine may tell of several lines at once; then only each stream's own order is certain."""
    script = "echo a; echo b >&2; echo c; echo d >&2; for i in 1 2 3; do echo $i; echo e$i >&2; done"
    expected = [
        (1, b"a\n"),
        (2, b"b\n"),
        (1, b"c\n"),
        (2, b"d\n"),
        *[pair for i in (b"1", b"2", b"3") for pair in ((1, i + b"\n"), (2, b"e" + i + b"\n"))],
    ]
    runs = [run(script, tmp_path) for _ in range(10)]
    assert sum(seen == expected for seen in runs) >= 6
    for seen in runs:
        for stream in (1, 2):
            assert whole(seen, stream) == whole(expected, stream)
    assert os.listdir(tmp_path) == []


def whole(seen: list[tuple[int, bytes]], stream: int) -> bytes:
    return b"".join(chunk for number, chunk in seen if number == stream)


def test_a_program_may_open_its_streams_again(tmp_path: Path):
    assert run("echo a > /dev/stdout; echo b > /dev/stderr; echo c | tee /dev/stderr >/dev/null", tmp_path) == [
        (1, b"a\n"),
        (2, b"b\nc\n"),
    ]


def test_much_output_on_both_streams_is_whole(tmp_path: Path):
    seen = run("seq 100000 & seq 100000 >&2; wait", tmp_path)
    expected = b"".join(b"%d\n" % number for number in range(1, 100_001))
    for stream in (1, 2):
        assert whole(seen, stream) == expected


def test_without_fifos_output_comes_as_it_is_read(tmp_path: Path):
    for directory in (None, tmp_path / "none"):
        assert sorted(run("echo a; echo b >&2", directory)) == [(1, b"a\n"), (2, b"b\n")]


@pytest.mark.parametrize(
    ("chunks", "runs", "arranged"),
    [
        ({1: b"a\nc\n", 2: b"b\n"}, [1, 2, 1], [(1, b"a\n"), (2, b"b\n"), (1, b"c\n")]),
        ({1: b"a\nb\nd\n", 2: b"c\n"}, [1, 2, 1], [(1, b"a\nb\n"), (2, b"c\n"), (1, b"d\n")]),
        ({1: b"a\n", 2: b"b\n"}, [1, 2, 1], [(2, b"b\n"), (1, b"a\n")]),
        ({1: b"a", 2: b"b"}, [2, 1], [(2, b"b"), (1, b"a")]),
        ({1: b"a\n", 2: b"b\n"}, [], [(1, b"a\n"), (2, b"b\n")]),
    ],
)
def test_lines_are_dealt_out_to_runs(chunks: dict, runs: list[int], arranged: list):
    assert arrange(chunks, runs) == arranged


@given(st.text("ab\n").map(str.encode), st.text("xy\n").map(str.encode), st.lists(st.sampled_from([1, 2]), max_size=8))
def test_no_byte_is_lost_or_moved_within_its_stream(first: bytes, second: bytes, runs: list[int]):
    arranged = arrange({1: first, 2: second}, runs)
    for stream, whole in ((1, first), (2, second)):
        assert b"".join(chunk for number, chunk in arranged if number == stream) == whole
