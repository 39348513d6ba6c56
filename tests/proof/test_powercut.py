"""A part of the proof by power cuts: the by-hand command cuts before every call."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.proof.powercut import can_cut

STEP = "25"


@pytest.mark.parametrize("operation", ["patch"])
def test_i4_after_a_power_cut_each_file_is_old_or_new_and_new_once_success_was_told(operation: str):
    if lacking := can_cut():
        pytest.skip(f"needs {lacking}")
    command = [sys.executable, "-m", "tests.proof.powercut", "--only", operation, "--step", STEP]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 wrong" in done.stdout
