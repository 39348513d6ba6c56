"""The command line of bubblewrap for a command that may write to its workspace and to nothing else.

Namespaces of its own for processes, network, IPC and host name; the system read-only; what is hidden is empty.
"""

import os

from codetools.core.record import Record
from codetools.shell.walls.exposure import Exposure, is_within
from codetools.shell.walls.guarded import Guarded
from codetools.system.helper_path import find_helper
from codetools.system.keeper import STATUS_FD

NAME = "bwrap"
EMPTY = os.path.join(os.path.dirname(__file__), "empty")
EMPTY_JSON = os.path.join(os.path.dirname(__file__), "empty.json")
PROBE_SECONDS = 5.0
_LOCK = "/run/codetools-lock-"
_NAMESPACES = ("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
_CAPABILITIES = ("--cap-drop", "ALL")
_works: dict[str, bool] = {}


class Box(Record):
    """What a sandboxed command gets: `files` are single ones it may read, `working_dir` is free of links.

    One that `is_kept` ends when its keeper does, whatever ended that; another may leave processes behind.
    """

    program: str
    exposure: Exposure
    guarded: Guarded
    files: tuple[str, ...]
    working_dir: str
    has_network: bool
    locks: tuple[str, ...]
    is_kept: bool = False


def find_bubblewrap(roots: tuple[str, ...]) -> str | None:
    """Return bubblewrap where it is installed and this machine lets it work."""
    program = find_helper(NAME, roots)
    if program is None:
        return None
    if program not in _works:
        _works[program] = _try(program)
    return program if _works[program] else None


def arguments(box: Box) -> tuple[str, ...]:
    """Return the words that come before the command's own."""
    words = [box.program, *_NAMESPACES, *_CAPABILITIES, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    if box.is_kept:
        words.append("--die-with-parent")
    if os.geteuid() == 0:  # the kernel takes root of a namespace for root where its settings are written
        words += ["--remount-ro", "/proc"]
    if not box.has_network:
        words.append("--unshare-net")
    roots = [path for path, _ in box.exposure.roots]
    inside = [path for path in box.exposure.hidden if any(is_within(path, root) for root in roots)]
    words += _hide([path for path in box.exposure.hidden if path not in inside])
    for path in (*box.exposure.shown, *box.files):
        words += ["--ro-bind", path, path]
    for path, is_writable in box.exposure.roots:
        words += ["--bind" if is_writable else "--ro-bind", path, path]
    words += _hide(inside)
    for path in box.guarded.existing:
        words += ["--ro-bind-try", path, path]
    for path in box.guarded.missing:
        words += _mask(path)
    for number, lock in enumerate(box.locks):
        words += ["--ro-bind", lock, f"{_LOCK}{number}", "--lock-file", f"{_LOCK}{number}"]
    words += ["--json-status-fd", str(STATUS_FD), "--chdir", box.working_dir, "--"]
    return tuple(words)


def _hide(paths: list[str]) -> list[str]:
    words: list[str] = []
    for path in sorted(paths):
        words += ["--tmpfs", path] if os.path.isdir(path) else ["--ro-bind", EMPTY, path]
    return words


def _mask(path: str) -> list[str]:
    is_json = path.endswith(".json") and os.path.isfile(path) and os.path.getsize(path) == 0
    return ["--ro-bind", EMPTY_JSON if is_json else path, path]


def _try(program: str) -> bool:
    """Whether a sandbox can be made: user namespaces may be forbidden although the program is there."""
    from codetools.system.command import Command
    from codetools.system.process import run_process

    argv = (program, *_NAMESPACES, "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev")
    command = Command((*argv, "--", "/bin/sh", "-c", ":"), {"PATH": "/usr/bin:/bin"}, "/")
    return run_process(command, lambda *_: None, timeout_seconds=PROBE_SECONDS).exit_code == 0
