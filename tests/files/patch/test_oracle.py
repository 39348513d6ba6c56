"""What git writes as a diff we apply to the same bytes as `git apply`, whatever the file holds."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from codetools.core.errors import Failure
from codetools.files.patch.parse import parse_patch
from codetools.files.patch.plan import plan
from codetools.files.patch.stage import stage
from tests.files.room import files_of

GIT = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "LC_ALL": "C"}
BODIES = st.sampled_from(
    ["", " ", "a", "b", "c", "  a", "\ta", "-- a", "++ b", "+x", "@@ -1 +1 @@", "--- a/f", "é", "d ", "\\ No", "x\ry"]
)
LINE = st.builds(lambda body, end: body + end, BODIES, st.sampled_from(["\n", "\n", "\n", "\r\n"]))
TEXT = st.builds(
    lambda bom, lines, last: bom + "".join(lines) + last,
    st.sampled_from(["", "", "", "\ufeff"]),
    st.lists(LINE, max_size=25),
    BODIES,
)
EDITS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 3), st.lists(LINE, max_size=3)), min_size=1, max_size=4)
NAMES = ("f", "two words", "é", "a/b", 'q"')


def edited(text: str, edits: list[tuple[int, int, list[str]]]) -> str:
    lines = text.split("\n")
    for at, removed, added in edits:
        lines[at : at + removed] = [line.removesuffix("\n") for line in added]
    return "\n".join(lines)


def git(directory: Path, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *words], cwd=directory, input=given, capture_output=True, env=GIT, check=False)


def tree(root: Path) -> dict[str, bytes]:
    return {os.fspath(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())


def ours(root: Path, patch: str) -> dict[str, bytes]:
    """Return the tree as our patch would leave it."""
    files = files_of(root)
    stage(files, plan(files, parse_patch(patch, None), lambda document: None))
    after = tree(root)
    for staged in files.staged:
        if staged.kind == "mkdir":
            continue
        name = os.path.relpath(staged.location.reached, root)
        after.pop(name, None)
        if staged.source is not None:
            after.pop(os.path.relpath(staged.source.reached, root))
        if (content := staged.content_after()) is not None:
            after[name] = content
    return after


def compared(place: Path, before: dict[str, str], after: dict[str, str], *words: str) -> None:
    """Diff two trees with git, apply the diff with git and with us, and compare."""
    shutil.rmtree(place, ignore_errors=True)
    for side, files in (("a", before), ("b", after), ("git", before), ("ours", before)):
        (place / side).mkdir(parents=True)
        write(place / side, files)
    text = git(place, "diff", "--no-index", "--no-prefix", *words, "a", "b").stdout.decode()
    if not text:
        return
    text = re.sub(r'(?m)^diff --git ("?)[ab]/(.*) ("?)[ab]/(.*)$', r"diff --git \1a/\2 \3b/\4", text)
    text = re.sub(r'(?m)^((?:rename|copy) (?:from|to) "?)[ab]/', r"\1", text)
    applied = git(place / "git", "apply", "--whitespace=nowarn", given=text.encode())
    assert applied.returncode == 0, applied.stderr
    assert ours(place / "ours", text) == tree(place / "git") == {n: t.encode() for n, t in after.items()}


@settings(deadline=None, max_examples=80)
@given(st.lists(st.tuples(TEXT, EDITS), min_size=1, max_size=3), st.sampled_from(["-U3", "-U1", "-U5"]))
def test_a_diff_by_git_gives_the_same_bytes(tmp_path_factory, changes, context):
    before = {NAMES[number]: text for number, (text, _) in enumerate(changes)}
    after = {NAMES[number]: edited(text, edits) for number, (text, edits) in enumerate(changes)}
    compared(tmp_path_factory.getbasetemp() / "oracle", before, after, context)


@settings(deadline=None, max_examples=80)
@given(TEXT, EDITS, st.sampled_from(["new", "gone", "renamed"]), st.sampled_from(NAMES))
def test_files_made_removed_and_renamed_are_those_of_git(tmp_path_factory, text, edits, how, name):
    before = {"keep": "x\n", **({} if how == "new" else {name: text})}
    after = {
        "keep": "x\n",
        **({} if how == "gone" else {name: text} if how == "new" else {"moved": edited(text, edits)}),
    }
    compared(tmp_path_factory.getbasetemp() / "oracle", before, after, "-M20%")


@settings(deadline=None, max_examples=60)
@given(TEXT, EDITS, EDITS)
def test_on_a_file_that_has_changed_since_we_do_as_git_does_or_refuse(tmp_path_factory, text, edits, meanwhile):
    """All end with a line feed: git apply joins lines where the context says that the file ends, and it does not."""
    place = tmp_path_factory.getbasetemp() / "drift"
    text, new, found = (one and one.rstrip("\n") + "\n" for one in (text, edited(text, edits), edited(text, meanwhile)))
    shutil.rmtree(place, ignore_errors=True)
    for side in ("old", "new", "git", "ours"):
        (place / side).mkdir(parents=True)
    write(place / "old", {"f": text})
    write(place / "new", {"f": new})
    diff = (
        git(place, "diff", "--no-index", "old/f", "new/f").stdout.decode().replace("old/f", "f").replace("new/f", "f")
    )
    for side in ("git", "ours"):
        write(place / side, {"f": found})
    applied = git(place / "git", "apply", "--whitespace=nowarn", given=diff.encode())
    refused = None
    try:
        result = ours(place / "ours", diff) if diff else {}
    except Failure as failure:
        refused = failure.exit_code
    if refused is not None:
        assert refused == 65
    elif applied.returncode == 0 and diff:
        assert result == tree(place / "git")
