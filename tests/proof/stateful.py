"""Any sequence of calls on files of any encoding and line ending leaves exactly what a model of a few lines foretells.

`python tests/proof/stateful.py` tries 500 sequences of up to 40 calls: read, write, edit, delete, move and undo, and
programs that change files meanwhile. After every step every byte and mode of the workspace is compared.
"""

import argparse
import codecs
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from tests.calls import call

SEQUENCES, STEPS = 500, 40
MEMORY = "/dev/shm"  # nothing here is about the disk
PATHS = ("a.txt", "b.txt", "d/c.txt", "d/e/f.txt", "ü .txt")
ENCODINGS = {
    "utf-8": b"",
    "utf-8-sig": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "windows-1252": b"",
}
CODECS = {"utf-8-sig": "utf-8"}
paths = st.sampled_from(PATHS)
texts = st.lists(st.sampled_from(("a", "bb", "é", "\t", " ", "x = 1", "\n", "\r\n", "\\1", "$&")), max_size=12).map(
    "".join
)
modes = st.sampled_from((0o644, 0o600, 0o755, 0o664))


class Held(NamedTuple):
    """What the model knows of one file; `encoding` is what it is told to be."""

    content: bytes
    mode: int
    encoding: str

    @property
    def text(self) -> str:
        """Return the text without the mark at its start."""
        return self.content[len(ENCODINGS[self.encoding]) :].decode(CODECS.get(self.encoding, self.encoding))


Tree = dict[str, Held]


class Done(NamedTuple):
    """A change that stands: what it had touched, before and after."""

    before: dict[str, Held | None]
    after: dict[str, Held | None]


class Files(RuleBasedStateMachine):
    """The workspace and its model."""

    def __init__(self) -> None:
        super().__init__()
        self.top = Path(tempfile.mkdtemp(dir=MEMORY if os.path.isdir(MEMORY) else None))
        self.root = self.top / "ws"
        (self.root / ".git").mkdir(parents=True)
        os.environ["CODETOOLS_HOME"] = str(self.top / "state")
        os.chdir(self.root)
        self.tree: Tree = {}
        self.done: list[Done] = []

    def teardown(self) -> None:
        """Remove the workspace."""
        os.chdir("/")
        shutil.rmtree(self.top)

    @rule(path=paths, text=texts, encoding=st.sampled_from(tuple(ENCODINGS)), mode=modes)
    def another_program_writes(self, path: str, text: str, encoding: str, mode: int) -> None:
        """Nothing of it is in the journal."""
        text += "\n" if encoding == "windows-1252" else ""
        content = ENCODINGS[encoding] + text.encode(CODECS.get(encoding, encoding))
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(content)
        (self.root / path).chmod(mode)
        self.tree[path] = Held(content, mode, encoding)

    @rule(path=paths, text=texts)
    def write(self, path: str, text: str) -> None:
        """The file holds exactly what was asked for; its mode stays."""
        was = self.tree.get(path)
        answer = self._call("write", file_path=path, content=text)
        assert answer["ok"], answer
        new = Held(text.encode(), was.mode if was else 0o644, "utf-8")
        assert answer["changed"] == (was is None or was.content != new.content)
        if answer["changed"]:
            self._did({path: new})

    @precondition(lambda self: self.tree)
    @rule(data=st.data(), text=texts.filter(lambda text: "\n" not in text))
    def edit(self, data: st.DataObject, text: str) -> None:
        """The one place changes, in the file's encoding, and not a byte around it."""
        path = data.draw(st.sampled_from(sorted(self.tree)))
        was = self.tree[path]
        start = data.draw(st.integers(0, len(was.text)))
        old = was.text[start : data.draw(st.integers(start, len(was.text)))]
        answer = self._call("edit", file_path=path, old_string=old, new_string=text, encoding=was.encoding)
        places = sum(was.text.startswith(old, place) for place in range(len(was.text)))
        if not old:
            assert not answer["ok"] or not was.content, answer
        elif old == text:
            assert answer["error"]["kind"] == "no_change", answer
        elif places > 1:
            assert answer["error"]["kind"] == "not_unique", answer
        else:
            assert answer["ok"], answer
        if answer["ok"]:
            changed = was.text.replace(old, text) if old else text
            content = ENCODINGS[was.encoding] + changed.encode(CODECS.get(was.encoding, was.encoding))
            self._did({path: Held(content, was.mode, was.encoding)})

    @rule(path=paths)
    def read(self, path: str) -> None:
        """The text is shown as it is."""
        was = self.tree.get(path)
        answer = self._call("read", file_path=path, **({"encoding": was.encoding} if was else {}))
        if was is None:
            assert answer["error"]["kind"] == "not_found", answer
        else:
            assert answer["ok"], answer
            assert answer["data"]["content"] == was.text, answer
            assert answer["data"]["size"] == len(was.content)

    @rule(path=paths)
    def delete(self, path: str) -> None:
        """It is gone."""
        answer = self._call("delete", paths=[path])
        if path in self.tree:
            assert answer["ok"], answer
            self._did({path: None})
        else:
            assert answer["error"]["kind"] == "not_found", answer

    @rule(source=paths, destination=paths, overwrite=st.booleans())
    def move(self, source: str, destination: str, overwrite: bool) -> None:
        """It has another name, and only where that was free, or was to be replaced."""
        answer = self._call("move", source=source, destination=destination, overwrite=overwrite)
        if source not in self.tree:
            assert answer["error"]["kind"] == "not_found", answer
        elif source == destination or (destination in self.tree and not overwrite):
            assert not answer["ok"], answer
        else:
            assert answer["ok"], answer
            self._did({destination: self.tree[source], source: None})

    @rule()
    def undo(self) -> None:
        """The last change is taken back, unless its files have changed since; then nothing is."""
        answer = self._call("undo")
        if not self.done:
            assert not answer["ok"], answer
            return
        last = self.done[-1]
        is_as_left = all(_same(self.tree.get(path), held) for path, held in last.after.items())
        assert answer["ok"] == is_as_left, answer
        if is_as_left:
            self.done.pop()
            self._set(last.before)

    @invariant()
    def every_file_is_what_the_model_foretells(self) -> None:
        """Bytes and modes, and nothing else is there."""
        found = {
            str(path.relative_to(self.root)): (path.read_bytes(), path.stat().st_mode & 0o777)
            for path in self.root.rglob("*")
            if path.is_file()
        }
        assert found == {path: (held.content, held.mode) for path, held in self.tree.items()}

    def _call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = call(tool, arguments, yolo=True)
        assert answer["ok"] == (answer["exit"] == 0)
        assert answer["ok"] or not answer["changed"]
        return answer

    def _did(self, after: dict[str, Held | None]) -> None:
        self.done.append(Done({path: self.tree.get(path) for path in after}, after))
        self._set(after)

    def _set(self, state: dict[str, Held | None]) -> None:
        for path, held in state.items():
            if held is None:
                self.tree.pop(path, None)
            else:
                self.tree[path] = held


def _same(first: Held | None, second: Held | None) -> bool:
    return (first and first[:2]) == (second and second[:2])


def run(sequences: int, steps: int, *, derandomize: bool = False) -> None:
    """Try some sequences; raise AssertionError with the shortest one that goes wrong."""
    how = settings(
        max_examples=sequences,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        derandomize=derandomize,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Files, settings=how)


def main(arguments: Iterable[str] | None = None) -> int:
    """Try the sequences; print how many were, and the shortest that goes wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sequences", type=int, default=SEQUENCES)
    parser.add_argument("--steps", type=int, default=STEPS, help="most calls of a sequence")
    options = parser.parse_args(arguments)
    os.umask(0o022)
    for name in [name for name in os.environ if name.startswith(("CODETOOLS_", "XDG_"))]:
        del os.environ[name]
    with tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = home
        try:
            run(options.sequences, options.steps)
        except AssertionError as error:
            print(*getattr(error, "__notes__", ()), error, "1 wrong", sep="\n")
            return 1
    print(f"{options.sequences} sequences of up to {options.steps} calls: 0 wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
