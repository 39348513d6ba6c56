"""Every system call of a change failed in turn, or killed there: each file is old or new, and the journal knows which.

`python tests/proof/faults.py` tries every moment with one of the faults in turn; `--all` every moment with every fault.
A part of it runs in the suite. The faults come from `strace -e inject`, which marks in its log that each one fired.
"""

import argparse
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from codetools.core.errors import EXIT_CODES
from codetools.state.journal import Journal
from codetools.state.store import open_store

CODETOOLS = Path(sys.executable).parent / "codetools"
PATIENCE_SECONDS = 60.0
WORKERS = 2
ATTEMPTS = 4  # two names may share a lock, by the inodes of the case: then there are fewer calls than were counted
NOT_FIRED = "the fault did not fire"
ERRORS = ("ENOSPC", "EIO", "EDQUOT", "EINTR", "EACCES")
SIGNALS = ("KILL", "TERM", "INT", "HUP")
FAULTS = (*ERRORS, *SIGNALS)
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


class Fault(NamedTuple):
    """The `number`th call of `syscall` gets `what`, an error or a signal. `line` is that call in an unharmed run."""

    syscall: str
    number: int
    what: str
    line: str = ""

    @property
    def injection(self) -> str:
        how = "signal" if self.what in SIGNALS else "error"
        return f"inject={self.syscall}:{how}={self.what}:when={self.number}"


class Verdict(NamedTuple):
    """How one case ended: `old`, `new` or `between`, and what is wrong with it."""

    state: str
    wrong: tuple[str, ...]


class Ground:
    """A home and a workspace that are laid anew for every case, always at the same place, for the journal has paths."""

    def __init__(self, top: Path, operation: Operation) -> None:
        self.operation = operation
        self.home, self.root, self._log = top / "home", top / "ws", top / "log"
        self._kept = top / "kept"
        shutil.rmtree(top, ignore_errors=True)
        _furnish(self.root)
        self.home.mkdir(parents=True)
        for tool, arguments in operation.before:
            done = self._call(tool, arguments)
            assert done.returncode == 0, done
        shutil.copytree(self.home, self._kept / "home", symlinks=True)
        shutil.copytree(self.root, self._kept / "ws", symlinks=True)
        self.old = self.snapshot()
        self._journal_before = self._journal()
        self.moments = tuple(self._traced())
        self.new = self.snapshot()
        assert self.old != self.new

    def snapshot(self) -> Snapshot:
        """Return everything about the workspace that a change must keep or make."""
        return {str(path.relative_to(self.root)): _described(path) for path in sorted(self.root.rglob("*"))}

    def suffer(self, fault: Fault) -> Verdict:
        """Make the call with the fault, look at everything, and make the next call."""
        self._lay()
        done = self._call(self.operation.tool, self.operation.arguments, fault.injection, only=fault.syscall)
        log = self._log.read_text(errors="replace")
        wrong = [] if _has_fired(log, fault) else [NOT_FIRED]
        found = {name: what for name, what in self.snapshot().items() if not _is_litter(name)}
        envelope = json.loads(done.stdout) if done.stdout.endswith("\n") else None
        lost = [one["message"] for one in (envelope or {}).get("notices", ()) if one["kind"] == "metadata"]
        if lost == ["a.sh: could not keep user.kept"]:  # said, so allowed
            os.setxattr(self.root / "a.sh", "user.kept", b"yes")
            found["a.sh"] = _described(self.root / "a.sh")
        state = "old" if found == self.old else "new" if found == self.new else "between"
        wrong += _told_wrongly(done, envelope, state, fault)
        wrong += self._next_call(state)
        return Verdict(state, tuple(wrong))

    def _next_call(self, state: str) -> Iterator[str]:
        made = self._journal() - self._journal_before
        if (state == "old") != (not made) or len(made) > 1:
            yield f"the files are {state}, the journal has {len(made)} new changes"
            return
        if state == "old":
            done, wanted = self._call(self.operation.tool, self.operation.arguments), self.new
        else:
            done, wanted = self._call("undo", {"id": made.pop()}), self.old
        if done.returncode:
            yield f"the next call fails: {done.stdout}{done.stderr}"
        found = self.snapshot()
        if litter := [name for name in found if _is_litter(name)]:
            yield f"litter after the next call: {litter}"
        elif found != wanted:
            yield f"wrong after the next call: {sorted(set(found.items()) ^ set(wanted.items()))}"

    def _journal(self) -> set[str]:
        home = self.home / ".local/state/codetools"
        if not home.exists():
            return set()
        store = open_store(str(home), 5.0)
        try:
            return {one.id for one in Journal(store).groups(str(self.root)) if one.status == "committed"}
        finally:
            store.close()

    def _lay(self) -> None:
        for place, kept in ((self.home, "home"), (self.root, "ws")):
            shutil.rmtree(place)
            shutil.copytree(self._kept / kept, place, symlinks=True)

    def _traced(self) -> Iterator[Fault]:
        """Return every moment of an unharmed run at which the file system is asked about what is ours."""
        self._lay()
        done = self._call(self.operation.tool, self.operation.arguments, only=TRACED)
        assert done.returncode == 0, done
        counts: Counter[str] = Counter()
        top = str(self.root.parent)
        for line in self._log.read_text(errors="replace").splitlines():
            if match := re.match(r"\d+ +(\w+)\((.*)", line):
                syscall, words = match[1], re.sub(r"^AT_FDCWD<[^>]*>, ", "", match[2]).replace(top, "TOP")
                counts[syscall] += 1
                if "TOP/" in words or (syscall == "write" and words.startswith("1<")):
                    yield Fault(syscall, counts[syscall], "", f"{syscall}({words[:120]}")

    def _call(self, tool: str, arguments: dict[str, Any], *inject: str, only: str = "") -> Any:
        command = [str(CODETOOLS), "call", tool, json.dumps(arguments), "--yolo"]
        if only:
            how = ["-e", f"trace={only}", *(word for one in inject for word in ("-e", one))]
            command = ["strace", "-f", "-y", "-s", "16", "-o", str(self._log), *how, *command]
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


def suffered(operation: Operation, top: Path, *, every: bool, step: int = 1) -> Iterator[tuple[Fault, Verdict]]:
    """Try the moments of an operation, each `step`th of them; with `every` fault, or with one of them in turn."""
    grounds: SimpleQueue[Ground] = SimpleQueue()
    for worker in range(WORKERS):
        grounds.put(ground := Ground(top / str(worker), operation))

    def tried(fault: Fault) -> tuple[Fault, Verdict]:
        here = grounds.get()
        try:
            for _ in range(ATTEMPTS):
                verdict = here.suffer(fault)
                if NOT_FIRED not in verdict.wrong:
                    break
            return fault, verdict
        except Exception as error:  # noqa: BLE001  told in the table
            return fault, Verdict("unknown", (f"{type(error).__name__}: {error}",))
        finally:
            grounds.put(here)

    with ThreadPoolExecutor(WORKERS) as pool:
        yield from pool.map(tried, list(_faults(ground.moments, every=every, step=step)))


def _faults(moments: tuple[Fault, ...], *, every: bool, step: int) -> Iterator[Fault]:
    for position, moment in enumerate(moments[::step]):
        for what in FAULTS if every else (FAULTS[position % len(FAULTS)],):
            yield moment._replace(what=what)


def _furnish(root: Path) -> None:
    (root / ".git").mkdir(parents=True)
    (root / "tree/inner").mkdir(parents=True)
    for name, content in (("a.sh", "one\n"), ("b.txt", "bee\n"), ("c.txt", "see\n"), ("tree/inner/t.txt", "tea\n")):
        (root / name).write_text(content)
    (root / "a.sh").chmod(0o750)
    os.setxattr(root / "a.sh", "user.kept", b"yes")
    (root / "tree/link").symlink_to("../a.sh")
    (root / "tree/u.txt").write_text("you\n")


def _described(path: Path) -> tuple[object, ...]:
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return (mode, os.readlink(path))
    xattrs = tuple((name, os.getxattr(path, name)) for name in sorted(os.listxattr(path)))
    return (mode, xattrs, path.read_bytes() if path.is_file() else b"")


def _is_litter(name: str) -> bool:
    return ".codetools-" in name


def _has_fired(log: str, fault: Fault) -> bool:
    if fault.what in ERRORS:
        return "(INJECTED)" in log
    return f"--- SIG{fault.what} " in log or f"killed by SIG{fault.what}" in log


def _told_wrongly(done: Any, envelope: dict[str, Any] | None, state: str, fault: Fault) -> Iterator[str]:
    """Compare what was said with what is."""
    number = 0 if fault.what in ERRORS else {"KILL": 9, "TERM": 15, "INT": 2, "HUP": 1}[fault.what]
    code = done.returncode
    if "Traceback" in done.stderr or code == EXIT_CODES["internal"]:
        yield f"a traceback, exit {code}: {done.stdout}{done.stderr}"
    if code not in (0, *EXIT_CODES.values()) and (not number or code != -number):
        yield f"exit {code}"
    if number == 0 and envelope is None and not _is_answer(fault):
        yield f"no envelope, exit {code}: {done.stderr}"
    if code == 0 and (envelope is None or state != "new"):
        yield f"exit 0, and the files are {state}"
    if envelope is not None:
        if envelope["ok"] != (code == 0) and not (number and _is_answer(fault)):  # the signal came after the answer
            yield f"ok is {envelope['ok']}, exit {code}"
        if envelope["changed"] != (state != "old"):
            yield f"changed is {envelope['changed']}, and the files are {state}: {envelope['text']}"
    if state == "between" and fault.what != "KILL":
        yield f"the files are between old and new: {envelope}"


def _is_answer(fault: Fault) -> bool:
    return fault.syscall == "write" and fault.line.startswith("write(1<")


def main(arguments: Iterable[str] | None = None) -> int:
    """Try every moment of every operation; print the table and what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="every moment with every fault")
    parser.add_argument("--step", type=int, default=1, help="only each Nth moment")
    parser.add_argument("--only", default="", help="one operation")
    options = parser.parse_args(arguments)
    failures = []
    print(f"{'operation':12} {'fault':7} {'cases':>6} {'old':>6} {'new':>6} {'between':>8} {'failures':>9}", flush=True)
    with tempfile.TemporaryDirectory() as top:
        for operation in OPERATIONS:
            if options.only not in ("", operation.name):
                continue
            counts: Counter[tuple[str, str]] = Counter()
            for fault, verdict in suffered(operation, Path(top), every=options.all, step=options.step):
                counts.update([(fault.what, verdict.state), (fault.what, "cases")])
                if verdict.wrong:
                    counts[fault.what, "failures"] += 1
                    failures.append(
                        "\n    ".join((f"{operation.name}: {fault.injection} {fault.line}", *verdict.wrong))
                    )
                    print(failures[-1], file=sys.stderr, flush=True)
            for what in FAULTS:
                row = [counts[what, column] for column in ("cases", "old", "new", "between", "failures")]
                print(
                    f"{operation.name:12} {what:7} {row[0]:6} {row[1]:6} {row[2]:6} {row[3]:8} {row[4]:9}", flush=True
                )
    print(f"{len(failures)} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
