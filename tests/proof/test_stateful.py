"""A part of the proof by a model: a few sequences, the same ones every time."""

import os

import pytest

from tests.proof.stateful import run

SEQUENCES, STEPS = 12, 15


def test_any_sequence_of_calls_leaves_what_the_model_foretells(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir("/")
    monkeypatch.setenv("CODETOOLS_HOME", "")  # each sequence sets its own, and this takes the last away
    before = os.umask(0o022)
    try:
        run(SEQUENCES, STEPS, derandomize=True)
    finally:
        os.umask(before)
