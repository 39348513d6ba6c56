"""A process that is talked to while it runs."""

import os
import select
import sys
import threading
import time
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.system.companion import Companion

ECHO = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"


def python(code: str, directory: Path) -> Companion:
    return Companion((sys.executable, "-c", code), {"PATH": os.environ["PATH"]}, str(directory))


def said(companion: Companion, descriptor: int, seconds: float = 10) -> bytes:
    assert select.select([descriptor], [], [], seconds)[0]
    return companion.read(descriptor) or b""


def is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(pid: int, seconds: float = 5) -> bool:
    until = time.monotonic() + seconds
    while is_running(pid):
        if time.monotonic() > until:
            return False
    return True


def test_it_answers_and_ends_when_its_input_ends(tmp_path: Path):
    companion = python(ECHO, tmp_path)
    for word in (b"abc", b"xyz"):
        assert companion.write(word + b"\n", time.monotonic() + 5)
        assert said(companion, companion.stdout) == word[::-1] + b"\n"
    companion.end()
    assert companion.ended == "it ended with status 0"


def test_a_program_that_cannot_be_started_is_told(tmp_path: Path):
    companion = Companion((str(tmp_path / "none"),), {}, str(tmp_path))
    assert select.select([companion.report], [], [], 5)[0]
    companion.hear()
    assert companion.ended == "it cannot be started: No such file or directory"
    companion.end()


def test_one_that_ignores_everything_is_ended_with_its_whole_tree_in_bounded_time_i6(tmp_path: Path):
    code = (
        "import os, signal, time\n"
        "for number in (1, 2, 15): signal.signal(number, signal.SIG_IGN)\n"
        "if os.fork() == 0: os.setsid()\n"
        "os.write(1, b'%d\\n' % os.getpid())\n"
        "time.sleep(1000)"
    )
    companion = python(code, tmp_path)
    found = b""
    while found.count(b"\n") < 2:
        found += said(companion, companion.stdout)
    began = time.monotonic()
    companion.end(at_once=True)
    assert time.monotonic() - began < 1.5
    assert all(gone(int(pid)) for pid in found.split())


def test_a_child_that_outlives_its_parent_is_ended_too(tmp_path: Path):
    code = "import os, time\npid = os.fork()\nif pid == 0: time.sleep(1000)\nos.write(1, b'%d\\n' % pid)"
    companion = python(code, tmp_path)
    pid = int(said(companion, companion.stdout))
    companion.end()
    assert gone(pid)


def test_writing_to_one_that_does_not_read_ends_at_the_deadline_i6(tmp_path: Path):
    companion = python("import time; time.sleep(1000)", tmp_path)
    began = time.monotonic()
    assert not companion.write(b"x" * (1 << 20), began + 0.2)
    assert time.monotonic() - began < 2
    companion.end(at_once=True)


def test_another_companion_holds_none_of_its_pipes_open(tmp_path: Path):
    first = python(ECHO, tmp_path)
    second = python(ECHO, tmp_path)
    first.end()
    assert first.ended == "it ended with status 0"
    second.end()


def test_a_keeper_holds_no_standard_stream_of_ours_open(tmp_path: Path):
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(write, 1)
        os.close(write)
        python("import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(5)", tmp_path)
        os._exit(0)
    os.close(write)
    os.waitpid(pid, 0)
    assert select.select([read], [], [], 2)[0]
    assert os.read(read, 1) == b""


def test_a_process_with_threads_starts_it_too(tmp_path: Path):
    enough = threading.Event()
    thread = threading.Thread(target=enough.wait)
    thread.start()
    try:
        companion = python(ECHO, tmp_path)
        assert companion.write(b"abc\n", time.monotonic() + 5)
        assert said(companion, companion.stdout) == b"cba\n"
        companion.end()
        assert companion.ended == "it ended with status 0"
    finally:
        enough.set()
        thread.join()


def test_no_process_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*arguments: object, **more: object) -> int:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refuse)
    monkeypatch.setattr(os, "posix_spawn", refuse)
    with pytest.raises(Failure, match="no process can be started"):
        python(ECHO, tmp_path)
