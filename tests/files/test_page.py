from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from codetools.files.page import Page, take_page

WIDE = 1 << 30


def page(content: bytes, offset: int, limit: int, *, chunk: int = 7, line: int = WIDE, most: int = WIDE) -> Page:
    chunks = (content[at : at + chunk] for at in range(0, len(content), chunk))
    return take_page(chunks, offset, limit, line, most, lambda: None)


@given(
    st.lists(st.sampled_from([b"a", b"\n", b"\r\n", b"\r", b"word", b"\n\n"]), max_size=40).map(b"".join),
    st.integers(0, 12),
    st.integers(1, 12),
    st.integers(1, 9),
)
def test_a_page_is_what_sed_shows(content: bytes, offset: int, limit: int, chunk: int):
    lines = content.split(b"\n")
    lines = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    found = page(content, offset, limit, chunk=chunk)
    assert found.lines == tuple(lines[offset : offset + limit])
    assert found.has_more == (len(lines) > offset + limit)
    if not found.has_more:
        assert found.seen_lines == len(lines)


def test_a_long_line_is_cut_and_counted():
    found = page(b"x" * 100 + b"\nshort\n" + b"y" * 100, 0, 10, line=10)
    assert found == Page((b"x" * 10, b"short\n", b"y" * 10), (1, 3), has_more=False, seen_lines=3)


def test_a_page_ends_before_it_is_too_large_but_has_a_line():
    assert page(b"aaaa\nbbbb\ncccc\n", 0, 10, most=12) == Page((b"aaaa\n", b"bbbb\n"), (), has_more=True, seen_lines=2)
    assert page(b"aaaaaaaaaa\nb\n", 0, 10, most=3) == Page((b"aaaaaaaaaa\n",), (), has_more=True, seen_lines=1)


def test_nothing_is_read_beyond_what_the_page_needs():
    def chunks() -> Iterator[bytes]:
        yield b"a\nb\n"
        yield b"c\n"
        raise AssertionError("read on")

    assert take_page(chunks(), 0, 2, WIDE, WIDE, lambda: None).has_more


def test_many_short_lines_are_passed_quickly():
    content = b"\n" * 3_000_000 + b"here\n"
    assert page(content, 3_000_000, 5, chunk=1 << 18).lines == (b"here\n",)
