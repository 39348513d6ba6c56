import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.search.child import Child
from codetools.search.job import RULES_PATH, Program


def run(*argv: str, seconds: float = 20.0, **how: object) -> tuple[bytes, bytes, object]:
    out, err = bytearray(), bytearray()

    def take(into: bytearray):
        def read(chunk: bytes) -> bool:
            into.extend(chunk)
            return True

        return read

    with Child(Program(argv, how.pop("directory_fd", None), **how), take(out), take(err)) as child:
        ending = child.finish(time.monotonic() + seconds)
    return bytes(out), bytes(err), ending


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-c", code)


def test_output_status_and_errors_come_back():
    out, err, ending = run(*python("import sys; print('o'); print('e', file=sys.stderr); sys.exit(3)"))
    assert (out, err, ending.status, ending.timed_out) == (b"o\n", b"e\n", 3, False)


def test_it_runs_where_the_descriptor_leads_i3(tmp_path: Path):
    (tmp_path / "a").mkdir()
    fd = os.open(tmp_path / "a", os.O_RDONLY)
    (tmp_path / "a").rename(tmp_path / "b")
    out, _, _ = run(*python("import os; print(os.getcwd())"), directory_fd=fd)
    os.close(fd)
    assert out.decode().strip() == str(tmp_path / "b")


def test_its_environment_is_scrubbed_and_its_descriptors_are_its_own_i8(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("SECRET_TOKEN", "x")
    monkeypatch.setenv("LD_PRELOAD_X", "x")
    leaked = os.open(tmp_path, os.O_RDONLY)
    os.set_inheritable(leaked, True)
    code = "import os; print(sorted(os.environ)); print(sorted(os.listdir('/proc/self/fd')))"
    out, _, _ = run(*python(code))
    os.close(leaked)
    names, descriptors = out.decode().split("\n")[:2]
    assert "SECRET_TOKEN" not in names
    assert "LD_PRELOAD_X" not in names
    assert descriptors == "['0', '1', '2', '3']"  # the last one lists the others


def test_rules_are_read_from_a_descriptor():
    out, _, _ = run(
        *python("import sys; print(open(sys.argv[1]).read())"), RULES_PATH, texts=((RULES_PATH, "*.log\n"),)
    )
    assert out == b"*.log\n\n"


def test_a_deadline_ends_the_process_i6():
    started = time.monotonic()
    out, _, ending = run(*python("import os, time; print(os.getpid(), flush=True); time.sleep(60)"), seconds=1.0)
    assert (ending.timed_out, ending.status) == (True, None)
    assert time.monotonic() - started < 5
    with pytest.raises(ProcessLookupError):
        os.kill(int(out), 0)


def test_a_reader_that_has_enough_ends_the_process_i6():
    with Child(
        Program(python("while True: print('x' * 9999)"), None), lambda chunk: False, lambda chunk: True
    ) as child:
        ending = child.finish(time.monotonic() + 20)
    assert (ending.was_enough, ending.timed_out) == (True, False)


def test_a_program_that_is_missing_is_unavailable():
    with pytest.raises(Failure) as raised:
        run("/no/such/program")
    assert raised.value.kind == "unavailable"


def test_no_descriptor_stays_open():
    before = os.listdir("/proc/self/fd")
    run(*python("pass"), texts=((RULES_PATH, "x"),))
    with pytest.raises(Failure):
        run("/no/such/program")
    with pytest.raises(Failure):
        run(*python("pass"), "a\0b")
    assert os.listdir("/proc/self/fd") == before


def test_ripgrep_ends_with_the_process_that_started_it_however_that_ends(tmp_path: Path):
    for number in range(300):
        (tmp_path / f"{number}.txt").write_text("x" * 100_000)
    words = ["call", "grep", '{"pattern": "(x+x+)+y"}', "--root", str(tmp_path)]
    child = subprocess.Popen([sys.executable, "-m", "codetools", *words], stdout=subprocess.DEVNULL)
    children = Path(f"/proc/{child.pid}/task/{child.pid}/children")
    deadline = time.monotonic() + 20
    while not (found := children.read_text().split()) and child.poll() is None:
        assert time.monotonic() < deadline
    child.kill()
    child.wait()
    while any(Path(f"/proc/{pid}").exists() and "Z" not in _state(pid) for pid in found):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _state(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"
