import hashlib
import os
import time
import tracemalloc
from pathlib import Path

import pytest

from tests.calls import call


def read(path: str, **arguments: object) -> dict:
    return call("read", {"file_path": path, **arguments})


def test_lines_are_numbered_and_the_file_described(workspace: Path):
    (workspace / "a.txt").write_bytes(b"one\ntwo\n")
    answer = read("a.txt")
    assert answer["text"] == "1\tone\n2\ttwo"
    assert answer["exit"] == 0
    assert answer["data"] == {
        "path": "a.txt",
        "kind": "text",
        "content": "one\ntwo\n",
        "first_line": 1,
        "last_line": 2,
        "total_lines": 2,
        "size": 8,
        "sha256": hashlib.sha256(b"one\ntwo\n").hexdigest(),
        "encoding": "utf-8",
        "eol": "lf",
    }


def test_a_page_names_the_exact_next_call_i6(workspace: Path):
    (workspace / "a.txt").write_text("".join(f"{number}\n" for number in range(1, 11)))
    answer = read("a.txt", offset=2, limit=3)
    assert answer["text"].startswith("3\t3\n4\t4\n5\t5\n[lines 3-5 of 10 shown; the rest: read ")
    truncated = answer["data"]["truncated"]
    assert truncated == {
        "unit": "lines",
        "shown": 3,
        "total": 10,
        "limit": 3,
        "next": {"tool": "read", "arguments": {"file_path": "a.txt", "offset": 5, "limit": 3}},
    }
    assert call("read", truncated["next"]["arguments"])["data"]["first_line"] == 6


def test_a_long_line_is_cut_on_a_character_with_a_notice_i6(workspace: Path):
    (workspace / "a.txt").write_text("é" * 3000 + "\nshort\n")
    answer = read("a.txt")
    assert answer["data"]["content"] == "é" * 2000 + "\nshort\n"
    assert [notice["message"] for notice in answer["notices"]] == ["line 1 cut at 2,000 characters"]
    assert "[line 1 cut at 2,000 characters]" in answer["text"]


def test_what_is_shown_has_a_cap_in_characters_too_i6(workspace: Path):
    (workspace / "a.txt").write_text(("x" * 1000 + "\n") * 1500)
    answer = read("a.txt")
    assert answer["data"]["last_line"] == 198
    assert answer["data"]["truncated"]["next"]["arguments"]["offset"] == 198


@pytest.mark.parametrize(
    ("content", "encoding", "text"),
    [
        (b"\xef\xbb\xbfhi\n", "utf-8-bom", "1\thi"),
        (b"\xff\xfeh\0\xe9\0\n\0x\0", "utf-16-le", "1\thé\n2\tx"),
        (b"\xfe\xff\0h\0i", "utf-16-be", "1\thi"),
        (b"Gr\xfc\xdfe\n", "windows-1252", "1\tGrüße\n[a.txt is not valid UTF-8; shown as windows-1252]"),
        (b"a\r\nb\r\n", "utf-8", "1\ta\n2\tb"),
    ],
)
def test_encodings_are_shown_right(workspace: Path, content: bytes, encoding: str, text: str):
    (workspace / "a.txt").write_bytes(content)
    answer = read("a.txt")
    assert (answer["data"]["encoding"], answer["text"]) == (encoding, text)


def test_an_empty_file_is_said_and_so_is_an_offset_past_the_end(workspace: Path):
    (workspace / "a.txt").touch()
    (workspace / "b.txt").write_text("1\n2\n")
    assert read("a.txt")["text"] == "[a.txt is empty.]"
    past = read("b.txt", offset=5)
    assert "b.txt has 2 lines; nothing lies after the offset." in past["text"]
    assert (past["data"]["first_line"], past["data"]["total_lines"]) == (0, 2)


def test_a_range_after_the_name_counts_where_no_such_file_exists(workspace: Path):
    (workspace / "a.txt").write_text("1\n2\n3\n4\n")
    assert read("a.txt:2-3")["data"]["content"] == "2\n3\n"
    assert read("a.txt:4")["data"]["content"] == "4\n"
    (workspace / "a.txt:2-3").write_text("itself\n")
    assert read("a.txt:2-3")["data"]["content"] == "itself\n"
    assert read("a.txt:3-2")["error"]["kind"] == "not_found"


def test_a_missing_file_names_those_that_are_near(workspace: Path):
    for name in ("settings.py", "setting.py", "other.md"):
        (workspace / name).touch()
    answer = read("setings.py")
    assert (answer["error"]["kind"], answer["exit"]) == ("not_found", 66)
    assert sorted(answer["error"]["details"]["near"]) == ["setting.py", "settings.py"]


def test_a_directory_shows_its_first_names(workspace: Path):
    (workspace / "d/sub").mkdir(parents=True)
    for number in range(60):
        (workspace / f"d/f{number:02}").touch()
    answer = read("d")
    assert (answer["error"]["kind"], answer["exit"]) == ("is_a_directory", 66)
    assert len(answer["error"]["details"]["names"]) == 50
    assert "  f00\n" in answer["text"]
    assert "... and 11 more" in answer["text"]


@pytest.mark.parametrize(
    ("content", "kind", "message"),
    [
        (b"a\0b", "binary", "a.txt is not text but binary, 3 bytes."),
        (b"PK\x03\x04\x14\0", "archive", "a.txt is not text but zip archive, 6 bytes."),
        (b"\x7fELF\x02\x01\x01\0", "executable", "a.txt is not text but ELF executable, 8 bytes."),
        (b"SQLite format 3\0", "database", "a.txt is not text but SQLite database, 16 bytes."),
        (b"fLaC\0\0\0\x22", "audio", "a.txt is not text but FLAC audio, 8 bytes."),
    ],
)
def test_what_is_not_text_is_refused_by_kind_with_a_hint(workspace: Path, content: bytes, kind: str, message: str):
    (workspace / "a.txt").write_bytes(content)
    answer = read("a.txt")
    assert (answer["error"]["kind"], answer["exit"]) == ("binary", 65)
    assert (answer["error"]["details"]["kind"], answer["error"]["message"]) == (kind, message)
    assert "bash" in answer["error"]["hint"]


def test_what_could_hang_is_refused_at_once_i6(workspace: Path):
    os.mkfifo(workspace / "fifo")
    started = time.monotonic()
    assert read("fifo")["error"]["kind"] == "not_a_file"
    assert time.monotonic() - started < 1


def test_a_huge_sparse_file_and_a_huge_line_are_bounded_i6(workspace: Path):
    with (workspace / "sparse").open("wb") as file:
        file.write(b"first\n")
        file.truncate(1 << 40)
    with (workspace / "line").open("wb") as file:
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(b"\nlast\n")
    read("sparse")
    tracemalloc.start()
    started = time.monotonic()
    sparse, line = read("sparse", limit=1), read("line")
    assert time.monotonic() - started < 1
    assert tracemalloc.get_traced_memory()[1] < 30_000_000
    tracemalloc.stop()
    assert sparse["error"]["kind"] == "binary"
    assert line["data"]["content"] == "x" * 2000 + "\nlast\n"
    assert (line["data"]["total_lines"], line["data"]["sha256"]) == (2, None)


def test_a_page_deep_in_a_large_file_is_right(workspace: Path):
    with (workspace / "big").open("w") as file:
        for start in range(0, 4_000_000, 100_000):
            file.write("".join(f"line {number}\n" for number in range(start, start + 100_000)))
    answer = read("big", offset=3_999_998)
    assert answer["text"] == "3999999\tline 3999998\n4000000\tline 3999999"
    assert answer["data"]["total_lines"] == 4_000_000


def test_people_may_have_the_lines_bare_or_raw(workspace: Path):
    (workspace / "a.txt").write_bytes(b"one\r\n" + b"x" * 3000)
    assert read("a.txt", no_number=True)["text"].startswith("one\nxxx")
    raw = read("a.txt", raw=True)
    assert raw["data"]["content"] == "one\r\n" + "x" * 3000
    assert raw["text"] == raw["data"]["content"]


def test_reading_outside_asks_and_a_link_out_is_refused(workspace: Path, tmp_path: Path):
    (tmp_path / "secret").write_text("x")
    (workspace / "link").symlink_to(tmp_path / "secret")
    assert read("../secret")["exit"] == 75
    assert read(str(tmp_path / "absent"))["exit"] == 75
    assert (read("link")["error"]["kind"], read("link")["exit"]) == ("outside_workspace", 77)


def test_a_path_that_is_not_utf_8_can_be_passed_back(workspace: Path):
    (workspace / os.fsdecode(b"caf\xe9.txt")).write_text("1\n2\n")
    answer = call("read", {"file_path_b64": "Y2Fm6S50eHQ=", "limit": 1})
    assert answer["data"]["path_b64"] == "Y2Fm6S50eHQ="
    assert call("read", answer["data"]["truncated"]["next"]["arguments"])["data"]["content"] == "2\n"


def test_an_unreadable_store_does_not_stop_a_read(workspace: Path, home: Path, monkeypatch: pytest.MonkeyPatch):
    (workspace / "a.txt").write_text("1\n")
    (home / "state").write_text("a file where a directory is needed")
    monkeypatch.setenv("CODETOOLS_HOME", str(home / "state" / "codetools"))
    answer = call("read", {"file_path": "a.txt"}, session="s")
    assert answer["data"]["content"] == "1\n"
    assert "not_remembered" in [notice["kind"] for notice in answer["notices"]]
