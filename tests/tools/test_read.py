import hashlib
import json
import os
import subprocess
import sys
import time
from base64 import b64decode, b64encode
from pathlib import Path

import pytest

from tests.calls import call
from tests.files.media.samples import pdf, picture

CODETOOLS = str(Path(sys.executable).with_name("codetools"))


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
        (b"h\0e\0l\0l\0o\0", "utf-16-le", "1\thello\n[a.txt has no byte order mark; shown as utf-16-le]"),
        (
            "テスト\n".encode("cp932"),
            "windows-1252",
            "1\tƒeƒXƒg\n[a.txt is not valid UTF-8; shown as windows-1252]",
        ),
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
    assert read("a.txt:3-")["data"]["content"] == "3\n4\n"
    (workspace / "a.txt:2-3").write_text("itself\n")
    assert read("a.txt:2-3")["data"]["content"] == "itself\n"
    assert read("a.txt:3-2")["error"]["kind"] == "not_found"


def test_a_missing_file_names_those_that_are_near(workspace: Path):
    for name in ("settings.py", "setting.py", "other.md"):
        (workspace / name).touch()
    answer = read("setings.py")
    assert (answer["error"]["kind"], answer["exit"]) == ("not_found", 66)
    assert sorted(answer["error"]["details"]["near"]) == ["setting.py", "settings.py"]


def test_a_misspelt_directory_is_found_by_what_it_holds(workspace: Path):
    (workspace / "lib/source").mkdir(parents=True)
    (workspace / "lib/source/app.py").touch()
    assert read("lib/sorce/app.py")["error"]["details"]["near"] == ["lib/source/app.py"]
    assert read("lib/sorce/other.py")["error"]["details"]["near"] == []


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


def test_a_huge_file_of_nothing_is_refused_at_once_i6(workspace: Path):
    with (workspace / "sparse").open("wb") as file:
        file.write(b"first\n")
        file.truncate(1 << 40)
    started = time.monotonic()
    assert read("sparse", limit=1)["error"]["kind"] == "binary"
    assert time.monotonic() - started < 1


def test_people_may_have_the_lines_bare_or_raw(workspace: Path):
    (workspace / "a.txt").write_bytes(b"one\r\n" + b"x" * 3000)
    assert read("a.txt", no_number=True)["text"].startswith("one\nxxx")
    raw = read("a.txt", raw=True)
    assert raw["data"]["content"] == "one\r\n" + "x" * 3000
    assert raw["text"] == raw["data"]["content"]


@pytest.mark.parametrize("content", [b"\xef\xbb\xbfone\r\ntwo", b"caf\xe9\n", bytes(range(256)), picture("PNG"), b""])
def test_raw_is_every_byte_in_a_pipe(workspace: Path, content: bytes):
    (workspace / "a").write_bytes(content)
    command = [CODETOOLS, "read", "--raw", "a"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (content, b"")
    data = read("a", raw=True)["data"]
    assert (b64decode(data["base64"]) if "base64" in data else data["content"].encode()) == content


def test_base64_is_every_byte_too(workspace: Path):
    (workspace / "a").write_bytes(bytes(range(256)))
    answer = read("a", base64=True)
    assert b64decode(answer["text"]) == b64decode(answer["data"]["base64"]) == bytes(range(256))
    assert read("a", base64=True, limit=1)["data"]["last_line"] == 1


def test_an_image_comes_beside_the_text(workspace: Path):
    content = picture("PNG", (60, 40))
    (workspace / "a.txt").write_bytes(content)
    answer = read("a.txt")
    assert answer["text"] == f"[a.txt: PNG image, 60x40, {len(content)} bytes]"
    assert answer["images"] == [
        {
            "path": "a.txt",
            "media_type": "image/png",
            "width": 60,
            "height": 40,
            "base64": b64encode(content).decode(),
        }
    ]
    data = answer["data"]
    assert (data["kind"], data["content"], data["width"], data["height"]) == ("image", "", 60, 40)
    assert (data["encoding"], data["sha256"]) == (None, hashlib.sha256(content).hexdigest())


def test_a_model_without_images_is_told_what_the_file_is(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CODETOOLS_IMAGES", "0")
    (workspace / "a.png").write_bytes(picture("PNG", (60, 40)))
    answer = read("a.png")
    assert (answer["error"]["kind"], answer["images"]) == ("binary", [])
    assert "a.png is a PNG image (60x40," in answer["text"]
    assert "CODETOOLS_IMAGES=1" in answer["text"]


def test_a_pdf_is_read_by_pages_and_names_the_next_call_i6(workspace: Path):
    (workspace / "a.pdf").write_bytes(pdf([f"words {number}" for number in range(1, 24)]))
    answer = read("a.pdf")
    assert answer["text"].startswith("--- page 1 of 23 ---\nwords 1\n--- page 2 of 23 ---")
    assert (answer["data"]["kind"], answer["data"]["total_pages"]) == ("pdf", 23)
    following = answer["data"]["truncated"]["next"]["arguments"]
    assert following == {"file_path": "a.pdf", "pages": "21-23"}
    assert call("read", following)["data"]["content"].endswith("--- page 23 of 23 ---\nwords 23\n")
    assert read("a.pdf", pages="nonsense")["error"]["kind"] == "usage"


def test_lines_of_a_pdf_that_do_not_fit_name_the_next_call_too_i6(workspace: Path):
    (workspace / "a.pdf").write_bytes(pdf(["one", "two"]))
    following = read("a.pdf", pages="1-2", limit=2)["data"]["truncated"]["next"]["arguments"]
    assert following == {"file_path": "a.pdf", "offset": 2, "limit": 2, "pages": "1-2"}
    assert call("read", following)["data"]["content"] == "--- page 2 of 2 ---\ntwo\n"


def test_a_notebook_is_shown_as_cells_with_its_images(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    output = {"output_type": "display_data", "data": {"image/png": b64encode(picture("PNG")).decode()}}
    cells = [{"cell_type": "code", "source": "plot()", "outputs": [output]}]
    (workspace / "a.json").write_text(json.dumps({"nbformat": 4, "cells": cells}))
    answer = read("a.json")
    assert answer["data"]["content"] == (
        "--- cell 1: code ---\nplot()\n--- output of cell 1 ---\n[image 1: image/png]\n"
    )
    assert [image["width"] for image in answer["images"]] == [60]
    assert json.loads(read("a.json", raw=True)["text"])["nbformat"] == 4
    monkeypatch.setenv("CODETOOLS_IMAGES", "0")
    without = read("a.json")
    assert (without["images"], without["ok"]) == ([], True)
    assert "images left out: 1 of 1" in without["text"]


def test_what_only_looks_like_a_notebook_is_text(workspace: Path):
    (workspace / "a.json").write_text('{"cells": 1, "nbformat": 4}\n')
    answer = read("a.json")
    assert (answer["text"], answer["data"]["kind"]) == ('1\t{"cells": 1, "nbformat": 4}', "text")


def test_a_named_encoding_is_taken_at_its_word(workspace: Path):
    (workspace / "a.txt").write_bytes("Łódź\n漢".encode("cp1250", "replace"))
    answer = read("a.txt", encoding="windows-1250")
    assert (answer["text"], answer["data"]["encoding"], answer["notices"]) == ("1\tŁódź\n2\t?", "cp1250", [])
    assert read("a.txt", encoding="no such")["error"]["kind"] == "usage"
    (workspace / "b.txt").write_bytes("表示\n".encode("utf-16-le"))
    assert read("b.txt", encoding="utf-16-le")["text"] == "1\t表示"


def test_the_settings_name_the_encoding_of_what_is_not_utf_8(workspace: Path, home: Path):
    settings = home / ".config" / "codetools" / "config.yaml"
    settings.parent.mkdir(parents=True)
    settings.write_text("encoding: cp1250\n")
    (workspace / "a.txt").write_bytes("Łódź".encode("cp1250"))
    (workspace / "b.txt").write_bytes("Łódź".encode())
    assert [read(name)["text"] for name in ("a.txt", "b.txt")] == ["1\tŁódź", "1\tŁódź"]


def test_bytes_that_are_no_character_are_shown_as_such_with_a_notice(workspace: Path):
    (workspace / "a.txt").write_bytes("漢字が多い\n".encode() * 3 + b"x\xff\n")
    answer = read("a.txt")
    assert "[line 4 of a.txt: bytes that are not valid utf-8 are shown as U+FFFD]" in answer["text"]
    assert answer["data"]["content"].endswith("x\ufffd\n")
    assert "ascii" in read("a.txt", encoding="ascii")["text"]


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
