"""What the proofs stand on: operations to disturb, a home and a workspace for them, what is looked at afterwards."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from codetools.state.journal import Journal
from codetools.state.store import open_store

CODETOOLS = Path(sys.executable).parent / "codetools"
PATIENCE_SECONDS = 60.0
TRACED = "%file,%desc"  # every call with a path or a descriptor; those that say nothing of ours are left out
PATCH = """*** Begin Patch
*** Update File: a.sh
@@
-one
+two
*** Add File: new/deep.txt
+new
*** Delete File: b.txt
*** Update File: c.txt
*** Move to: d.txt
@@
-see
+sea
*** End Patch
"""
LARGE = (
    ("write", {"file_path": "large.txt", "content": "head\n" + "and so on\n" * 10_000}),
)  # its undo copy is a file
Snapshot = dict[str, tuple[object, ...]]


class Operation(NamedTuple):
    """One call; `before` are calls made ahead of it, and without any its home is empty."""

    name: str
    tool: str
    arguments: dict[str, Any]
    before: tuple[tuple[str, dict[str, Any]], ...] = (("write", {"file_path": "z.txt", "content": "z\n"}),)


OPERATIONS = (
    Operation("first write", "write", {"file_path": "new/deep.txt", "content": "new\n"}, ()),
    Operation("write", "write", {"file_path": "a.sh", "content": "new\n"}),
    Operation("edit", "edit", {"file_path": "a.sh", "old_string": "one", "new_string": "two"}),
    Operation("patch", "patch", {"patch": PATCH}),
    Operation("delete -r", "delete", {"paths": ["tree"], "recursive": True}),
    Operation("undo", "undo", {}, (("patch", {"patch": PATCH}),)),
    Operation("move", "move", {"source": "c.txt", "destination": "new/d.txt"}),
    Operation("edit large", "edit", {"file_path": "large.txt", "old_string": "head", "new_string": "foot"}, LARGE),
)


class Moment(NamedTuple):
    """The `number`th call of `syscall` in an unharmed run; `line` is that call."""

    syscall: str
    number: int
    line: str


class Ground:
    """A home and a workspace below one directory, always at the same place, for the journal has paths."""

    def __init__(self, top: Path, log: Path) -> None:
        self.top, self.home, self.root, self.log = top, top / "home", top / "ws", log
        for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # as in a shell's background, and inherited
            if signal.getsignal(ignored) is signal.SIG_IGN:
                signal.signal(ignored, signal.SIG_DFL)

    def furnish(self, operation: Operation) -> None:
        """Lay the files that operations work on, and make the calls that come before this one."""
        furnish(self.root)
        self.home.mkdir()
        for tool, arguments in operation.before:
            done = self.call(tool, arguments)
            assert done.returncode == 0, done

    def snapshot(self) -> Snapshot:
        """Return everything about the workspace that a change must keep or make."""
        return {str(path.relative_to(self.root)): described(path) for path in sorted(self.root.rglob("*"))}

    def journal(self) -> set[str]:
        """Return the ids of the changes that stand, after recovery."""
        home = self.home / ".local/state/codetools"
        if not home.exists():
            return set()
        store = open_store(str(home), 5.0)
        try:
            return {one.id for one in Journal(store).groups(str(self.root)) if one.status == "committed"}
        finally:
            store.close()

    def traced(self, operation: Operation) -> Iterator[Moment]:
        """Make the call unharmed; return every moment at which the file system is asked about what is ours."""
        done = self.call(operation.tool, operation.arguments, only=TRACED)
        assert done.returncode == 0, done
        counts: Counter[str] = Counter()
        for line in self.log.read_text(errors="replace").splitlines():
            if match := re.match(r"\d+ +(\w+)\((.*)", line):
                syscall, words = match[1], re.sub(r"^AT_FDCWD<[^>]*>, ", "", match[2]).replace(str(self.top), "TOP")
                counts[syscall] += 1
                if "TOP/" in words or (syscall == "write" and words.startswith("1<")):
                    yield Moment(syscall, counts[syscall], f"{syscall}({words[:120]}")

    def call(self, tool: str, arguments: dict[str, Any], *inject: str, only: str = "") -> Any:
        """Make one call, under strace where it is asked to trace `only` some system calls."""
        command = [str(CODETOOLS), "call", tool, json.dumps(arguments), "--yolo"]
        if only:
            how = ["-e", f"trace={only}", *(word for one in inject for word in ("-e", one))]
            command = ["strace", "-f", "-y", "-s", "16", "-o", str(self.log), *how, *command]
        environment = {"HOME": str(self.home), "PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
        return subprocess.run(
            command,
            cwd=self.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )


def furnish(root: Path) -> None:
    """Make a workspace."""
    (root / ".git").mkdir(parents=True)
    (root / "tree/inner").mkdir(parents=True)
    for name, content in (("a.sh", "one\n"), ("b.txt", "bee\n"), ("c.txt", "see\n"), ("tree/inner/t.txt", "tea\n")):
        (root / name).write_text(content)
    (root / "a.sh").chmod(0o750)
    os.setxattr(root / "a.sh", "user.kept", b"yes")
    (root / "tree/link").symlink_to("../a.sh")
    (root / "tree/u.txt").write_text("you\n")


def described(path: Path) -> tuple[object, ...]:
    """Return mode, extended attributes and content, or a link's target."""
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return (mode, os.readlink(path))
    xattrs = tuple((name, os.getxattr(path, name)) for name in sorted(os.listxattr(path)))
    return (mode, xattrs, path.read_bytes() if path.is_file() else b"")


def is_litter(name: str) -> bool:
    """Whether a path is one of our temporary ones, or lies below it."""
    return ".codetools-" in name
