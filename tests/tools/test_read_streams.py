"""A page of a huge file within the kernel's limits of memory and time; numbering as `sed` and `grep` have it."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CODETOOLS = str(Path(sys.executable).with_name("codetools"))
MOST_ADDRESSES_KB = 120 << 10  # of which an interpreter that does nothing takes a quarter
MOST_CPU_SECONDS = 2
MIB = 1 << 20


def measured(**arguments: Any) -> dict[str, Any]:
    """Return the envelope of a read that was held to an address space and a processor time."""
    limits = f"ulimit -v {MOST_ADDRESSES_KB}; ulimit -t {MOST_CPU_SECONDS}; exec "
    command = ["bash", "-c", limits + '"$0" call read "$1"', CODETOOLS, json.dumps(arguments)]
    answer: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return answer


def test_i6_a_page_deep_in_a_large_file_is_right_and_bounded(workspace: Path):
    block = "".join(f"line {number:03}\n" for number in range(1000)).encode()
    with (workspace / "big").open("wb") as file:
        for _ in range(10):
            file.write(block * 1000)
    answer = measured(file_path="big", offset=9_999_998, limit=5)
    assert answer["text"] == "9999999\tline 998\n10000000\tline 999"
    assert (answer["data"]["total_lines"], answer["data"]["sha256"]) == (10_000_000, None)
    part = measured(file_path="big", offset=5_000_000, limit=1)["data"]
    assert (part["content"], part["total_lines"]) == ("line 000\n", None)
    whole = measured(file_path="big", limit=1, totals=True)["data"]
    assert (whole["total_lines"], whole["truncated"]["total"]) == (10_000_000, 10_000_000)
    assert whole["sha256"] == hashlib.sha256(block * 10_000).hexdigest()


def test_i6_a_sparse_file_of_a_tebibyte_is_passed_over_where_it_is_empty(workspace: Path):
    with (workspace / "sparse").open("wb") as file:
        file.write(b"first\n" * 2000)
        file.seek(1 << 40)
        file.write(b"\nlast\n")
    answer = measured(file_path="sparse", offset=2000)
    assert answer["data"]["content"].endswith("\nlast\n")
    assert (answer["data"]["last_line"], answer["data"]["total_lines"]) == (2002, 2002)
    assert "line 2001 cut at 2,000 characters" in answer["text"]


def test_i6_a_line_of_300_megabytes_is_cut_and_what_follows_it_found(workspace: Path):
    with (workspace / "line").open("wb") as file:
        for _ in range(300):
            file.write(b"x" * MIB)
        file.write(b"\nlast\n")
    answer = measured(file_path="line")
    (workspace / "line").unlink()
    assert answer["data"]["content"] == "x" * 2000 + "\nlast\n"
    assert answer["data"]["total_lines"] == 2


def test_i6_utf_16_is_streamed_too(workspace: Path):
    with (workspace / "wide").open("wb") as file:
        file.write(b"\xff\xfe")
        for _ in range(20):
            file.write("wörd ㄊ\n".encode("utf-16-le") * 100_000)
    answer = measured(file_path="wide", offset=1_999_998)
    assert answer["data"]["content"] == "wörd ㄊ\n" * 2


def test_i6_a_file_that_grows_is_read_to_where_it_ended(workspace: Path):
    path = workspace / "log"
    path.write_bytes(b"line\n" * 4 * MIB)
    script = 'while :; do cat "$1"; done >> "$0"'
    (workspace / "more").write_bytes(b"more\n" * MIB)
    writer = subprocess.Popen(["bash", "-c", f"ulimit -f {1 << 20}; {script}", str(path), str(workspace / "more")])
    try:
        answer = measured(file_path="log", offset=10**12)
    finally:
        writer.kill()
        writer.wait()
    assert "nothing lies after the offset" in answer["text"]
    assert answer["data"]["total_lines"] >= 4 * MIB


NASTY = (
    b"one\r\ntwo\rstill two\n\x0bthree\x0c\x85\n\n" + "fünf\u2028immer noch\u0085\n".encode() + b"\x1c\x1d\x1e\nlast"
)


@pytest.mark.parametrize("offset", range(8))
def test_numbers_are_those_of_sed_and_grep(workspace: Path, offset: int):
    (workspace / "a.txt").write_bytes(NASTY)
    done = subprocess.run(
        [CODETOOLS, "read", "--raw", "-o", str(offset), "-l", "2", "a.txt"], capture_output=True, check=True
    )
    sed = ["sed", "-n", f"{offset + 1},{offset + 2}p", "a.txt"]
    assert done.stdout == subprocess.run(sed, capture_output=True, check=True).stdout
    numbered = json.loads(
        subprocess.run(
            [CODETOOLS, "call", "read", json.dumps({"file_path": "a.txt", "offset": offset, "encoding": "latin-1"})],
            capture_output=True,
            check=True,
        ).stdout
    )
    grep = subprocess.run(["grep", "-an", "", "a.txt"], capture_output=True, check=True, env={"LC_ALL": "C"}).stdout
    expected = [line.replace(b":", b"\t", 1).removesuffix(b"\r") for line in grep.split(b"\n")[offset:] if line]
    shown = numbered["text"].split("\n[")[0].encode("latin-1")
    assert shown.split(b"\n") == (expected or [shown])
