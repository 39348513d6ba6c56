"""Whatever a patch says, it is read whole or refused; nothing of it is lost."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codetools.core.errors import Failure
from codetools.files.diff import diff
from codetools.files.patch.parse import parse_patch
from codetools.files.patch.plan import plan
from codetools.files.patch.stage import stage
from tests.files.room import files_of

WORDS = [
    "*** Begin Patch", "*** End Patch", "*** Update File: f", "*** Add File: g", "*** Delete File: f", "*** Move to: h",
    "*** End of File", "@@", "@@ a", "@@ -1,2 +1,2 @@", "@@ -2 +2 @@ a", "@@ -0,0 +1 @@", "--- a/f", "+++ b/f",
    "--- /dev/null", "+++ /dev/null", "+++ b/g", "diff --git a/f b/f", "rename from f", "rename to h",
    "old mode 100644", "new file mode 100644", "deleted file mode 100644", "\\ No newline at end of file", " a", "-a",
    "+a", " b", "-b", "+b", "", "+", "-", " ", "-- ", "2.39", "```", "EOF", "\r", "prose",
]  # fmt: skip
CONTENT = "a\nb\na\n"


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(WORDS), max_size=14), st.sampled_from([None, "f"]))
def test_any_lines_are_a_patch_or_a_failure(tmp_path_factory, lines, file_path):
    root = tmp_path_factory.getbasetemp() / "any"
    if not root.exists():
        (root / ".git").mkdir(parents=True)
        (root / "f").write_text(CONTENT)
    files = files_of(root)
    try:
        patches = parse_patch("\n".join(lines), file_path)
        stage(files, plan(files, patches, lambda document: None))
    except Failure as failure:
        assert failure.exit_code in (2, 65, 66)  # noqa: PT017
        return
    hunks = [hunk for patch in patches for hunk in patch.hunks]
    kept = sum(len(hunk.lines) for hunk in hunks)
    begun = [number for number, line in enumerate(lines) if line.startswith(("@@", "*** Up", "*** Add"))]
    after = lines[begun[0] :] if begun else []
    changes = [line for line in after if line[:1] in ("+", "-") and not line.startswith(("--- ", "+++ ", "-- "))]
    assert kept >= len(changes)


LINES = st.lists(st.sampled_from(["a", "b", "", "  c", "-- d", "é", "@@ -1 +1 @@"]), max_size=12)
TEXT = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["\n", ""]))


@settings(deadline=None, max_examples=200)
@given(TEXT, TEXT)
def test_what_we_show_as_a_diff_we_take_as_a_patch(tmp_path_factory, before, after):
    root = tmp_path_factory.getbasetemp() / "own"
    (root / ".git").mkdir(parents=True, exist_ok=True)
    (root / "f").write_bytes(before.encode())
    shown = diff(before, after, "f", 10_000).text
    if not shown:
        return
    files = files_of(root)
    stage(files, plan(files, parse_patch(shown, None), lambda document: None))
    assert [staged.content for staged in files.staged] == [after.encode()]


def test_a_diff_that_was_cut_off_is_refused():
    text = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n... 12 more lines of this diff\n"
    with pytest.raises(Failure, match="patch line 6: it was cut off here"):
        parse_patch(text, None)


def test_many_patches_in_one_text_are_read_in_turn():
    one = "*** Begin Patch\n*** Add File: {}\n+x\n*** End Patch\n"
    patches = parse_patch("".join(one.format(number) for number in range(2000)), None)
    assert [patch.path for patch in patches] == [str(number) for number in range(2000)]


def test_a_large_file_of_equal_lines_is_no_hang(tmp_path: Path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "f").write_bytes(b"same\n" * 200_000)
    text = "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n same\n-same\n+other\n same\n-last\n"
    with pytest.raises(Failure, match="does not occur"):
        plan(files_of(tmp_path), parse_patch(text, None), lambda document: None)
