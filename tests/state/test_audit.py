import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from codetools.state import audit
from codetools.state.audit import NAME, append

WRITER = """
import sys
from codetools.state.audit import append
sys.stdin.read(1)
for number in range(50):
    append(sys.argv[1], [{"who": sys.argv[2], "n": number, "text": "x" * 5000}])
"""
FILLS = """
import resource, sys
from codetools.state.audit import append
resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
try:
    append(sys.argv[1], [{"n": 1, "text": "x" * 1000}])
except OSError as error:
    print("OSError", error)
"""


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


def test_a_decision_is_one_private_line(tmp_path: Path):
    append(str(tmp_path / "home"), [{"tool": "read", "decision": "deny"}])
    append(str(tmp_path / "home"), [{"tool": "edit"}, {"tool": "bash"}])
    path = tmp_path / "home" / NAME
    assert lines(path) == [{"tool": "read", "decision": "deny"}, {"tool": "edit"}, {"tool": "bash"}]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_line_breaks_and_broken_names_stay_inside_the_line(tmp_path: Path):
    name = os.fsdecode(b"a\n\xff\x1b")
    append(str(tmp_path), [{"path": name}])
    assert lines(tmp_path / NAME) == [{"path": name}]


def test_lines_of_many_processes_never_mix(tmp_path: Path):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), str(number)], stdin=subprocess.PIPE)
        for number in range(4)
    ]
    for writer in writers:
        writer.communicate(b"x")
    found = lines(tmp_path / NAME)
    assert len(found) == 200
    assert all([row["n"] for row in found if row["who"] == str(who)] == list(range(50)) for who in range(4))


def test_a_grown_file_is_put_by_and_the_oldest_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(audit, "ROTATE_BYTES", 1)
    for number in range(8):
        append(str(tmp_path), [{"n": number}])
    assert {path.name: lines(path) for path in tmp_path.iterdir()} == {
        NAME: [{"n": 7}],
        f"{NAME}.1": [{"n": 6}],
        f"{NAME}.2": [{"n": 5}],
        f"{NAME}.3": [{"n": 4}],
        f"{NAME}.4": [{"n": 3}],
    }


def test_a_link_in_its_place_is_not_followed(tmp_path: Path):
    (tmp_path / NAME).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="Too many levels"):
        append(str(tmp_path), [{"n": 1}])


def test_a_fifo_in_its_place_does_not_hang(tmp_path: Path):
    os.mkfifo(tmp_path / NAME)
    with pytest.raises(OSError, match="not a regular file"):
        append(str(tmp_path), [{"n": 1}])
    assert not (tmp_path / "elsewhere").exists()


def test_a_disk_that_fills_is_an_error(tmp_path: Path):
    full = subprocess.run([sys.executable, "-c", FILLS, str(tmp_path)], capture_output=True, text=True)
    assert "OSError" in full.stdout, full.stderr
    append(str(tmp_path), [{"n": 2}])
    assert json.loads((tmp_path / NAME).read_text().splitlines()[-1]) == {"n": 2}
