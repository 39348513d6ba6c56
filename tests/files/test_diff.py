import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codetools.files.diff import Diff, diff

TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "long line\n", "end"]), max_size=30).map("".join)
WIDE = 1 << 30


def patched(old: str, shown: Diff, directory: Path) -> str:
    target = directory / "f"
    target.write_text(old)
    subprocess.run(["git", "apply", "--whitespace=nowarn", "-"], input=shown.text, text=True, cwd=directory, check=True)
    return target.read_text() if target.exists() else ""


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS)
def test_git_makes_the_new_text_of_the_old(tmp_path_factory: pytest.TempPathFactory, old: str, new: str):
    shown = diff(old, new, "f", WIDE)
    if old == new:
        assert shown == Diff("", 0, 0)
        return
    assert patched(old, shown, tmp_path_factory.mktemp("patch")) == new
    body = [line for line in shown.text.splitlines()[2:] if line[:1] in "+-"]
    assert (shown.additions, shown.removals) == (
        sum(line[0] == "+" for line in body),
        sum(line[0] == "-" for line in body),
    )


def test_a_change_of_one_line_is_a_hunk_with_three_lines_around():
    old = "".join(f"{number}\n" for number in range(1, 11))
    assert diff(old, old.replace("5\n", "five\n"), "f", WIDE).text == (
        "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
    )


def test_changes_far_apart_are_hunks_of_their_own_and_cost_little():
    lines = [f"{number}\n" for number in range(200_000)]
    changed = [*lines]
    for number in (10, 100_000, 199_999):
        changed[number] = "x\n"
    shown = diff("".join(lines), "".join(changed), "f", WIDE)
    assert (shown.text.count("@@ -"), shown.additions, shown.removals) == (3, 3, 3)


def test_a_missing_final_newline_is_said():
    assert diff("a\n", "a", "f", WIDE).text.endswith("-a\n+a\n\\ No newline at end of file\n")


def test_no_file_is_dev_null():
    assert diff(None, "a\n", "f", WIDE).text == "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n"
    assert diff("a\n", None, "f", WIDE).text == "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"


@pytest.mark.parametrize(
    "name", ["f\n@@ -1 +1 @@\n-x\n+y", "tab\there", 'q"uote', "back\\slash", "\x1b[2J", "byte\udcff"]
)
def test_i9_no_name_adds_a_line_to_a_diff_and_git_finds_it(tmp_path: Path, name: str):
    shown = diff("a\n", "b\n", name, WIDE)
    assert shown.text.count("\n") == 5
    (tmp_path / name).write_text("a\n")
    subprocess.run(["git", "apply", "-"], input=shown.text, text=True, cwd=tmp_path, check=True)
    assert (tmp_path / name).read_text() == "b\n"


def test_a_long_diff_is_cut_with_exact_counts_i6():
    shown = diff("", "".join(f"line {number}\n" for number in range(1000)), "f", 500)
    assert shown.additions == 1000
    assert len(shown.text) < 600
    assert shown.text.splitlines()[-1].endswith("more lines of this diff")
