"""Both doors of every tool, each answer held to its form: one line or one envelope, its code, no traceback."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from codetools.core.errors import EXIT_CODES
from codetools.core.shape import fields_of
from codetools.core.tool import Tool
from codetools.engine.built_in import BUILT_IN
from tests.cli.typed import CODETOOLS, PATIENCE_SECONDS, typed

TOOLS = BUILT_IN.all()
STAGING = tuple(tool for tool in TOOLS if tool.effects.stages)
OLD = "old text\n"
FITTING: dict[str, Any] = {
    "argv": ["cat", "a.txt"],
    "job_id": ["3f9a1c2e"],
    "jobs_output.job_id": "3f9a1c2e",
    "command": "cat a.txt",
    "content": "new text\n",
    "destination": "c.txt",
    "file_path": "a.txt",
    "new_string": "new",
    "old_string": "old",
    "patch": f"--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-{OLD}+new text\n",
    "path": "new",
    "paths": ["a.txt"],
    "pattern": "old",
    "gitignore_check.paths": ["node_modules"],
    "glob.pattern": "*.txt",
    "source": "a.txt",
}
MOST_LINE_CHARS = 2000
MOST_COPIED_BYTES = 1 << 20
ALWAYS = {
    *("v", "ok", "tool", "text", "data", "changes", "changed", "dry_run", "undo", "notices", "images"),
    *("duration_ms", "cwd"),
}

each_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)


class Answer(NamedTuple):
    """How one call ended. `line` is what is said of a failure; `document` is the envelope, where a program asked."""

    code: int
    line: str
    document: dict[str, Any]

    @property
    def kind(self) -> str | None:
        """The kind of the failure, where the envelope tells it."""
        found: str | None = self.document.get("error", {}).get("kind")
        return found


def valid(tool: Tool) -> dict[str, Any]:
    """Return arguments of a tool that fit a workspace with `a.txt` in it; of a tool that changes files, they do."""
    return {
        name: FITTING.get(f"{tool.name}.{name}", FITTING.get(name, value)) for name, value in tool.example().items()
    }


def command_line(tool: Tool, arguments: dict[str, Any], *flags: str) -> list[str]:
    """Return a call as a person types it: what has a place by its place, the rest by name."""
    places = [field.name for field in fields_of(tool.params) if field.arg.positional]
    options: list[str] = []
    for name, value in arguments.items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            options += [option] if value else []
        elif name not in places:
            options += [f"{option}={item}" for item in (value if isinstance(value, list) else [value])]
    words: list[str] = []
    for name in places:
        value = arguments.get(name, ())
        words += map(str, value if isinstance(value, list | tuple) else (value,))
    return [*tool.words, *options, *flags, "--", *words]


def through_call(tool: Tool, arguments: dict[str, Any], *flags: str, **how: Any) -> Answer:
    """Make a call as a harness does, in a process of its own."""
    how.setdefault("stdin", subprocess.DEVNULL)
    return answered(run([str(CODETOOLS), "call", tool.name, json.dumps(arguments), *flags], **how))


def through_json(tool: Tool, arguments: dict[str, Any], *flags: str) -> Answer:
    """Make a call as a script does, in this process."""
    done = typed(*command_line(tool, arguments, *flags, "--json"))
    return _enveloped(done.exit_code, done.stdout, done.stderr)


def through_typed(tool: Tool, arguments: dict[str, Any], *flags: str) -> Answer:
    """Make a call as a person does, in this process."""
    done = typed(*command_line(tool, arguments, *flags))
    return spoken(done.exit_code, done.stdout, done.stderr)


DOORS: tuple[Callable[..., Answer], ...] = (through_call, through_json, through_typed)


def refused(tool: Tool, arguments: dict[str, Any], *kinds: str, flags: tuple[str, ...] = ("--yolo",)) -> Answer:
    """Make a call through every door; all refuse it, with one of `kinds` and its code."""
    first, *others = (door(tool, arguments, *flags) for door in DOORS)
    assert first.kind in kinds, first
    for other in others:
        assert other.code == first.code, (first, other)
        assert other.kind in (first.kind, None), (first, other)
    return first


def run(words: list[str], **how: Any) -> subprocess.CompletedProcess[str]:
    """Run a process to its end; it cannot hang the tests."""
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "errors": "surrogateescape", **how}
    return subprocess.run(words, timeout=PATIENCE_SECONDS, check=False, **how)


def answered(done: subprocess.CompletedProcess[str]) -> Answer:
    """Read the one envelope of a process."""
    return _enveloped(done.returncode, done.stdout, done.stderr)


def spoken(code: int, out: str, error: str) -> Answer:
    """Read what a person sees: nothing on stderr where it was done, one line where it was not; notes aside."""
    assert "Traceback" not in error + out
    assert "Errno" not in error
    error = "".join(line for line in error.splitlines(keepends=True) if ": note: " not in line)
    if code in (0, 1):
        assert error == ""
        return Answer(code, "", {})
    assert code in EXIT_CODES.values(), error
    assert code != EXIT_CODES["internal"], error
    assert error.endswith("\n")
    assert error.count("\n") == 1, error
    assert error.startswith("codetools ")
    assert error.rstrip("\n").isprintable()
    assert len(error) < MOST_LINE_CHARS
    return Answer(code, error, {})


def _enveloped(code: int, out: str, error: str) -> Answer:
    assert error == ""
    assert out.endswith("\n"), out
    assert out.count("\n") == 1
    assert out.isascii()
    document = json.loads(out)
    assert set(document) >= ALWAYS
    failure = document.get("error")
    assert document["ok"] == (failure is None)
    if failure is None:
        assert code in (0, 1)
        return Answer(code, "", document)
    assert code == EXIT_CODES[failure["kind"]], failure
    assert failure["kind"] != "internal", failure
    assert failure["message"].isprintable()
    assert "Errno" not in document["text"]
    assert document["text"]
    return Answer(code, f"{failure['message']} {failure['hint']}".strip(), document)


@contextmanager
def untouched(directory: Path) -> Iterator[None]:
    """Hold every name, kind, mode, time and byte below a directory to what it is now."""
    before = _fingerprint(directory)
    yield
    assert _fingerprint(directory) == before


def _fingerprint(directory: Path) -> dict[str, tuple[Any, ...]]:
    found: dict[str, tuple[Any, ...]] = {}
    for top, directories, files in os.walk(directory):
        for name in (*directories, *files):
            path = Path(top, name)
            status = path.lstat()
            is_small = path.is_file() and not path.is_symlink() and status.st_size <= MOST_COPIED_BYTES
            content = path.read_bytes() if is_small else None
            found[str(path)] = (status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns, content)
    return found
