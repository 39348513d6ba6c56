import os
import socket
import struct
from pathlib import Path

from codetools.system import kernel, seccomp
from tests.shell.jailed import error_of, in_child


def filtered() -> None:
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.filter_calls("reading")


def test_the_filter_alone_refuses_what_files_rights_do_not_cover(tmp_path: Path):
    file = tmp_path / "f"
    file.write_text("x")
    acts = {
        "chmod": lambda: file.chmod(0o600),
        "utime": lambda: os.utime(file, (1, 1)),
        "socket": socket.socket,
        "signal": lambda: os.kill(os.getppid(), 0),
        "mount": lambda: kernel.syscall(165, None, None, None, 0, None),
        "own limits": lambda: kernel.syscall(302, 0, 7, None, None),
        "another's limits": lambda: kernel.syscall(302, os.getppid(), 7, None, None),
        "write": lambda: file.write_text("y"),
        "read": file.read_bytes,
    }
    found = in_child(filtered, lambda: {name: error_of(act) for name, act in acts.items()})
    allowed = {"own limits", "write", "read"}
    assert found == {name: "done" if name in allowed else "PermissionError" for name in acts}


def test_every_refused_call_of_this_machine_has_the_number_of_its_header():
    header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if header.exists():
        words = [line.split() for line in header.read_text().splitlines() if line.startswith("#define __NR_")]
        numbers = {word[1].removeprefix("__NR_"): int(word[2]) for word in words}
        refused = {name: number for name, number in seccomp._REFUSED["reading"].items() if name in numbers}
        assert refused == {name: numbers[name] for name in refused}
    for calls in seccomp._REFUSED.values():
        program = seccomp._program(calls)
        assert len(program) % struct.calcsize("<HBBI") == 0
        assert len(program) // 8 < 4096
