"""Columns of a terminal, not characters, are what fits."""

import pytest

from codetools.render.width import columns, fit


@pytest.mark.parametrize(
    ("text", "wanted"), [("abc", 3), ("日本", 4), ("e\u0301", 1), ("👍", 2), ("é", 1), ("", 0), ("ｱ", 1), ("한", 2)]
)
def test_columns(text: str, wanted: int):
    assert columns(text) == wanted


@pytest.mark.parametrize(
    ("text", "limit", "wanted"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("日本語", 6, "日本語"),
    ],
)
def test_what_does_not_fit_is_cut_with_an_ellipsis(text: str, limit: int, wanted: str):
    assert fit(text, limit) == wanted
    assert columns(fit(text, limit)) <= limit
