import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetools.search.events import CUT, Events, FileRows
from codetools.search.rows import read_rows, window


@given(st.text("abc é→", max_size=300), st.integers(0, 299), st.integers(0, 40), st.integers(40, 120))
def test_a_window_holds_the_match_and_its_span_points_at_it(text: str, start: int, length: int, most: int):
    start = min(start, len(text))
    end = min(start + length, len(text))
    shown, spans = window(text, ((start, end),), most)
    assert len(shown) <= most
    if len(text) <= most:
        assert (shown, spans) == (text, ((start, end),))
    elif end > start:
        ((left, right),) = spans
        assert text[start:].startswith(shown[left:right])
        assert right > left


def test_a_window_marks_what_it_leaves_out():
    text = "a" * 100 + "needle" + "b" * 100
    shown, spans = window(text, ((100, 106),), 50)
    assert (len(shown), shown[0], shown[-1]) == (50, "…", "…")
    assert [shown[start:end] for start, end in spans] == ["needle"]
    assert window("x" * 60, (), 50) == ("x" * 49 + "…", ())


def event(kind: str, line: int, text: str, spans: list[tuple[int, int]]) -> bytes:
    matches = [{"match": {"text": text[start:end]}, "start": start, "end": end} for start, end in spans]
    data = {"path": {"text": "./f"}, "lines": {"text": text}, "line_number": line, "absolute_offset": 10}
    return json.dumps({"type": kind, "data": {**data, "submatches": matches}}, separators=(",", ":")).encode()


def test_dos_line_ends_inside_a_match_are_left_out_and_spans_follow():
    row = event("match", 3, "one\r\ntwo foo\r\n", [(0, 8), (9, 12)])
    (read,) = read_rows(FileRows("f", (row,), 1, False), 500)
    assert (read.text, read.spans) == ("one\ntwo foo", ((0, 7), (8, 11)))


@pytest.mark.parametrize("size", [1, 7, 64, 100_000])
def test_rows_are_read_the_same_in_any_pieces(size: int):
    begin = b'{"type":"begin","data":{"path":{"text":"./f"}}}'
    end = b'{"type":"end","data":{"path":{"text":"./f"},"binary_offset":null,"stats":{}}}'
    summary = b'{"data":{"elapsed_total":{},"stats":{"searches":7}},"type":"summary"}'
    stream = b"\n".join(
        [begin, event("match", 1, "foo\n", [(0, 3)]), event("context", 2, "x\n", []), end, summary, b""]
    )
    events = Events(10, 0)
    assert all(events.read(stream[start : start + size]) for start in range(0, len(stream), size))
    (file,) = events.files
    assert (file.path, file.matched, len(file.rows), events.searched, events.total) == ("f", 1, 2, 7, 1)


def test_a_row_of_many_megabytes_keeps_its_numbers_and_its_beginning_i6():
    begin = b'{"type":"begin","data":{"path":{"text":"./f"}}}\n'
    text = "\\" * 5_000_000 + '"line_number":99' + "x" * 3_000_000
    row = event("match", 42, text, [(3, 9)])
    events = Events(10, 0)
    stream = begin + row + b"\n"
    for start in range(0, len(stream), 65_536):
        events.read(stream[start : start + 65_536])
    events.close()
    (file,) = events.files
    assert CUT in file.rows[0]
    assert len(file.rows[0]) < 200_000
    (read,) = read_rows(file, 100)
    assert (read.line, read.column, read.byte_offset, read.spans) == (42, 4, 13, ((3, 9),))
    assert read.text == "\\" * 99 + "…"
