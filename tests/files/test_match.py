from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetools.files.match import find, find_all, line_numbers, replaced

PIECES = st.lists(
    st.sampled_from([b"a", b"b", b" ", b"\t", b"\n", b"\r\n", b"\r", b"    ", b"\xff", b"{x}"]), max_size=12
)
BYTES = PIECES.map(b"".join)


@pytest.mark.parametrize(
    ("content", "old", "new", "tier", "expected"),
    [
        (b"one two", b"two", b"2", "exact", b"one 2"),
        (b"x\\1 $& {y}", b"y", b"\\1 $& {z}", "exact", b"x\\1 $& {\\1 $& {z}}"),
        (b"a\r\nb\r\nc\r\n", b"a\nb\n", b"x\ny\nz\n", "line_endings", b"x\r\ny\r\nz\r\nc\r\n"),
        (b"a\r\nb\nc\r\n", b"a\r\nb\r\n", b"x\r\ny\r\n", "line_endings", b"x\r\ny\nc\r\n"),
        (b"a\r\nb\r\n", b"a", b"x\ny", "line_endings", b"x\r\ny\r\nb\r\n"),
        (b"a\r\nb\n", b"a", b"x\ny", "exact", b"x\ny\r\nb\n"),
        (b"a\rb\rc", b"a\nb", b"x\ny", "line_endings", b"x\ry\rc"),
        (b"a  \nb\t\nc", b"a\nb\nc", b"x", "trailing_blanks", b"x"),
        (b"a\nb\nbc\n", b"a \nb ", b"x", "trailing_blanks", b"x\nbc\n"),
        (b"a  \r\nb\r\n", b"a\nb\n", b"x\ny\n", "trailing_blanks", b"x\r\ny\r\n"),
        (
            b"def f():\n    if x:\n        y\n",
            b"if x:\n    y\n",
            b"if z:\n    y\n",
            "indentation",
            b"def f():\n    if z:\n        y\n",
        ),
        (b"if x:\n    y\n", b"    if x:\n        y\n", b"    if z:\n        y\n", "indentation", b"if z:\n    y\n"),
        (b"\tif x:\n\t\ty\n", b"    if x:\n    \ty\n", b"    if z:\n    \ty\n", "indentation", b"\tif z:\n\t\ty\n"),
        (b"  a\n\n  b\n", b"a\n\nb", b"x\n\ny", "indentation", b"  x\n\n  y\n"),
        (b"  1\n  2\n", b"1\n2\n", b"3\n", "indentation", b"  3\n"),
    ],
)
def test_one_place_is_found_at_the_strictest_tier(content: bytes, old: bytes, new: bytes, tier: str, expected: bytes):
    found = find(content, old, new)
    assert (found.tier, len(found.spans)) == (tier, 1)
    assert replaced(content, found.spans) == expected


@pytest.mark.parametrize(
    ("content", "old"),
    [
        (b"a\n  b\n", b"a\nb\n"),  # two different shifts
        (b"ab\n", b"a b\n"),
        (b"A\n", b"a\n"),
        (b"x = 1\ny = 2\n", b"x = 1\ny = 3\n"),
        ("“a”".encode(), b'"a"'),
        (b"word", b"   "),
    ],
)
def test_likeness_never_applies(content: bytes, old: bytes):
    assert find(content, old, b"new").spans == ()


@pytest.mark.parametrize(
    ("content", "old", "count"),
    [(b"aaa", b"aa", 2), (b"a a a", b"a", 3), (b"x \ny\nx\t\ny\n", b"x\ny\n", 2), (b"    \nfoo", b"   \nfoo", 1)],
)
def test_every_place_counts_overlapping_ones_too(content: bytes, old: bytes, count: int):
    assert len(find(content, old, b"").spans) == count


def test_an_exact_place_wins_over_looser_ones():
    found = find(b"x \ny\nx\ny\n", b"x\ny\n", b"z\n")
    assert (found.tier, [span.start for span in found.spans]) == ("exact", [5])


def test_all_are_replaced_from_the_left():
    assert replaced(b"aaaa b", find_all(b"aaaa b", b"aa", b"x").spans) == b"xx b"


def test_lines_are_counted_by_their_line_feeds():
    assert line_numbers(b"a\r\nb\nc", [0, 3, 5]) == [1, 2, 3]


@given(BYTES, BYTES.filter(bool), BYTES)
def test_bytes_outside_the_span_stay(content: bytes, old: bytes, new: bytes):
    found = find(content, old, new)
    assert all(first.start < second.start for first, second in zip(found.spans, found.spans[1:], strict=False))
    if len(found.spans) == 1:
        span = found.spans[0]
        result = replaced(content, found.spans)
        assert result[: span.start] == content[: span.start]
        assert result[len(result) - (len(content) - span.end) :] == content[span.end :]


@given(BYTES, BYTES.filter(bool), BYTES)
def test_a_place_is_exact_exactly_where_the_bytes_are(content: bytes, old: bytes, new: bytes):
    starts = [at for at in range(len(content)) if content.startswith(old, at)]
    found = find(content, old, new)
    if starts:
        assert [span.start for span in found.spans] == starts
        assert {span.end - span.start for span in found.spans} == {len(old)}
    else:
        assert found.tier != "exact" or not found.spans


@given(BYTES, BYTES)
def test_a_line_shifted_by_blanks_is_found_and_shifted_back(before: bytes, after: bytes):
    content = b"start\n" + b"    if x:\n      y()\n" + b"end\n"
    found = find(before.replace(b"x", b"") + b"\n" + content, b"if x:\n  y()\n", b"if x:\n  z()\n")
    assert [span.new for span in found.spans] in ([b"    if x:\n      z()\n"], [])


@pytest.mark.parametrize(
    ("content", "old"),
    [
        (b"a\n" + b" " * 300_000 + b"x\n", b" \nfoo\n"),
        (b" " * 300_000 + b"x\n  \nfoo\n", b" \nfoo \n"),
        ((b"\t" * 2000 + b"\n") * 300 + b"foo\n", b"  \n" * 60 + b"fooz\n"),
        (b"x x\n" * 30_000, b"x\n" * 15_000 + b"x x\n"),
        (b"x\n" * 5000 + b" x x\n" * 5000, b" x\n" * 5000 + b"x x\n"),
        (b"x\n", b"ab " * 2_000_000),
    ],
)
def test_i6_no_content_makes_a_search_long(content: bytes, old: bytes):
    before = process_time()
    find(content, old, b"new")
    assert process_time() - before < 3
