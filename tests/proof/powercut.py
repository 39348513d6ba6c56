"""The power cut at every moment of a change: each file is old or new after the reboot, and new once success was told.

`python tests/proof/powercut.py`, as root, cuts before each call that changes the disk, in one of the ways in turn;
`--all` in each way. Everything lies on an ext4 of its own on a loop device. The process is killed at the call, and in
the same moment the file system is shut down by ioctl, so that what was not synced is gone; then it is mounted again.
"""

import argparse
import fcntl
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.proof.ground import OPERATIONS, Ground, Moment, Operation, is_litter

IMAGE_BYTES = 32 << 20
SHUT_DOWN = 0x8004587D  # EXT4_IOC_SHUTDOWN
CHANGING = re.compile(
    r"p?write|ftruncate|fallocate|f(data)?sync|rename|link|unlink|rmdir|mkdir|symlink|f?ch(mod|own)|f?setxattr"
    r"|copy_file_range|sendfile|utime|openat\(.*O_CREAT"
)
OWN_MOUNTS = "PROOF_HAS_OWN_MOUNTS"
AT_THE_END = "after exit 0"


class Way(NamedTuple):
    """How the power goes: what the file system has written by itself, without being asked to, before that moment."""

    name: str
    flag: int
    options: str


WAYS = (
    Way("nothing unsynced", 2, "data=ordered,noauto_da_alloc,commit=300"),
    Way("names, no data", 1, "data=writeback,noauto_da_alloc,commit=300"),
    Way("names, ordered", 1, "data=ordered,commit=300"),
    Way("everything", 0, "data=ordered,commit=300"),
)


class Cut(NamedTuple):
    """One power cut: before a call is made, or after the end."""

    moment: Moment
    way: Way


class Verdict(NamedTuple):
    """How one case ended: `old`, `new` or `between` (several files, each old or new), and what is wrong with it."""

    state: str
    wrong: tuple[str, ...]


class Disk(Ground):
    """A home and a workspace on a file system of their own, laid anew for every case."""

    def __init__(self, top: Path, operation: Operation) -> None:
        super().__init__(top / "disk", top / "log")
        self.operation = operation
        self._laid, self._cases = top / "laid.img", 0
        self.top.mkdir()
        with self._laid.open("wb") as image:
            image.truncate(IMAGE_BYTES)
        _run("mkfs.ext4", "-q", "-F", "-b", "4096", str(self._laid))
        with _Mounted(self._laid, self.top, ""):
            self.furnish(operation)
            self.old = self.snapshot()
            self._journal_before = self.journal()
        with _Mounted(self._lay(), self.top, ""):
            moments = list(self.traced(operation))
            self.new = self.snapshot()
        assert self.old != self.new
        self.moments = [one for one in moments if CHANGING.match(one.line)] + [Moment("", 0, AT_THE_END)]

    def suffer(self, cut: Cut) -> Verdict:
        """Make the call until the power goes; mount again, look at everything, and make the next call."""
        wrong: list[str] = []
        image = self._lay()
        with _Mounted(image, self.top, cut.way.options):
            code = self._call_until(cut, wrong)
            _shut_down(self.top, cut.way.flag)
        with _Mounted(image, self.top, ""):
            every = self.snapshot()
            found = {name: what for name, what in every.items() if not is_litter(name)}
            wrong += self._torn(found)
            state = "old" if found == self.old else "new" if found == self.new else "between"
            if code == 0 and state != "new":
                wrong.append(f"exit 0, and the files are {state}")
            wrong += self._next_call(state)
        checked = subprocess.run(["e2fsck", "-fn", str(image)], capture_output=True, text=True, check=False)
        if checked.returncode:
            wrong.append(f"e2fsck: {checked.stdout}")
        image.unlink()
        return Verdict(state, tuple(wrong))

    def _lay(self) -> Path:
        """Copy the file system to a new file: a loop device may still hold, and remember, the one before."""
        self._cases += 1
        image = self._laid.with_name(f"{self._cases}.img")
        _run("cp", "--sparse=always", str(self._laid), str(image))
        return image

    def _call_until(self, cut: Cut, wrong: list[str]) -> int:
        syscall, number, _ = cut.moment
        if not syscall:
            done = self.call(self.operation.tool, self.operation.arguments)
            if done.returncode:
                wrong.append(f"exit {done.returncode}: {done.stdout}{done.stderr}")
        else:
            injection = f"inject={syscall}:signal=KILL:when={number}"
            done = self.call(self.operation.tool, self.operation.arguments, injection, only=syscall)
            if "killed by SIGKILL" not in self.log.read_text(errors="replace"):
                wrong.append(f"it was not killed: exit {done.returncode}")
        return int(done.returncode)

    def _torn(self, found: dict[str, tuple[object, ...]]) -> Iterator[str]:
        for name in sorted({*self.old, *self.new, *found}):
            if found.get(name) not in (self.old.get(name), self.new.get(name)):
                yield f"{name} is neither old nor new: {str(found.get(name))[:200]}"

    def _next_call(self, state: str) -> Iterator[str]:
        journal = self.journal()
        made = journal - self._journal_before
        undone = self._journal_before - journal
        if lost := undone if self.operation.tool != "undo" or state == "old" else ():
            yield f"the journal has lost {lost}"
        if (state == "old") != (not made) or len(made) > 1:
            yield f"the files are {state}, the journal has {len(made)} new changes"
            return
        if state == "old":
            done, wanted = self.call(self.operation.tool, self.operation.arguments), self.new
        else:
            done, wanted = self.call("undo", {"id": made.pop()}), self.old
        if done.returncode:
            yield f"the next call fails: {done.stdout}{done.stderr}"
        elif damaged := [one for one in json.loads(done.stdout)["notices"] if one["kind"] == "store"]:
            yield f"the next call says: {damaged}"
        found = self.snapshot()
        if litter := [name for name in found if is_litter(name)]:
            yield f"litter after the next call: {litter}"
        elif found != wanted:
            yield f"wrong after the next call: {sorted(set(found.items()) ^ set(wanted.items()))}"


class _Mounted:
    """An image mounted while the `with` lasts."""

    def __init__(self, image: Path, place: Path, options: str) -> None:
        self._command = ["mount", "-t", "ext4", "-o", ",".join(filter(None, ("loop", options))), str(image), str(place)]
        self._place = str(place)

    def __enter__(self) -> None:
        _run(*self._command)

    def __exit__(self, *error: object) -> None:
        _run("umount", self._place)


def can_cut() -> str:
    """Return what this machine lacks for it, or nothing."""
    if os.geteuid() != 0:
        return "run it as root: it mounts file systems"
    for program in ("strace", "unshare", "mkfs.ext4", "e2fsck", "mount", "umount"):
        if shutil.which(program) is None:
            return f"install {program}"
    with tempfile.TemporaryDirectory() as top:
        image, place = Path(top) / "image", Path(top) / "place"
        place.mkdir()
        with image.open("wb") as file:
            file.truncate(IMAGE_BYTES)
        try:
            _run("mkfs.ext4", "-q", "-F", str(image))
            with _Mounted(image, place, ""):
                _shut_down(place, 2)
        except (subprocess.CalledProcessError, OSError) as error:
            return f"a machine that lets root mount and shut down an ext4 on a loop device: {error}"
    return ""


def suffered(operation: Operation, top: Path, *, every: bool, step: int = 1) -> Iterator[tuple[Cut, Verdict]]:
    """Cut the power at the moments of an operation, each `step`th and the last; in `every` way, or in one in turn."""
    disk = Disk(top, operation)
    last = len(disk.moments) - 1
    for position, moment in enumerate(disk.moments):
        is_last = position == last
        if position % step and not is_last:
            continue
        for way in WAYS if every or is_last else (WAYS[position // step % len(WAYS)],):
            cut = Cut(moment, way)
            yield cut, disk.suffer(cut)


def _shut_down(place: Path, flag: int) -> None:
    descriptor = os.open(place, os.O_RDONLY)
    try:
        fcntl.ioctl(descriptor, SHUT_DOWN, struct.pack("I", flag))
    finally:
        os.close(descriptor)


def _leave_the_mounts_of_others() -> None:
    """Go on in a mount namespace of our own: one that another process makes meanwhile would keep our mounts alive."""
    if OWN_MOUNTS not in os.environ and os.geteuid() == 0 and shutil.which("unshare"):
        os.environ[OWN_MOUNTS] = "yes"
        os.execvp("unshare", ["unshare", "--mount", sys.executable, "-m", "tests.proof.powercut", *sys.argv[1:]])


def _run(*command: str) -> None:
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)


def main(arguments: Iterable[str] | None = None) -> int:
    """Cut the power at every moment of every operation; print the table and what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every moment in every way")
    parser.add_argument("--step", type=int, default=1, help="only each Nth moment")
    parser.add_argument("--only", default="", help="one operation")
    options = parser.parse_args(arguments)
    _leave_the_mounts_of_others()
    if lacking := can_cut():
        print(f"This proof needs {lacking}.", file=sys.stderr)
        return 2
    failures = 0
    print(f"{'operation':12} {'reached the disk':17} {'cuts':>6} {'old':>6} {'new':>6} {'between':>8} {'wrong':>6}")
    for operation in OPERATIONS:
        if options.only not in ("", operation.name):
            continue
        counts: Counter[tuple[str, str]] = Counter()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as top:
            for cut, verdict in suffered(operation, Path(top), every=options.all, step=options.step):
                counts.update([(cut.way.name, verdict.state), (cut.way.name, "cuts")])
                if verdict.wrong:
                    failures += 1
                    counts[cut.way.name, "wrong"] += 1
                    told = "\n    ".join((f"{operation.name}: {cut.way.name}: {cut.moment.line}", *verdict.wrong))
                    print(told, file=sys.stderr, flush=True)
        for way in WAYS:
            cuts, old, new, between, bad = (
                counts[way.name, column] for column in ("cuts", "old", "new", "between", "wrong")
            )
            print(f"{operation.name:12} {way.name:17} {cuts:6} {old:6} {new:6} {between:8} {bad:6}", flush=True)
    print(f"{failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
