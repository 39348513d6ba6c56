"""Output: the whole in the spool, both ends in memory, clean text with the notice at the cut."""

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetools.core.limits import Limits
from codetools.shell.clean import binary_kind, to_text
from codetools.shell.output import Output, Shown
from codetools.shell.window import Window
from codetools.system.plumbing import STDERR, STDOUT

SMALL = Limits().but(stdout_bytes=1000, stderr_bytes=1000)


def shown(tmp_path: Path, *chunks: tuple[int, bytes], limits: Limits = SMALL) -> Shown:
    output = Output(limits, str(tmp_path))
    for stream, chunk in chunks:
        output.take(stream, chunk)
    return output.finish()


def lines(first: int, last: int) -> bytes:
    return b"".join(b"line %d\n" % number for number in range(first, last + 1))


def test_short_output_is_shown_whole_and_leaves_no_spool(tmp_path: Path):
    found = shown(tmp_path, (STDOUT, b"out\n"), (STDERR, b"err\n"))
    assert (found.stdout, found.stderr, found.text) == ("out\n", "err\n", "out\n[stderr] err\n")
    assert (found.total_bytes, found.total_lines, found.truncated, found.spool) == (8, 2, None, None)
    assert os.listdir(tmp_path) == []


def test_streams_are_one_text_in_the_order_they_came(tmp_path: Path):
    found = shown(tmp_path, (STDOUT, b"a\nb"), (STDERR, b"x\ny\n"), (STDOUT, b"c\n"), (STDERR, b"z"))
    assert found.text == "a\nb\n[stderr] x\n[stderr] y\nc\n[stderr] z"
    assert found.plain == "a\nb\nx\ny\nc\nz"


def test_a_line_that_comes_in_pieces_has_one_mark(tmp_path: Path):
    assert shown(tmp_path, (STDERR, b"one "), (STDERR, b"line\n")).text == "[stderr] one line\n"


def test_i6_long_output_shows_both_ends_and_how_to_read_on(tmp_path: Path):
    whole = lines(1, 2000)
    found = shown(tmp_path, *[(STDOUT, whole[start : start + 700]) for start in range(0, len(whole), 700)])
    head, notice, tail = found.text.partition("[…")[0], found.text[found.text.index("[…") :].split("\n")[0], found.text
    assert head.endswith("\n")
    assert whole.startswith(head.encode())
    assert whole.endswith(tail[tail.index("[…") :].partition("\n")[2].encode())
    assert 1200 < len(head) <= 1600
    assert found.spool is not None
    assert found.truncated is not None
    assert found.truncated.next is not None
    arguments = found.truncated.next.arguments
    left = whole.decode().split("\n")[arguments["offset"] : arguments["offset"] + arguments["limit"]]
    assert head + "\n".join(left) + "\n" + tail[tail.index("[…") :].partition("\n")[2] == whole.decode()
    assert f'"offset": {arguments["offset"]}' in notice
    assert found.spool in notice
    assert f"{len(left):,} of 2,000 lines left out" in notice
    assert Path(found.spool).read_bytes() == whole


def test_the_spool_is_private_and_whole_from_the_first_byte(tmp_path: Path):
    found = shown(tmp_path, (STDOUT, b"\x1b[31mred\x1b[0m\n"), (STDERR, b"e\n"))
    assert found.text == "red\n[stderr] e\n"
    assert found.spool is not None
    assert stat.S_IMODE(os.stat(found.spool).st_mode) == 0o600
    assert Path(found.spool).read_bytes() == b"\x1b[31mred\x1b[0m\ne\n"


def test_i6_the_spools_own_cap_is_said(tmp_path: Path):
    limits = SMALL.but(spool_bytes=10_000)
    found = shown(tmp_path, *[(STDOUT, b"x" * 999 + b"\n")] * 20, limits=limits)
    assert found.spool is not None
    assert os.path.getsize(found.spool) == 10_000
    assert found.troubles == ("only the first 10,000 bytes of output were kept on disk",)


@pytest.mark.parametrize("directory", ["/nowhere", "/proc"])
def test_output_is_shown_where_it_cannot_be_kept(directory: str):
    found = shown(Path(directory), (STDOUT, lines(1, 2000)))
    assert found.spool is None
    assert len(found.troubles) == 1
    assert "line 1\n" in found.text
    assert "line 2000\n" in found.text


def test_old_spools_are_taken_away(tmp_path: Path):
    for number in range(210):
        (tmp_path / f"20200101-000000-{number:04}.log").write_text("old")
    old = tmp_path / "20990101-000000-1.log"
    old.write_text("old")
    os.utime(old, (1, 1))
    (tmp_path / "mine.txt").write_text("not a spool")
    found = shown(tmp_path, (STDOUT, lines(1, 2000)))
    names = os.listdir(tmp_path)
    assert len(names) <= 201
    assert not old.exists()
    assert found.spool is not None
    assert os.path.basename(found.spool) in names
    assert "mine.txt" in names


def test_one_line_without_end_is_cut_between_characters(tmp_path: Path):
    found = shown(tmp_path, (STDOUT, "é€😀".encode() * 1000))
    head, tail = found.stdout.split("\n[…")
    assert set(head) == set("é€😀")
    assert set(tail.split("]\n")[1]) == set("é€😀")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"10%\r50%\r100%\n", "100%\n"),
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"\x1b]0;title\x07x\x1b[2K\x1b[1;31mred\x1b[0m", "xred"),
        (b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        (b"N\x08NA\x08AM\x08M", "NAM"),
        (b"a\0b\0", "a\nb\n"),
        (b"bell\x07 del\x7f", "bell del"),
        (b"\xff\xfe", "��"),
        ("tab\tümlaut\n".encode(), "tab\tümlaut\n"),
        ("c1 \x9b31m\x85".encode(), "c1 "),
    ],
)
def test_text_is_what_a_reader_would_have_seen(raw: bytes, text: str):
    assert to_text(raw) == text


@given(st.binary(max_size=200))
def test_i9_no_control_character_is_left(raw: bytes):
    assert all(character.isprintable() or character in "\n\t" or character > "\x9f" for character in to_text(raw))


@pytest.mark.parametrize(
    ("sample", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0", "PNG image"),
        (b"\x7fELF\x02\x01\0", "ELF executable"),
        (b"\0" * 1000, "binary data"),
        (bytes(range(256)) * 4, "binary data"),
        (b"a.txt\0b.txt\0", ""),
        (b"plain\n", ""),
        ("ümlaut".encode("latin-1") + b" and much more text", ""),
        (b"\x1b[31mred\x1b[0m", ""),
        ("é".encode()[:1], ""),
        (b"", ""),
    ],
)
def test_binary_output_is_told_from_text(sample: bytes, kind: str):
    assert binary_kind(sample) == kind


def test_binary_output_is_a_notice_and_stays_in_the_spool(tmp_path: Path):
    found = shown(tmp_path, (STDOUT, b"\x89PNG\r\n\x1a\n" + b"\0" * 5000), (STDERR, b"warning\n"))
    assert found.spool is not None
    assert found.stdout == f"[stdout is PNG image: 5,008 bytes, kept in {found.spool}]"
    assert found.text == f"{found.stdout}\n[stderr] warning\n"


@given(st.lists(st.tuples(st.sampled_from([1, 2]), st.binary(min_size=1, max_size=60)), max_size=40))
def test_a_window_never_holds_more_than_its_limit(chunks: list[tuple[int, bytes]]):
    window = Window(100)
    for stream, chunk in chunks:
        window.add(stream, chunk, chunk.count(b"\n"))
    view = window.view()
    raw = b"".join(chunk for _, chunk in chunks)
    head = b"".join(piece.content for piece in view.head)
    tail = b"".join(piece.content for piece in view.tail)
    assert view.total_bytes == len(raw)
    assert raw.startswith(head)
    assert raw.endswith(tail)
    assert head == raw if not view.is_cut else len(head) + len(tail) < 100 + 60


def test_live_output_comes_as_whole_characters(tmp_path: Path):
    heard: list[str] = []
    output = Output(SMALL, str(tmp_path), lambda text, stream: heard.append(text))
    for byte in "é€".encode():
        output.take(STDOUT, bytes([byte]))
    output.finish()
    assert "".join(heard) == "é€"
