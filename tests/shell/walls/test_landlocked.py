"""The sandbox without bubblewrap: the kernel lets a command write below the workspace only, and closes its network."""

import os
from pathlib import Path

import pytest

from codetools.shell.walls.exposure import find_exposure
from codetools.shell.walls.landlocked import can_lock, workspace_jail
from codetools.system.command import Command, command_from_json
from codetools.system.plumbing import STDOUT
from codetools.system.process import run_process
from tests import needs


def run(script: str, root: Path, *, has_network: bool = False) -> str:
    exposure = find_exposure(((str(root), True),), (), os.environ["PATH"], has_network=has_network)
    jail = workspace_jail(exposure, (), has_network=has_network)
    command = Command(("/bin/bash", "-c", script), dict(os.environ), str(root), jail=jail)
    seen = b""

    def sink(stream: int, chunk: bytes) -> None:
        nonlocal seen
        seen += chunk if stream == STDOUT else b""

    run_process(command_from_json(command.to_json()), sink, timeout_seconds=20)
    return seen.decode()


@pytest.fixture
def room(home: Path) -> Path:
    if not can_lock(has_network=False):
        needs.missing("this kernel has no Landlock")
    (home / "ws").mkdir()
    (home / "secret").write_text("secret\n")
    return home / "ws"


def test_the_workspace_is_written_and_nothing_beside_it(room: Path):
    script = "mkdir -p a/b; echo x > a/b/c; mv a d; rm -r d; echo y > f; ln -s f g; touch ../x /etc/x /usr/x || echo no"
    assert run(script, room) == "no\n"
    assert (sorted(os.listdir(room)), (room.parent / "x").exists()) == (["f", "g"], False)


def test_the_home_directory_is_not_read_and_programs_run(room: Path):
    assert run("cat ../secret; ls ~; git --version >/dev/null && python3 -c 'print(1)'", room) == "1\n"


def test_no_socket_is_had_unless_allowed(room: Path):
    script = "python3 -c 'import socket; socket.socket(); print(1)' 2>/dev/null || echo closed"
    assert run(script, room) == "closed\n"
    assert run(script, room, has_network=True) == "1\n"


def test_nobody_outside_is_signalled(room: Path):
    assert run(f"kill -0 {os.getpid()} 2>/dev/null && echo reached || echo held", room) == "held\n"


def test_modes_and_times_in_the_workspace_are_its_own(room: Path):
    assert run("touch -d 2001-01-01 f && chmod 700 f && stat -c '%a %y' f | cut -c1-14", room) == "700 2001-01-01\n"
