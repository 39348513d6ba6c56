"""What a test needs of the machine: missing in CI it fails, elsewhere it is passed over with the reason."""

import os
import shutil

import pytest


def program(name: str) -> None:
    """Need a program on PATH."""
    if shutil.which(name) is None:
        missing(f"install {name}: this test drives it")


def missing(reason: str) -> None:
    """End the test that needs what is not there."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
