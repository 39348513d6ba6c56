"""Mode bits that stand in the way of every file tool: the right error, and nothing changed.

`python tests/proof/modes.py` runs each call as a process without capabilities, so that the bits bite for root too.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from tests.proof.ground import CODETOOLS, is_litter

WITHOUT_CAPABILITIES = ("setpriv", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all")
EDIT = {"old_string": "one", "new_string": "two"}


def _update(path: str) -> str:
    return f"*** Begin Patch\n*** Update File: {path}\n@@\n-one\n+two\n*** End Patch\n"


class Case(NamedTuple):
    """A call on a path of some mode. `kind` is the error that has to come, or "ok"; then `says` is in the text."""

    obstacle: str
    tool: str
    arguments: dict[str, Any]
    kind: str
    says: str = ""


UNREADABLE, READ_ONLY, CLOSED, FIXED = "unreadable file", "read-only file", "closed directory", "read-only directory"
CASES = (
    Case(UNREADABLE, "read", {"file_path": "secret"}, "io", "ermission denied"),
    Case(UNREADABLE, "write", {"file_path": "secret", "content": "x"}, "io", "ermission denied"),
    Case(UNREADABLE, "edit", {"file_path": "secret", **EDIT}, "io", "ermission denied"),
    Case(UNREADABLE, "patch", {"patch": _update("secret")}, "io", "ermission denied"),
    Case(UNREADABLE, "delete", {"paths": ["secret"]}, "io", "ermission denied"),
    Case(UNREADABLE, "delete", {"paths": ["mixed"], "recursive": True}, "io", "ermission denied"),
    Case(UNREADABLE, "move", {"source": "secret", "destination": "moved"}, "io", "ermission denied"),
    Case(UNREADABLE, "grep", {"pattern": "one", "path": "secret"}, "io", "ermission denied"),
    Case(UNREADABLE, "grep", {"pattern": "one", "path": "mixed"}, "ok", "could not be read (mixed/secret)"),
    Case(UNREADABLE, "ls", {"path": "mixed"}, "ok", "secret"),
    Case(READ_ONLY, "read", {"file_path": "fixed"}, "ok", "one"),
    Case(READ_ONLY, "write", {"file_path": "fixed", "content": "x"}, "io", "read only"),
    Case(READ_ONLY, "edit", {"file_path": "fixed", **EDIT}, "io", "read only"),
    Case(READ_ONLY, "patch", {"patch": _update("fixed")}, "io", "read only"),
    Case(FIXED, "read", {"file_path": "held/f"}, "ok", "one"),
    Case(FIXED, "write", {"file_path": "held/new", "content": "x"}, "io", "ermission denied"),
    Case(FIXED, "write", {"file_path": "held/deep/new", "content": "x"}, "io", "ermission denied"),
    Case(FIXED, "write", {"file_path": "held/f", "content": "x"}, "io", "ermission denied"),
    Case(FIXED, "edit", {"file_path": "held/f", **EDIT}, "io", "ermission denied"),
    Case(FIXED, "patch", {"patch": _update("held/f")}, "io", "ermission denied"),
    Case(FIXED, "delete", {"paths": ["held/f"]}, "io", "ermission denied"),
    Case(FIXED, "delete", {"paths": ["held"], "recursive": True}, "io", "nothing may be removed"),
    Case(FIXED, "mkdir", {"path": "held/new"}, "io", "ermission denied"),
    Case(FIXED, "move", {"source": "held/f", "destination": "moved"}, "io", "ermission denied"),
    Case(FIXED, "move", {"source": "free", "destination": "held/free"}, "io", "ermission denied"),
    Case(FIXED, "undo", {}, "io", "ermission denied"),
    Case(CLOSED, "read", {"file_path": "closed/f"}, "io", "ermission denied"),
    Case(CLOSED, "edit", {"file_path": "closed/f", **EDIT}, "io", "ermission denied"),
    Case(CLOSED, "write", {"file_path": "closed/new", "content": "x"}, "io", "ermission denied"),
    Case(CLOSED, "delete", {"paths": ["closed"], "recursive": True}, "io", "ermission denied"),
    Case(CLOSED, "ls", {"path": "closed"}, "io", "ermission denied"),
    Case(CLOSED, "tree", {"path": "closed"}, "io", "ermission denied"),
    Case(CLOSED, "glob", {"pattern": "*", "path": "closed"}, "io", "ermission denied"),
    Case(CLOSED, "grep", {"pattern": "one", "path": "closed"}, "io", "ermission denied"),
    Case(CLOSED, "grep", {"pattern": "one", "path": "."}, "ok", "could not be read (closed, "),
    Case(CLOSED, "tree", {"path": "."}, "ok", "closed"),
)


class Ground:
    """A workspace with paths of odd modes, and a change in it that could be taken back."""

    def __init__(self, top: Path) -> None:
        self.root, self._home = top / "ws", top / "home"
        for name in (".git", "mixed", "held", "closed"):
            (self.root / name).mkdir(parents=True)
        self._home.mkdir()
        for name in ("secret", "mixed/secret", "mixed/open", "fixed", "closed/f", "free"):
            (self.root / name).write_text("one\n")
        done = self.call("write", {"file_path": "held/f", "content": "one\n"})
        assert done["ok"], done
        for name, mode in (("secret", 0), ("mixed/secret", 0), ("fixed", 0o444), ("held", 0o555), ("closed", 0)):
            (self.root / name).chmod(mode)

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Make a call without capabilities; return its envelope."""
        environment = {"HOME": str(self._home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        command = [*prefix(), str(CODETOOLS), "call", tool, json.dumps(arguments), "--yolo"]
        done = subprocess.run(
            command,
            cwd=self.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        try:
            answer: dict[str, Any] = json.loads(done.stdout)
        except ValueError:
            raise AssertionError(f"exit {done.returncode}: {done.stdout}{done.stderr}") from None
        return answer

    def described(self) -> dict[str, object]:
        """Return all that is there; looked at with every right."""
        found: dict[str, object] = {}
        closed = [
            path for path in (self.root / "closed", self.root / "secret", self.root / "mixed/secret") if path.exists()
        ]
        modes = {path: path.stat().st_mode for path in closed}
        for path in closed:
            path.chmod(0o700)
        for path in sorted(self.root.rglob("*")):
            found[str(path)] = (modes.get(path, path.stat().st_mode), path.read_bytes() if path.is_file() else b"")
        for path, mode in modes.items():
            path.chmod(mode)
        return found


def prefix() -> tuple[str, ...]:
    """Return the words that take a program's capabilities away, where it has any."""
    return WITHOUT_CAPABILITIES if os.geteuid() == 0 else ()


def wrongs(ground: Ground, case: Case) -> list[str]:
    """Make the call; return what is wrong with what came of it."""
    before = ground.described()
    answer = ground.call(case.tool, case.arguments)
    after = ground.described()
    wrong = []
    kind = "ok" if answer["ok"] else answer["error"]["kind"]
    if kind != case.kind:
        wrong.append(f"{kind} instead of {case.kind}")
    if case.says not in answer["text"]:
        wrong.append("it does not say why")
    if answer["changed"] or before != after:
        wrong.append("it changed something")
    if any(is_litter(path) for path in after):
        wrong.append("litter")
    return [f"{case.obstacle}: {case.tool} {case.arguments}: {', '.join(wrong)}: {answer['text']}"] if wrong else []


def main(arguments: Iterable[str] | None = None) -> int:
    """Try every case; print the table and what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args(arguments)
    wrong: list[str] = []
    print(f"{'obstacle':20} {'tool':8} {'expected':9} wrong")
    with tempfile.TemporaryDirectory() as top:
        ground = Ground(Path(top))
        for case in CASES:
            found = wrongs(ground, case)
            wrong += found
            print(f"{case.obstacle:20} {case.tool:8} {case.kind:9} {len(found)}", flush=True)
    print(*wrong, f"{len(wrong)} wrong", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
