"""Lines are broken at words, and what follows stands under its beginning."""

from codetools.core.outcome import Span
from codetools.render.spans import layout
from codetools.render.wrap import wrap

COLUMN = Span("", "column")


def texts(*spans: Span, width: int, indent: int = 2) -> list[str]:
    return ["".join(span.text for span in line) for line in wrap(spans, width, indent)]


def test_a_line_that_fits_stays_one():
    assert texts(Span("  one  two"), width=20) == ["  one  two"]
    assert texts(Span(""), width=20) == [""]


def test_wide_characters_take_two_columns():
    assert texts(Span("漢字漢字漢字 漢字漢字漢字"), width=20) == ["漢字漢字漢字", "  漢字漢字漢字"]


def test_a_word_of_two_roles_is_not_broken():
    assert texts(Span("see also a"), Span("bc", "match"), Span("d next"), width=20) == ["see also abcd next"]
    assert texts(Span("please see also a"), Span("bc", "match"), Span("d"), width=19) == ["please see also", "  abcd"]
    assert wrap([Span("a"), Span("bc", "match")], 20, 2) == [[Span("a"), Span("bc", "match")]]


def test_the_last_cell_of_a_row_is_broken_under_itself():
    rows = [(Span("a"), COLUMN, Span("one two three four five")), (Span("bb"), COLUMN, Span("six"))]
    assert list(layout(rows, color=False, width=22)) == ["a   one two three four", "    five", "bb  six"]


def test_without_room_for_columns_a_row_is_running_text():
    rows = [(Span("a" * 20), COLUMN, Span("one two three"))]
    assert list(layout(rows, color=False, width=30)) == ["a" * 20 + "  one two", "    three"]
    assert list(layout(rows, color=False)) == ["a" * 20 + "  one two three"]
