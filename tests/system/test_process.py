"""Process trees: what runs, what is kept of it, and that nothing survives."""

import os
import select
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from codetools.core.errors import Failure
from codetools.system import process
from codetools.system.command import Command
from codetools.system.plumbing import STDERR, STDOUT
from codetools.system.process import Watch, run_process
from codetools.system.report import Ending

BASH = "/bin/bash"


class Seen:
    """A sink that keeps everything."""

    def __init__(self) -> None:
        self.chunks: list[tuple[int, bytes]] = []

    def __call__(self, stream: int, chunk: bytes) -> None:
        self.chunks.append((stream, chunk))

    def of(self, stream: int) -> bytes:
        return b"".join(chunk for number, chunk in self.chunks if number == stream)


@pytest.fixture(autouse=True, params=["forked", "helped"])
def threads(request: pytest.FixtureRequest):
    """A process with threads runs its commands under a helper."""
    done = threading.Event()
    if request.param == "helped":
        thread = threading.Thread(target=done.wait)
        thread.start()
    yield
    done.set()
    if request.param == "helped":
        thread.join()


def run(script: str, directory: Path, seconds: float = 20, **how) -> tuple[Ending, Seen]:
    seen = Seen()
    check = how.pop("check", None)
    command = Command((BASH, "-c", script), dict(os.environ), str(directory), **how)
    return run_process(command, seen, timeout_seconds=seconds, check=check), seen


def survivors(cookie: str) -> list[int]:
    """Processes whose environment holds COOKIE=cookie."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                environment = Path(f"/proc/{name}/environ").read_bytes().split(b"\0")
                state = Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()[0]
            except OSError:
                continue
            if f"COOKIE={cookie}".encode() in environment and state != b"Z":
                found.append(int(name))
    return found


@pytest.fixture
def cookie(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    name = f"{os.getpid()}-{request.node.name}"
    monkeypatch.setenv("COOKIE", name)
    yield name
    for pid in survivors(name):
        os.kill(pid, signal.SIGKILL)


def test_output_and_exit_code_come_apart(tmp_path: Path):
    ending, seen = run("echo out; echo err >&2; exit 3", tmp_path)
    assert (ending.exit_code, ending.signal, ending.timed_out, ending.left) == (3, None, False, ())
    assert (seen.of(STDOUT), seen.of(STDERR)) == (b"out\n", b"err\n")


def test_streams_keep_their_order_when_the_command_pauses(tmp_path: Path):
    _, seen = run("echo 1; sleep 0.1; echo 2 >&2; sleep 0.1; echo 3", tmp_path)
    assert seen.chunks == [(STDOUT, b"1\n"), (STDERR, b"2\n"), (STDOUT, b"3\n")]


def test_a_signal_has_a_name(tmp_path: Path):
    ending, _ = run("kill -SEGV $$", tmp_path)
    assert (ending.exit_code, ending.signal) == (None, "SIGSEGV")


def test_signals_are_as_a_program_expects_them(tmp_path: Path):
    _, seen = run("yes | head -1; echo ${PIPESTATUS[0]}; grep SigIgn /proc/self/status", tmp_path)
    head, _, ignored = seen.of(STDOUT).partition(b"SigIgn:")
    assert head == b"y\n141\n"
    assert int(ignored, 16) & ~(0b11 << 31) == 0  # the C library's own two are left so by `posix_spawn`


def test_stdin_is_empty_unless_given(tmp_path: Path):
    assert run("cat; echo end", tmp_path)[1].of(STDOUT) == b"end\n"
    big = b"x" * 3_000_000
    assert run("cat", tmp_path, stdin=big)[1].of(STDOUT) == big
    assert run("head -c 1", tmp_path, stdin=big)[0].exit_code == 0


def test_there_is_no_terminal_and_no_stray_descriptor(tmp_path: Path):
    stray = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(stray, True)
    try:
        _, seen = run("ls /proc/self/fd; (: > /dev/tty) 2>/dev/null || echo no terminal", tmp_path)
    finally:
        os.close(stray)
    assert seen.of(STDOUT) == b"0\n1\n2\n3\nno terminal\n"


def test_i3_the_directory_may_be_an_open_descriptor(tmp_path: Path):
    (tmp_path / "a").mkdir()
    descriptor = os.open(tmp_path / "a", os.O_RDONLY | os.O_DIRECTORY)
    (tmp_path / "a").rename(tmp_path / "b")
    (tmp_path / "a").mkdir()
    seen = Seen()
    try:
        run_process(Command((BASH, "-c", "pwd -P"), {}, descriptor), seen, timeout_seconds=20)
    finally:
        os.close(descriptor)
    assert seen.of(STDOUT) == f"{tmp_path}/b\n".encode()


def test_a_shell_can_tell_where_it_ended(tmp_path: Path):
    (tmp_path / "sub").mkdir()
    ending, _ = run("cd sub; pwd >&100", tmp_path, reports_directory=True)
    assert ending.directory == f"{tmp_path}/sub"
    assert run("exit 0", tmp_path, reports_directory=True)[0].directory is None


def test_it_returns_while_a_background_process_stays(tmp_path: Path, cookie: str):
    began = time.monotonic()
    ending, seen = run("sleep 60 & echo hi", tmp_path)
    assert time.monotonic() - began < 5
    assert (ending.exit_code, seen.of(STDOUT)) == (0, b"hi\n")
    assert [process.name for process in ending.left] == ["sleep"]
    assert survivors(cookie) == [ending.left[0].pid]


def test_output_just_after_the_end_is_kept(tmp_path: Path):
    ending, seen = run("(sleep 0.02; printf late) & echo hi", tmp_path)
    assert (seen.of(STDOUT), ending.left) == (b"hi\nlate", ())


def test_a_background_process_that_keeps_talking_does_not_keep_us(tmp_path: Path, cookie: str):
    began = time.monotonic()
    ending, _ = run("yes & exit 4", tmp_path)
    assert ending.exit_code == 4
    assert time.monotonic() - began < 6


@pytest.mark.parametrize(
    "script",
    [
        "sleep 60; sleep 60",
        "trap '' TERM INT HUP; while :; do sleep 60; done",
        "setsid sleep 60 & setsid setsid sh -c 'trap \"\" TERM; sleep 61; sleep 62' & wait",
        "(setsid sh -c 'sleep 60 & sleep 61 & exit' &) ; sleep 62",
        "set -m; sleep 60 & sleep 61 & wait",
        "sleep 60 & kill -STOP $!; kill -STOP $$",
        f"{sys.executable} -c 'import os,time; os.fork() or os.setsid() or os.fork(); time.sleep(60)'",
    ],
    ids=["plain", "term_ignored", "setsid", "double_fork", "job_control", "stopped", "daemon"],
)
def test_i6_nothing_survives_the_deadline(script: str, tmp_path: Path, cookie: str):
    began = time.monotonic()
    ending, seen = run(f"echo partial; {script}", tmp_path, seconds=0.5)
    assert ending.timed_out
    assert ending.signal in ("SIGTERM", "SIGKILL")
    assert ending.left == ()
    assert seen.of(STDOUT) == b"partial\n"
    assert survivors(cookie) == []
    assert time.monotonic() - began < 10


def test_i6_a_tree_that_keeps_forking_is_ended(tmp_path: Path, cookie: str):
    script = "f() { setsid sh -c 'sleep 30' & sleep 0.02; f; }; trap '' TERM; f"
    assert run(script, tmp_path, seconds=0.5)[0].timed_out
    assert survivors(cookie) == []


@pytest.mark.parametrize("script", ["kill -STOP $PPID; sleep 60", "kill -STOP $PPID; setsid sleep 60 & sleep 0.3"])
def test_i6_a_keeper_that_was_stopped_does_not_hang_us(script: str, tmp_path: Path, cookie: str):
    ending, _ = run(script, tmp_path, seconds=1)
    assert ending.timed_out
    assert survivors(cookie) == []


def test_i6_a_command_that_keeps_stopping_its_keeper_is_ended_by_force(
    tmp_path: Path, cookie: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(process, "REPORT_SECONDS", 1.0)
    script = "trap '' TERM; parent=$PPID; while :; do kill -STOP $parent; done & setsid sleep 60 & wait"
    ending, _ = run(script, tmp_path, seconds=0.5)
    assert ending.timed_out
    assert survivors(cookie) == []


def test_what_the_callers_check_raises_ends_the_tree(tmp_path: Path, cookie: str):
    began = time.monotonic()

    def check() -> None:
        if time.monotonic() - began > 0.3:
            raise KeyboardInterrupt

    ending, seen = run("echo partial; sleep 60 & sleep 61", tmp_path, check=check)
    assert isinstance(ending.interruption, KeyboardInterrupt)
    assert seen.of(STDOUT) == b"partial\n"
    assert survivors(cookie) == []


def test_enough_output_ends_the_tree(tmp_path: Path, cookie: str):
    seen: list[bytes] = []

    def sink(stream: int, chunk: bytes) -> bool:
        seen.append(chunk)
        return True

    ending = run_process(Command((BASH, "-c", "yes"), dict(os.environ), "/"), sink, timeout_seconds=20)
    assert ending.was_enough
    assert len(seen) == 1
    assert survivors(cookie) == []


def test_what_the_sink_raises_passes_and_ends_the_tree(tmp_path: Path, cookie: str):
    def sink(stream: int, chunk: bytes) -> None:
        raise OSError(28, "full")

    with pytest.raises(OSError, match="full"):
        run_process(Command((BASH, "-c", "yes"), dict(os.environ), "/"), sink, timeout_seconds=20)
    assert survivors(cookie) == []


CALLER = """
import os, signal, sys
from codetools.system.command import Command
from codetools.system.process import run_process
{before}
def told(number, frame):
    raise KeyboardInterrupt
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, told)
def sink(stream, chunk):
    os.write(1, chunk)
ending = run_process(Command(("/bin/bash", "-c", {script!r}), dict(os.environ), "/"), sink, timeout_seconds=30)
print(ending.exit_code, ending.signal, type(ending.interruption).__name__, flush=True)
"""


def caller(script: str, before: str = "") -> tuple[int, int]:
    """Start a process that runs the script as we do; return its pid and its output."""
    read, write = os.pipe()
    pid = os.posix_spawn(
        sys.executable,
        [sys.executable, "-c", CALLER.format(script=script, before=before)],
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, write, 1)],
        setsid=True,
    )
    os.close(write)
    return pid, read


def read_until(descriptor: int, wanted: bytes) -> bytes:
    got = b""
    while wanted not in got and select.select([descriptor], [], [], 20)[0]:
        chunk = os.read(descriptor, 4096)
        if not chunk:
            break
        got += chunk
    return got


def wait_for_none(cookie: str) -> list[int]:
    until = time.monotonic() + 15
    while survivors(cookie) and time.monotonic() < until:
        select.select([], [], [], 0.05)
    return survivors(cookie)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_to_us_ends_the_tree_and_we_go_on(number: signal.Signals, cookie: str):
    pid, output = caller("echo ready; setsid sleep 60 & sleep 61")
    read_until(output, b"ready\n")
    os.kill(pid, number)
    assert read_until(output, b"Interrupt\n") == b"None SIGTERM KeyboardInterrupt\n"
    os.waitpid(pid, 0)
    os.close(output)
    assert survivors(cookie) == []


def test_an_interrupt_loses_no_output_that_was_read(tmp_path: Path):
    """Whatever the moment, what the sink got is the beginning of what was written, without a gap."""
    for delay in range(1, 8):
        pid, output = caller("seq 10000000")
        read_until(output, b"1000\n")
        select.select([], [], [], delay / 200)
        os.kill(pid, signal.SIGINT)
        got = b""
        while chunk := os.read(output, 1 << 20):
            got += chunk
        os.waitpid(pid, 0)
        os.close(output)
        numbers = got.split(b"\n")[:-2]
        lines = [int(line) for line in numbers[1:-1] if line.isdigit()]
        assert lines == list(range(lines[0], lines[0] + len(lines)))


def test_a_kill_of_us_ends_the_tree(cookie: str):
    pid, output = caller("echo ready; setsid sleep 60 & (trap '' TERM; sleep 61) & sleep 62")
    read_until(output, b"ready\n")
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(output)
    assert wait_for_none(cookie) == []


def test_a_caller_that_ignores_sigchld_still_sees_failures():
    pid, output = caller("exit 7", "signal.signal(signal.SIGCHLD, signal.SIG_IGN)")
    assert read_until(output, b"\n") == b"7 None NoneType\n"
    os.waitpid(pid, 0)
    os.close(output)


def test_this_process_is_left_as_it_was(tmp_path: Path):
    def state() -> tuple:
        handlers = tuple(signal.getsignal(number) for number in sorted(signal.valid_signals()))
        return len(os.listdir("/proc/self/fd")), handlers, os.getcwd(), Path("/proc/self/comm").read_text()

    before = state()
    run("sleep 60", tmp_path, seconds=0.1)
    assert state() == before


def test_what_cannot_start_says_why(tmp_path: Path):
    with pytest.raises(Failure, match="No such file") as missing:
        run_process(Command((str(tmp_path / "none"),), {}, "/"), Seen(), timeout_seconds=5)
    assert missing.value.kind == "unavailable"
    with pytest.raises(Failure, match="working directory") as nowhere:
        run_process(Command((BASH,), {}, str(tmp_path / "none")), Seen(), timeout_seconds=5)
    assert nowhere.value.kind == "not_found"


def test_a_failed_fork_is_unavailable(tmp_path: Path):
    import resource

    pid = os.fork()
    if pid == 0:
        if os.getuid() == 0:  # the limit does not hold root
            os.setuid(65534)
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
        try:
            run("true", Path("/"))
        except Failure as failure:
            os._exit(9 if failure.kind == "unavailable" else 8)
        finally:
            os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9


def test_memory_stays_bounded_by_what_the_sink_keeps(tmp_path: Path):
    total = 0

    def sink(stream: int, chunk: bytes) -> None:
        nonlocal total
        total += len(chunk)

    script = "head -c 200000000 /dev/zero"
    run_process(Command((BASH, "-c", script), dict(os.environ), "/"), sink, timeout_seconds=60)
    assert total == 200_000_000


def test_who_watches_is_told_of_the_start_and_of_what_stays_and_returns_when_nothing_does(tmp_path: Path):
    told: list[object] = []
    watch = Watch(lambda: told.append("started"), told.append, {})
    seen = Seen()
    command = Command((BASH, "-c", "(sleep 0.5; echo late) & echo soon; exit 3"), dict(os.environ), str(tmp_path))
    ending = run_process(command, seen, timeout_seconds=20, watch=watch)
    assert told[0] == "started"
    assert isinstance(told[1], Ending)
    assert (told[1].exit_code, len(told), len(told[1].left) > 0) == (3, 2, True)
    assert (ending.exit_code, ending.left, seen.of(STDOUT)) == (3, (), b"soon\nlate\n")


def test_who_watches_may_end_the_tree(tmp_path: Path, cookie: str):
    read, write = os.pipe()

    def started() -> None:
        os.write(write, b"x")

    watch = Watch(started, lambda ending: None, {read: lambda: "end"})
    command = Command((BASH, "-c", "setsid sleep 60 & sleep 60"), dict(os.environ), str(tmp_path))
    ending = run_process(command, Seen(), timeout_seconds=20, watch=watch)
    assert isinstance(ending.interruption, KeyboardInterrupt)
    assert survivors(cookie) == []


def test_who_watches_is_not_told_of_a_start_that_failed(tmp_path: Path):
    told: list[object] = []
    command = Command(("/nonexistent",), dict(os.environ), str(tmp_path))
    with pytest.raises(Failure, match="cannot be started"):
        run_process(command, Seen(), timeout_seconds=20, watch=Watch(lambda: told.append(1), told.append, {}))
    assert told == []
