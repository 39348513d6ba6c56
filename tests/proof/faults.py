"""Every system call of a change failed in turn, or killed there: each file is old or new, and the journal knows which.

`python tests/proof/faults.py` tries every moment with one of the faults in turn; `--all` every moment with every fault.
A part of it runs in the suite. The faults come from `strace -e inject`, which marks in its log that each one fired.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from codetools.core.errors import EXIT_CODES
from tests.proof.ground import OPERATIONS, Ground, Moment, Operation, described, is_litter

WORKERS = 2
ATTEMPTS = 4  # two names may share a lock, by the inodes of the case: then there are fewer calls than were counted
NOT_FIRED = "the fault did not fire"
ERRORS = ("ENOSPC", "EIO", "EDQUOT", "EINTR", "EACCES")
SIGNALS = ("KILL", "TERM", "INT", "HUP")
FAULTS = (*ERRORS, *SIGNALS)


class Fault(NamedTuple):
    """A moment, at which the call gets `what`: an error or a signal."""

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


class Faulty(Ground):
    """A home and a workspace that are laid anew for every case."""

    def __init__(self, top: Path, operation: Operation) -> None:
        super().__init__(top, top / "log")
        self.operation = operation
        self._kept = top / "kept"
        shutil.rmtree(top, ignore_errors=True)
        self.furnish(operation)
        shutil.copytree(self.home, self._kept / "home", symlinks=True)
        shutil.copytree(self.root, self._kept / "ws", symlinks=True)
        self.old = self.snapshot()
        self._journal_before = self.journal()
        self.lay()
        self.moments = tuple(self.traced(operation))
        self.new = self.snapshot()
        assert self.old != self.new

    def suffer(self, fault: Fault, attempt: int = 0) -> Verdict:
        """Make the call with the fault, look at everything, and make the next call."""
        self.lay(attempt)
        done = self.call(self.operation.tool, self.operation.arguments, fault.injection, only=fault.syscall)
        log = self.log.read_text(errors="replace")
        wrong = [] if _has_fired(log, fault) else [NOT_FIRED]
        found = {name: what for name, what in self.snapshot().items() if not is_litter(name)}
        envelope = json.loads(done.stdout) if done.stdout.endswith("\n") else None
        lost = [one["message"] for one in (envelope or {}).get("notices", ()) if one["kind"] == "metadata"]
        if lost == ["a.sh: could not keep user.kept"]:  # said, so allowed
            os.setxattr(self.root / "a.sh", "user.kept", b"yes")
            found["a.sh"] = described(self.root / "a.sh")
        state = "old" if found == self.old else "new" if found == self.new else "between"
        wrong += _told_wrongly(done, envelope, state, fault)
        wrong += self._next_call(state)
        return Verdict(state, tuple(wrong))

    def _next_call(self, state: str) -> Iterator[str]:
        made = self.journal() - self._journal_before
        if (state == "old") != (not made) or len(made) > 1:
            yield f"the files are {state}, the journal has {len(made)} new changes"
            return
        if state == "old":
            done, wanted = self.call(self.operation.tool, self.operation.arguments), self.new
        else:
            done, wanted = self.call("undo", {"id": made.pop()}), self.old
        if done.returncode:
            yield f"the next call fails: {done.stdout}{done.stderr}"
        found = self.snapshot()
        if litter := [name for name in found if is_litter(name)]:
            yield f"litter after the next call: {litter}"
        elif found != wanted:
            yield f"wrong after the next call: {sorted(set(found.items()) ^ set(wanted.items()))}"

    def lay(self, attempt: int = 0) -> None:
        """Bring back what stood before the call, as other inodes at another attempt: locks are shared by them."""
        for place in (self.home, self.root):
            shutil.rmtree(place)
        for spare in range(attempt):
            (self.top / f"spare{spare}").mkdir(exist_ok=True)
        for place, kept in ((self.home, "home"), (self.root, "ws")):
            shutil.copytree(self._kept / kept, place, symlinks=True)


def suffered(operation: Operation, top: Path, *, every: bool, step: int = 1) -> Iterator[tuple[Fault, Verdict]]:
    """Try the moments of an operation, each `step`th of them; with `every` fault, or with one of them in turn."""
    grounds: SimpleQueue[Faulty] = SimpleQueue()
    for worker in range(WORKERS):
        grounds.put(ground := Faulty(top / str(worker), operation))

    def tried(fault: Fault) -> tuple[Fault, Verdict]:
        here = grounds.get()
        try:
            for attempt in range(ATTEMPTS):
                verdict = here.suffer(fault, attempt)
                if NOT_FIRED not in verdict.wrong:
                    break
            return fault, verdict
        except Exception as error:  # noqa: BLE001  told in the table
            return fault, Verdict("unknown", (f"{type(error).__name__}: {error}",))
        finally:
            grounds.put(here)

    with ThreadPoolExecutor(WORKERS) as pool:
        yield from pool.map(tried, list(_faults(ground.moments, every=every, step=step)))


def _faults(moments: tuple[Moment, ...], *, every: bool, step: int) -> Iterator[Fault]:
    for position, moment in enumerate(moments[::step]):
        for what in FAULTS if every else (FAULTS[position % len(FAULTS)],):
            yield Fault(moment.syscall, moment.number, what, moment.line)


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
