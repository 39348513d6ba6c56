"""Spans become lines: escaped, painted, aligned."""

from codetools.core.outcome import Span
from codetools.render.spans import layout, paint

COLUMN = Span("", "column")


def test_i9_contents_and_names_are_escaped_inside_their_colour():
    line = (
        Span("a\x1b[2J\n.py", "path"),
        Span(":"),
        Span("3", "line_number"),
        Span(":\tx\x07"),
        Span("[red]", "match"),
    )
    assert list(layout([line], color=False)) == [r"a\x1b[2J\n.py:3:" + "\t" + r"x\x07[red]"]
    assert list(layout([line], color=True)) == [
        "\x1b[35ma\\x1b[2J\\n.py\x1b[0m:\x1b[32m3\x1b[0m:\tx\\x07\x1b[1;31m[red]\x1b[0m"
    ]


def test_an_unknown_role_and_an_empty_span_have_no_colour():
    assert (paint("x", "plain", color=True), paint("", "match", color=True)) == ("x", "")


def test_cells_of_neighbouring_lines_align_and_wide_characters_count_twice():
    rows = [
        (Span("日本語.txt", "path"), COLUMN, Span("5", "number"), COLUMN, Span("today")),
        (Span("a.py", "path"), COLUMN, Span("1234", "number"), COLUMN, Span("1 May")),
    ]
    assert list(layout(rows, color=False)) == ["日本語.txt     5  today", "a.py        1234  1 May"]
    colored = list(layout(rows, color=True))
    assert colored[1] == "\x1b[35ma.py\x1b[0m        \x1b[36m1234\x1b[0m  1 May"


def test_a_line_without_cells_ends_a_table():
    rows = [(Span("a"), COLUMN, Span("b")), (Span("heading", "heading"),), (Span("long"), COLUMN, Span("b"))]
    assert list(layout(rows, color=False)) == ["a  b", "heading", "long  b"]


def test_the_last_cell_keeps_its_own_blanks_and_gets_none():
    rows = [(Span("1", "number"), COLUMN, Span("a ")), (Span("10", "number"), COLUMN, Span("bcd"))]
    assert list(layout(rows, color=False)) == [" 1  a ", "10  bcd"]
