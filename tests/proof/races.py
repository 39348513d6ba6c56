"""A busy program swaps a directory and a file for links that lead out, while every file tool works on them.

`python tests/proof/races.py` makes 300 attempts with each tool. Nothing of what lies outside, content or name, may be
in any answer, and nothing outside may change. The swaps are RENAME_EXCHANGE in a loop, so that each name always exists.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.calls import call

ATTEMPTS = 300
SECRET = "leaked"
SWAPPER = """
import os, sys
sys.path.insert(0, sys.argv[1])
from codetools.system import replace
pairs = [(os.open(directory, os.O_RDONLY), *names) for directory, *names in (
    (".", "sub", "link"), (".", "one.txt", "link.txt"), ("deep", "a", "link"))]
print("ready", flush=True)
while True:
    for parent, first, second in pairs:
        try:
            replace.exchange(parent, first, second)
        except FileNotFoundError:
            pass  # one was removed, and will be back
"""
Calls = Callable[[int], tuple[dict[str, Any], ...]]


class Tried(NamedTuple):
    """One tool, the calls of the nth attempt, and whether nobody is asked about them."""

    tool: str
    arguments: Calls
    yolo: bool = True


def _files(number: int) -> str:
    return ("sub/f", "one.txt", "deep/a/b/f")[number % 3]


def _edited(number: int) -> tuple[dict[str, Any], ...]:
    path = _files(number)
    return tuple(
        {"file_path": path, "old_string": old, "new_string": new} for old, new in (("even", "odd"), ("odd", "even"))
    )


def _patched(number: int) -> tuple[dict[str, Any], ...]:
    path, directory = _files(number), os.path.dirname(_files(number)) or "sub"
    return tuple(
        {
            "patch": f"*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n"
            f"*** {how} File: {directory}/patched\n{rest}*** End Patch\n"
        }
        for old, new, how, rest in (("even", "odd", "Add", "+new\n"), ("odd", "even", "Delete", ""))
    )


def _moved(number: int) -> tuple[dict[str, Any], ...]:
    first, second = (("sub/f", "sub/moved"), ("sub/d", "here"), ("deep/a/b", "deep/a/moved"))[number % 3]
    return ({"source": first, "destination": second}, {"source": second, "destination": first})


def _deleted(number: int) -> tuple[dict[str, Any], ...]:
    return (({"paths": ["sub/d"], "recursive": True}), {"paths": ["one.txt"]}, {"paths": ["deep/a/b/f"]})[number % 3 :][
        :1
    ]


READERS = (
    "cat {}",
    "head -n 5 {}",
    "grep -r . {}",
    "wc -c < {}",
    "ls -laR .",
    "find . -type f",
    "cat sub/* deep/a/b/*",
)
TRIED = (
    Tried("read", lambda number: ({"file_path": _files(number)}, {"file_path": f"{_files(number)}", "raw": True})),
    Tried(
        "write",
        lambda number: (
            {"file_path": _files(number), "content": "even\n"},
            {"file_path": f"sub/new{number % 9}", "content": f"{number}\n"},
        ),
    ),
    Tried("edit", _edited),
    Tried("patch", _patched),
    Tried("delete", _deleted),
    Tried("mkdir", lambda number: ({"path": f"sub/made{number % 9}/x"}, {"path": f"deep/a/b/made{number % 9}"})),
    Tried("move", _moved),
    Tried("undo", lambda number: ({},)),
    Tried("grep", lambda number: ({"pattern": ".", "path": (".", "sub", "one.txt", "deep/a/b")[number % 4]},)),
    Tried("glob", lambda number: ({"pattern": ("**/*", "sub/**", "deep/*/*/*")[number % 3]},)),
    Tried("find", lambda number: ({"path": ("sub", "deep/a", ".")[number % 3]},)),
    Tried("ls", lambda number: ({"path": ("sub", "deep/a/b", ".")[number % 3]},)),
    Tried("tree", lambda number: ({"path": ("sub", "deep/a", ".")[number % 3]},)),
    Tried("diff", lambda number: ({"session": "s"}, {"session": "s", "path": _files(number)})),
    Tried("history", lambda number: ({"path": _files(number)},)),
    Tried(
        "bash",
        lambda number: ({"command": READERS[number % len(READERS)].format(_files(number // len(READERS)))},),
        yolo=False,
    ),
)


class Ground:
    """A workspace and something outside that looks like it, and the program that swaps them."""

    def __init__(self, top: Path) -> None:
        self.root, self.outside, self._spare = top / "ws", top / "outside", top / "spare"
        for place, content in ((self.root / "sub", "even\n"), (self.outside, f"even\n{SECRET}\n")):
            _furnish(place, content)
        _furnish(self.root / "deep/a", "even\n")
        (self.root / ".git").mkdir()
        (self.root / "one.txt").write_text("even\n")
        (self.outside / f"{SECRET}.txt").write_text(f"even\n{SECRET}\n")
        (self.outside / f"d/{SECRET}").write_text(f"even\n{SECRET}\n")
        (self.root / "link").symlink_to(self.outside)
        (self.root / "link.txt").symlink_to(self.outside / "f")
        (self.root / "deep/link").symlink_to(self.outside)
        self._parents = tuple(os.open(self.root / name, os.O_RDONLY) for name in ("sub", "deep/a"))
        self._before = self._described()

    @contextmanager
    def swapping(self) -> Iterator[None]:
        """Swap while the `with` lasts."""
        command = [sys.executable, "-c", SWAPPER, str(Path(__file__).parents[2])]
        with subprocess.Popen(command, cwd=self.root, stdout=subprocess.PIPE) as swapper:
            assert swapper.stdout is not None
            swapper.stdout.readline()
            try:
                yield
            finally:
                swapper.kill()

    def refill(self) -> None:
        """Bring back what may have been deleted or moved, through directories that nobody can swap."""
        for parent in self._parents:
            _furnish(Path(f"/proc/self/fd/{parent}"), "even\n")
        names = (self.root / "one.txt", self.root / "link.txt")
        for missing, other in (names, names[::-1]):
            if not os.path.lexists(missing) and other.is_symlink():
                missing.write_text("even\n")
            elif not os.path.lexists(missing):
                missing.symlink_to(self.outside / "f")

    def changed(self) -> bool:
        """Whether anything outside is not as it was."""
        return self._described() != self._before

    def _described(self) -> dict[str, object]:
        return {
            str(path): (path.lstat().st_mode, path.lstat().st_ino, path.read_bytes() if path.is_file() else b"")
            for path in sorted(self.outside.rglob("*"))
        }


class Row(NamedTuple):
    """One tool's attempts: how they ended, and those that did harm."""

    tool: str
    attempts: int
    ends: Counter[str]
    leaks: tuple[str, ...]
    changes: int


def raced(ground: Ground, tried: Tried, attempts: int) -> Row:
    """Make the calls of one tool while names are swapped; the working directory has to be the workspace."""
    ends: Counter[str] = Counter()
    leaks: list[str] = []
    changes = 0
    for number in range(attempts):
        ground.refill()
        if tried.tool in ("undo", "diff", "history"):
            call("write", {"file_path": _files(number), "content": f"even {number}\n"}, yolo=True, session="s")
        for arguments in tried.arguments(number):
            answer = call(tried.tool, arguments, yolo=tried.yolo, session="s")
            ends[answer.get("error", {}).get("kind", "ok") if not answer["ok"] else "ok"] += 1
            text = json.dumps(answer)
            if SECRET in text:
                leaks.append(f"{tried.tool} {arguments}: {text[:600]}")
        if ground.changed():
            changes += 1
            break
    return Row(tried.tool, number + 1, ends, tuple(leaks), changes)


def _furnish(place: Path, content: str) -> None:
    for name in ("b", "d"):
        (place / name).mkdir(parents=True, exist_ok=True)
    for name in ("f", "b/f", "d/f"):
        if not (place / name).exists():
            (place / name).write_text(content)


def main(arguments: Iterable[str] | None = None) -> int:
    """Race against each tool; print the table and what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--attempts", type=int, default=ATTEMPTS, help="with each tool")
    parser.add_argument("--only", default="", help="one tool")
    options = parser.parse_args(arguments)
    wrong: list[str] = []
    print(f"{'tool':8} {'attempts':>8} {'leaks':>6} {'changed outside':>16}  ends")
    with tempfile.TemporaryDirectory() as top:
        os.environ["HOME"] = f"{top}/home"
        for name in [name for name in os.environ if name.startswith(("CODETOOLS_", "XDG_"))]:
            del os.environ[name]
        for tried in TRIED:
            if options.only not in ("", tried.tool):
                continue
            ground = Ground(Path(top) / tried.tool)
            os.chdir(ground.root)
            with ground.swapping():
                row = raced(ground, tried, options.attempts)
            wrong += row.leaks
            wrong += [f"{row.tool} changed what lies outside"] * row.changes
            ends = ", ".join(f"{kind} {count}" for kind, count in row.ends.most_common())
            print(f"{row.tool:8} {row.attempts:8} {len(row.leaks):6} {row.changes:16}  {ends}", flush=True)
    print(*wrong, f"{len(wrong)} wrong", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
