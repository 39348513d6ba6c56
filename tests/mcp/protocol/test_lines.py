"""Messages on a stream, one a line."""

import pytest

from codetools.mcp.protocol.lines import Lines, TooLong


def test_lines_come_out_whole_however_they_come_in():
    lines = Lines(100)
    assert lines.feed(b'{"a"') == []
    assert lines.feed(b":1}\r\n\n{}\n{") == [b'{"a":1}', b"{}"]
    assert lines.rest == b"{"


def test_a_line_longer_than_the_cap_is_refused_while_it_comes_i6():
    lines = Lines(1000)
    for _ in range(10):
        assert lines.feed(b"x" * 100) == []
    with pytest.raises(TooLong):
        lines.feed(b"x")
    assert lines.rest == b""


def test_many_short_lines_do_not_count_together():
    lines = Lines(10)
    assert len(lines.feed(b"12345678\n" * 1000)) == 1000
