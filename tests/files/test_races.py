"""Another program swaps directories for links that lead out, over and over, while tools work below them."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from tests.files.room import commit_staged, files_of

SECONDS = 0.7

SWAPPER = """
import itertools, os, sys
outside = sys.argv[1]
print("ready", flush=True)
for target in itertools.cycle(["real", outside]):
    os.symlink(target, "next")
    os.rename("next", "link")
    os.rename("place", "away")
    os.symlink(outside, "place")
    os.unlink("place")
    os.rename("away", "place")
"""


@pytest.fixture
def swapping(workspace: Path, tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/file").write_bytes(b"outside")
    for name in ("real", "place"):
        (workspace / name).mkdir()
        (workspace / name / "file").write_bytes(b"inside")
    command = [sys.executable, "-c", SWAPPER, str(tmp_path / "outside")]
    with subprocess.Popen(command, cwd=workspace, stdout=subprocess.PIPE) as swapper:
        assert swapper.stdout is not None
        swapper.stdout.readline()
        yield workspace
        swapper.kill()


def test_a_swapped_link_never_leaks_what_lies_outside_i3(swapping: Path):
    seen, refused = set(), set()
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        for name in ("link/file", "place/file"):
            try:
                seen.add(files_of(swapping).read(name).content)
            except Failure as failure:
                refused.add(failure.kind)
    assert seen == {b"inside"}
    assert "outside_workspace" in refused


def test_a_swapped_link_never_lets_a_change_out_i3(swapping: Path, home: Path, tmp_path: Path):
    made = 0
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        files = files_of(swapping)
        with contextlib.suppress(Failure):
            document = files.read("place/file")
            files.modify(document, document.content + b"+")
            files.create(f"place/new{made}", b"x")
            commit_staged(files, home)
            made += 1
    assert made > 0
    assert (tmp_path / "outside/file").read_bytes() == b"outside"
    assert os.listdir(tmp_path / "outside") == ["file"]
