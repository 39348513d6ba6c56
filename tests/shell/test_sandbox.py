"""What a command that only reads can still do, and that everything else fails closed."""

import ctypes
import faulthandler
import os
import signal
import socket
from pathlib import Path

import pytest

from codetools.shell.sandbox import reading_jail, sandbox_level
from codetools.system.command import Command
from codetools.system.plumbing import STDERR, STDOUT
from codetools.system.process import run_process
from tests.shell.jailed import error_of, in_child

DENIED = "PermissionError"
BASH = os.path.realpath("/bin/bash")


@pytest.fixture
def room(tmp_path: Path) -> Path:
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws/file").write_text("inside\n")
    (tmp_path / "ws/sub").mkdir()
    (tmp_path / "outside").write_text("outside\n")
    (tmp_path / "ws/leak").symlink_to("../outside")
    return tmp_path / "ws"


def snapshot(root: Path) -> list[tuple]:
    rows = []
    for path in sorted(root.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        rows.append((str(path), status.st_mode, status.st_uid, status.st_mtime_ns, content))
    return rows


def test_this_kernel_enforces():
    assert sandbox_level() == "enforced"


def test_no_write_of_any_kind_succeeds(room: Path):
    before = snapshot(room.parent)
    file, sub = str(room / "file"), str(room / "sub")
    acts = {
        "write": lambda: os.open(file, os.O_WRONLY),
        "append": lambda: os.open(file, os.O_WRONLY | os.O_APPEND),
        "truncate on open": lambda: os.open(file, os.O_RDONLY | os.O_TRUNC),
        "truncate": lambda: os.truncate(file, 0),
        "create": lambda: os.open(f"{room}/new", os.O_CREAT | os.O_WRONLY),
        "create above": lambda: os.open(f"{room}/../new", os.O_CREAT | os.O_WRONLY),
        "create in /tmp": lambda: os.open("/tmp/codetools-new", os.O_CREAT | os.O_WRONLY),
        "tmpfile": lambda: os.open(str(room), os.O_TMPFILE | os.O_WRONLY),
        "unlink": lambda: os.unlink(file),
        "rmdir": lambda: os.rmdir(sub),
        "mkdir": lambda: os.mkdir(f"{room}/d"),
        "rename": lambda: os.rename(file, f"{room}/other"),
        "link": lambda: os.link(file, f"{room}/other"),
        "symlink": lambda: os.symlink("x", f"{room}/other"),
        "fifo": lambda: os.mkfifo(f"{room}/other"),
        "chmod": lambda: os.chmod(file, 0o600),
        "fchmod": lambda: os.fchmod(os.open(file, os.O_RDONLY), 0o600),
        "chown": lambda: os.chown(file, os.getuid(), os.getgid()),
        "utime": lambda: os.utime(file, (1, 1)),
        "xattr": lambda: os.setxattr(file, "user.x", b"1"),
    }
    found = in_child(reading_jail((str(room),), ()).enter, lambda: {name: error_of(act) for name, act in acts.items()})
    assert found == dict.fromkeys(acts, DENIED)
    assert snapshot(room.parent) == before


def test_file_flags_cannot_be_set_through_a_reading_descriptor(room: Path):
    import fcntl

    def act() -> str:
        descriptor = os.open(room / "file", os.O_RDONLY)
        return error_of(lambda: fcntl.ioctl(descriptor, 0x40086602, b"\0" * 8))

    assert in_child(reading_jail((str(room),), ()).enter, act) == DENIED


def test_reading_ends_at_the_workspace(room: Path):
    parent = f"/proc/{os.getpid()}/environ"
    shut = ("leak", "../outside", "/etc/shadow", parent)
    opened = ("file", "/etc/passwd", "/dev/null", "/proc/self/status")

    def read(path: str) -> str:
        descriptor = os.open(path, os.O_RDONLY)
        return "read" if os.read(descriptor, 10) or path == "/dev/null" else "empty"

    def act() -> dict[str, bool]:
        os.chdir(room)
        return {path: _reads(read, path) for path in (*shut, *opened)}

    assert in_child(reading_jail((str(room),), ()).enter, act) == {
        **dict.fromkeys(shut, False),
        **dict.fromkeys(opened, True),
    }


def _reads(read, path: str) -> bool:
    try:
        return read(path) == "read"
    except OSError:
        return False


def test_root_keeps_only_the_right_to_read(room: Path):
    status = in_child(reading_jail((str(room),), ()).enter, lambda: Path("/proc/self/status").read_text())
    sets = {line.split()[0]: int(line.split()[1], 16) for line in status.splitlines() if line.startswith("Cap")}
    assert sets["CapEff:"] & ~0b110 == sets["CapPrm:"] & ~0b110 == sets["CapInh:"] == sets["CapAmb:"] == 0
    assert os.getuid() != 0 or sets["CapBnd:"] & ~0b110 == 0


def test_no_network_of_any_kind(room: Path):
    server = socket.create_server(("127.0.0.1", 0))
    families = (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX)
    kinds = (socket.SOCK_STREAM, socket.SOCK_DGRAM)
    found = in_child(
        reading_jail((str(room),), ()).enter,
        lambda: [error_of(lambda f=family, k=kind: socket.socket(f, k)) for family in families for kind in kinds],
    )
    server.close()
    assert found == [DENIED] * 6


def test_no_signal_reaches_the_outside(room: Path):
    me = os.getpid()
    libc = ctypes.CDLL(None, use_errno=True)
    found = in_child(
        reading_jail((str(room),), ()).enter,
        lambda: [
            error_of(lambda: os.kill(me, 0)),
            libc.syscall(234, me, me, 0),
            error_of(lambda: os.setpriority(0, me, 5)),
        ],
    )
    assert found == [DENIED, -1, DENIED]


def test_abort_still_ends_a_program(room: Path):
    def act() -> None:
        faulthandler.disable()
        os.abort()

    assert in_child(reading_jail((str(room),), ()).enter, act) == "died"


def test_calls_younger_than_the_filter_do_not_exist(room: Path):
    libc = ctypes.CDLL(None, use_errno=True)

    def act() -> list[int]:
        return [(libc.syscall(number, 0, 0, 0, 0), ctypes.get_errno())[1] for number in (452, 463, 466, 469, 600)]

    assert in_child(reading_jail((str(room),), ()).enter, act) == [38] * 5


def test_only_the_judged_programs_run(room: Path):
    tool = room / "tool"
    tool.write_text("#!/bin/sh\necho ran\n")
    tool.chmod(0o755)
    seen: dict[int, bytes] = {STDOUT: b"", STDERR: b""}

    def sink(stream: int, chunk: bytes) -> None:
        seen[stream] += chunk

    jail = reading_jail((str(room),), (BASH, "/usr/bin/cat"))
    script = "cat file; ./tool; /usr/bin/ls; cat ../outside"
    command = Command((BASH, "-c", script), {"PATH": "/usr/bin", "LC_ALL": "C"}, str(room), jail=jail)
    ending = run_process(command, sink, timeout_seconds=20)
    assert seen[STDOUT] == b"inside\n"
    assert seen[STDERR].count(b"Permission denied") == 3
    assert ending.exit_code == 1


def test_the_jail_holds_root_and_a_user_alike(room: Path):
    def as_nobody() -> None:
        if os.getuid() == 0:
            os.setgroups([])
            os.setuid(65534)
        reading_jail(("/",), ()).enter()

    found = in_child(
        as_nobody, lambda: [error_of(lambda: os.mkdir("/tmp/codetools-x")), error_of(lambda: os.listdir("/"))]
    )
    assert found == [DENIED, "done"]


def test_the_jail_is_for_the_child_alone(room: Path):
    in_child(reading_jail((str(room),), ()).enter, lambda: 1)
    (room / "file").write_text("still writable")
    os.kill(os.getpid(), 0)
    assert signal.getsignal(signal.SIGINT) is not None
