import hashlib
import os
from pathlib import Path

import pytest

from tests.calls import call


def patch(text: str, **arguments: object) -> dict:
    return call("patch", {"patch": text, **arguments}, yolo=True)


def failed(answer: dict, kind: str, exit_code: int = 65) -> dict:
    assert (answer["ok"], answer["error"]["kind"], answer["exit"], answer["changed"]) == (False, kind, exit_code, False)
    return answer["error"]


def unified(name: str, body: str, numbers: str = "@@") -> str:
    return f"--- a/{name}\n+++ b/{name}\n{numbers}\n{body}"


def begin(*lines: str) -> str:
    return "\n".join(["*** Begin Patch", *lines, "*** End Patch", ""])


def test_many_files_change_in_one_call_and_one_undo_takes_them_back_i4(workspace: Path):
    (workspace / "a.py").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    (workspace / "b.py").write_bytes(b"x\ny")
    (workspace / "gone").write_text("last\n")
    text = (
        "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
        "--- a/b.py\n+++ b/b.py\n@@ -1,2 +1,2 @@\n x\n"
        "-y\n\\ No newline at end of file\n+z\n\\ No newline at end of file\n"
        "--- /dev/null\n+++ b/new/c.py\n@@ -0,0 +1,2 @@\n+first\n+second\n"
        "--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-last\n"
    )
    answer = patch(text)
    assert (answer["ok"], answer["changed"], answer["undo"]) == (True, True, "1"), answer["text"]
    assert (workspace / "a.py").read_bytes() == b"one\r\n2\r\nthree\r\n"
    assert (workspace / "b.py").read_bytes() == b"x\nz"
    assert (workspace / "new/c.py").read_bytes() == b"first\nsecond\n"
    assert not (workspace / "gone").exists()
    kinds = {one["path"]: (one["kind"], one["hunks"]) for one in answer["data"]["files"]}
    assert kinds == {
        "a.py": ("modify", [{"line": 1, "tier": "line_endings"}]),
        "b.py": ("modify", [{"line": 1, "tier": "exact"}]),
        "new/c.py": ("create", []),
        "gone": ("delete", [{"line": 1, "tier": "exact"}]),
    }
    assert "a.py: changed, line 1 (with the file's line endings)" in answer["text"]
    assert call("undo", {}, yolo=True)["changed"]
    assert (workspace / "a.py").read_bytes() == b"one\r\ntwo\r\nthree\r\n"
    assert (workspace / "gone").read_text() == "last\n"
    assert not (workspace / "new").exists()


def test_the_other_format_adds_deletes_updates_and_moves(workspace: Path):
    (workspace / "a.py").write_text(
        "class A:\n    def f(self):\n        return 1\n\nclass B:\n    def f(self):\n        return 1\n"
    )
    (workspace / "old").write_text("x\ny\n")
    (workspace / "old").chmod(0o750)
    (workspace / "gone").write_bytes(b"\0binary")
    text = begin(
        "*** Add File: new/n.txt",
        "+hello",
        "+",
        "*** Delete File: gone",
        "*** Update File: a.py",
        "@@ class B:",
        "@@     def f(self):",
        "-        return 1",
        "+        return 2",
        "*** Update File: old",
        "*** Move to: fresh",
        "@@",
        " x",
        "-y",
        "+z",
        "*** End of File",
    )
    answer = patch(text)
    assert answer["changed"], answer["text"]
    assert (workspace / "new/n.txt").read_text() == "hello\n\n"
    assert (workspace / "a.py").read_text().endswith("class B:\n    def f(self):\n        return 2\n")
    assert (workspace / "a.py").read_text().startswith("class A:\n    def f(self):\n        return 1\n")
    assert (workspace / "fresh").read_text() == "x\nz\n"
    assert (workspace / "fresh").stat().st_mode & 0o777 == 0o750
    assert not (workspace / "old").exists()
    assert not (workspace / "gone").exists()
    moved = next(one for one in answer["data"]["files"] if one["path"] == "fresh")
    assert (moved["kind"], moved["source"]) == ("move", "old")


@pytest.mark.parametrize(
    "wrapped",
    [
        "apply_patch <<'EOF'\n{}EOF\n",
        "```diff\n{}```\n",
        "cat <<PATCH | git apply\n{}PATCH",
        '```\napply_patch << "EOF"\n{}EOF\n```',
        "bash -lc 'apply_patch <<EOF\n{}EOF'\n",
        "\n\n{}\n\n",
    ],
)
@pytest.mark.parametrize("text", [begin("*** Update File: a", "-x", "+y"), unified("a", "-x\n+y\n")])
def test_what_models_wrap_a_patch_in_is_taken_off(workspace: Path, wrapped: str, text: str):
    (workspace / "a").write_text("x\n")
    answer = patch(wrapped.format(text))
    assert answer["changed"], answer["text"]
    assert (workspace / "a").read_text() == "y\n"


CONTENT = "".join(f"line {number}\n" for number in range(1, 21))


@pytest.mark.parametrize(
    "text",
    [
        unified("a", " line 4\n-line 5\n+five\n line 6\n", "@@ -4,9 +4,1 @@"),  # wrong counts
        unified("a", " line 4\n-line 5\n+five\n line 6\n", "@@ -14,3 +14,3 @@"),  # wrong numbers
        unified("a", " line 4\n-line 5\n+five\n line 6\n", "@@ ... @@"),
        unified("a", " line 4\n-line 5\n+five\n line 6\n", "@@ -4,2 +4,2 @@ def f():") + "\n\n",
        "--- a\n+++ a\n@@ -5 +5 @@\n-line 5\n+five\n",  # no prefixes
        "--- a.orig\t2024-01-01\n+++ a\t2024-01-02\n@@ -5 +5 @@\n-line 5\n+five\n",
        "--- a/a 2024-01-01 10:00:00\n+++ b/a 2024-01-02 10:00:00.5 +0100\n@@ -5 +5 @@\n-line 5\n+five\n",
        "diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -5 +5 @@\n-line 5\n+five\n-- \n2.39.5\n",
        "From abc\nSubject: x\n\n- about\n---\n a | 2 +-\n\n" + unified("a", "-line 5\n+five\n", "@@ -5 +5 @@"),
        unified("a", "-line 5\n+five\n", "@@ -5 +5 @@").replace("\n", "\r\n"),
        begin("*** Update File: a", " line 4", "-line 5", "+five"),
        begin("*** Update File: a", "@@ -5,1 +5,1 @@", "-line 5", "+five", ""),
        begin("*** Update File: a", "@@ line 4", "-line 5", "+five").replace("\n", "\r\n"),
    ],
)
def test_a_patch_is_understood_as_models_and_tools_write_it(workspace: Path, text: str):
    (workspace / "a").write_text(CONTENT)
    answer = patch(text)
    assert answer["changed"], answer["text"]
    assert (workspace / "a").read_text() == CONTENT.replace("line 5\n", "five\n")


@pytest.mark.parametrize("text", ["@@ -1 +1 @@\n-x\n+y\n", "@@\n-x\n+y\n", "-x\n+y\n", unified("a", "-x\n+y\n")])
def test_a_bare_hunk_changes_the_file_that_is_given(workspace: Path, text: str):
    (workspace / "a").write_text("x\n")
    assert patch(text, file_path="a")["changed"]
    assert (workspace / "a").read_text() == "y\n"


def test_a_bare_hunk_without_a_file_is_a_usage_error(workspace: Path):
    failed(patch("@@ -1 +1 @@\n-x\n+y\n"), "usage", 2)
    failed(patch("nothing at all"), "usage", 2)
    failed(patch(" \n"), "usage", 2)
    failed(patch(unified("b", "-x\n+y\n"), file_path="a"), "usage", 2)


def test_blank_context_may_have_lost_its_blank(workspace: Path):
    (workspace / "a").write_text("x\n\ny\n\nz\n")
    assert patch(unified("a", " x\n\n-y\n+Y\n\n z\n", "@@ -1,5 +1,5 @@"))["changed"]
    assert (workspace / "a").read_text() == "x\n\nY\n\nz\n"


def test_context_keeps_the_bytes_of_the_file(workspace: Path):
    (workspace / "a").write_bytes(b"\xef\xbb\xbfif x:  \r\n\tone\n\ttwo\t\r\nthree")
    assert patch(unified("a", " if x:\n \tone\n-\ttwo\n+\t2\n+\tmore\n three\n"))["data"]["files"][0]["hunks"] == [
        {"line": 1, "tier": "trailing_blanks"}
    ]
    assert (workspace / "a").read_bytes() == b"\xef\xbb\xbfif x:  \r\n\tone\n\t2\r\n\tmore\r\nthree"


def test_an_indentation_shift_is_shifted_back(workspace: Path):
    (workspace / "a").write_text("class A:\n    def f(self):\n        return 1\n")
    answer = patch(unified("a", " def f(self):\n-    return 1\n+    if x:\n+        return 2\n"))
    assert answer["data"]["files"][0]["hunks"] == [{"line": 2, "tier": "indentation"}]
    assert (workspace / "a").read_text() == "class A:\n    def f(self):\n        if x:\n            return 2\n"


@pytest.mark.parametrize(
    ("before", "body", "after"),
    [
        (b"a\nb", "-b\n+c\n", b"a\nc"),  # as the file ends
        (b"a\nb", " b\n+c\n", b"a\nb\nc"),
        (b"a\nb\n", "-b\n+c\n\\ No newline at end of file\n", b"a\nc"),
        (b"a\nb", "-b\n\\ No newline at end of file\n+b\n", b"a\nb\n"),
        (b"a\r\nb", " b\n+c\n", b"a\r\nb\r\nc"),
        (b"", "+c\n", b"c\n"),
    ],
)
def test_the_end_of_a_file_stays_unless_the_patch_changes_it(workspace: Path, before: bytes, body: str, after: bytes):
    (workspace / "a").write_bytes(before)
    answer = patch(unified("a", body))
    assert answer["changed"], answer["text"]
    assert (workspace / "a").read_bytes() == after


def test_a_hunk_that_fits_several_places_is_refused_with_all_of_them(workspace: Path):
    (workspace / "a").write_text("x\n\nx\n" * 3)
    error = failed(patch(unified("a", "-x\n+y\n")), "not_unique")
    assert error["details"]["lines"] == [1, 3, 4, 6, 7, 9]
    assert "lines 1, 3, 4, 6, 7, 9" in error["message"]
    failed(patch(unified("a", "-x\n+y\n", "@@ -5 +5 @@")), "not_unique")  # between two


def test_a_line_number_chooses_between_equal_places_and_never_makes_one(workspace: Path):
    (workspace / "a").write_text("x\n" + "-\n" * 50 + "x\n")
    failed(patch(unified("a", "-y\n+z\n", "@@ -52 +52 @@")), "patch_failed")
    assert patch(unified("a", "-x\n+y\n", "@@ -50 +50 @@"))["data"]["files"][0]["hunks"][0]["line"] == 52
    (workspace / "a").write_text("-\n" * 9 + "x\n" + "-\n" * 50 + "x\n")
    failed(patch(unified("a", "-x\n+y\n", "@@ -1,1 +1,1 @@")), "not_unique")  # 1 is what a model writes for unknown


def test_what_an_earlier_hunk_has_drifted_helps_a_later_one(workspace: Path):
    (workspace / "a").write_text("new\n" * 5 + "start\n" + "-\n" * 8 + "x\n" + "-\n" * 4 + "x\n")
    text = unified("a", " start\n+more\n", "@@ -1,1 +1,2 @@") + "@@ -10,1 +11,1 @@\n-x\n+y\n"
    assert [hunk["line"] for hunk in patch(text)["data"]["files"][0]["hunks"]] == [6, 15]


def test_nothing_changes_where_one_hunk_of_one_file_fails(workspace: Path):
    (workspace / "a").write_text("x\n")
    (workspace / "b").write_text("def f():\n    return “1”\n")
    text = (
        unified("a", "-x\n+y\n")
        + unified("b", ' def f():\n-    return "1"\n+    return 2\n')
        + unified("c", "-a\n+b\n")
    )
    answer = patch(text)
    error = failed(answer, "patch_failed")
    assert (workspace / "a").read_text() == "x\n"
    problems = error["details"]["problems"]
    assert [(one["kind"], one.get("path"), one.get("hunk")) for one in problems] == [
        ("patch_failed", "b", 1),
        ("not_found", None, None),
    ]
    assert problems[0]["diverges"] == {"line": 2, "file": "    return “1”", "given": '    return "1"'}
    assert "The patch was not applied: 2 problems in 3 hunks" in answer["text"]
    assert 'given: ····return·"1"' in answer["text"]
    assert "typographic quotes" in answer["text"]


def test_a_hunk_that_is_applied_already_is_told(workspace: Path):
    (workspace / "a").write_text("y\n")
    assert "applied already, at line 1" in failed(patch(unified("a", "-x\n+y\n")), "patch_failed")["message"]


@pytest.mark.parametrize(
    ("text", "kind", "exit_code"),
    [
        (unified("../out", "-x\n+y\n"), "outside_workspace", 77),
        ("--- /etc/hostname\n+++ /etc/hostname\n@@\n-x\n+y\n", "outside_workspace", 77),
        ("--- /dev/null\n+++ b/../../nothing\n@@ -0,0 +1 @@\n+y\n", "outside_workspace", 77),
        (begin("*** Update File: a", "*** Move to: ../b", "-x", "+y"), "outside_workspace", 77),
        (begin("*** Add File: link-out/b", "+y"), "outside_workspace", 77),
        ("diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+a\n", "patch_failed", 65),
        ("diff --git a/a b/a\nold mode 100644\nnew mode 100755\n", "patch_failed", 65),
        ("diff --git a/a b/a\nindex 1..2 120000\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n", "patch_failed", 65),
        ("diff --git a/a b/a\nindex 1..2\nGIT binary patch\nliteral 1\nIcmZ\n", "binary", 65),
        ("diff --git a/a b/a\nBinary files a/a and b/a differ\n", "binary", 65),
        ("@@@ -1,1 -1,1 +1,1 @@@\n- x\n++y\n", "patch_failed", 65),
        ("--- a/a\n@@ -1 +1 @@\n-x\n+y\n", "patch_failed", 65),
        ("--- a/old\n+++ b/new\n@@ -1 +1 @@\n-x\n+y\n", "not_found", 66),
        ("--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+y\n", "exists", 65),
        ("--- a/a\n+++ /dev/null\n@@ -1 +1 @@\n-x\n+y\n", "patch_failed", 65),
        ("--- a/two\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", "patch_failed", 65),
        (unified("a", " x\n+y\nz\n", "@@ -1,3 +1,4 @@"), "patch_failed", 65),
        (unified("a", "-x\n+x\n"), "no_change", 65),
        (unified("a", "+y\n"), "patch_failed", 65),
        (unified("directory", "-x\n+y\n"), "is_a_directory", 66),
        (begin("*** Delete File: link"), "not_a_file", 66),
        (begin("*** Update File: a", "-x", "y"), "patch_failed", 65),
        (begin("*** Update File: a"), "patch_failed", 65),
        (begin("*** Rename File: a"), "patch_failed", 65),
        (begin("*** Update File: a", "@@ nowhere", "-x", "+y"), "patch_failed", 65),
        (begin("*** Update File: two", "-x", "+1", "*** End of File"), "patch_failed", 65),
        (begin("*** Update File: a", "-x", "+y", "*** Delete File: a"), "patch_failed", 65),
        ("*** Begin Patch\n*** Update File: a\n-x\n+y\n", "patch_failed", 65),  # cut off
        (begin("*** Update File: a", "-x", "+y") + "+lost\n", "patch_failed", 65),
        (unified("two", " x\n-y\n+1\n") + "@@\n-x\n+2\n", "patch_failed", 65),  # out of order
        (unified("two", "-x\n-y\n+1\n") + "@@\n y\n+2\n", "patch_failed", 65),  # one removes what the other stands on
    ],
)
def test_what_is_not_sound_is_refused_whole(workspace: Path, text: str, kind: str, exit_code: int):
    (workspace / "a").write_text("x\n")
    (workspace / "two").write_text("x\ny\n")
    (workspace / "old").write_text("x\n")
    (workspace / "directory").mkdir()
    (workspace / "link").symlink_to("a")
    (workspace / "link-out").symlink_to("/")
    before = {path.name: path.lstat().st_ino for path in workspace.iterdir()}
    good = "--- /dev/null\n+++ b/good\n@@ -0,0 +1 @@\n+y\n"
    answer = patch(text if "***" in text else text + good)
    failed(answer, kind, exit_code)
    assert {path.name: path.lstat().st_ino for path in workspace.iterdir()} == before
    assert (workspace / "a").read_text() == "x\n"


def test_renames_and_copies_of_git_are_made(workspace: Path):
    (workspace / "a").write_text("x\ny\n")
    (workspace / "c").write_text("c\n")
    text = (
        "diff --git a/a b/sub/b\nsimilarity index 50%\nrename from a\nrename to sub/b\n--- a/a\n+++ b/sub/b\n"
        "@@ -1,2 +1,2 @@\n-x\n+X\n y\ndiff --git a/c b/d\nsimilarity index 100%\ncopy from c\ncopy to d\n"
    )
    answer = patch(text)
    assert answer["changed"], answer["text"]
    assert (workspace / "sub/b").read_text() == "X\ny\n"
    assert (workspace / "d").read_text() == (workspace / "c").read_text() == "c\n"
    assert not (workspace / "a").exists()


def test_a_file_removed_and_added_is_replaced(workspace: Path):
    (workspace / "a").write_text("x\n")
    assert patch(begin("*** Delete File: a", "*** Add File: a", "+y"))["changed"]
    assert (workspace / "a").read_text() == "y\n"


def test_two_sections_of_one_file_are_both_found_in_the_original(workspace: Path):
    (workspace / "a").write_text("one\ntwo\n")
    answer = patch(begin("*** Update File: a", "-two", "+2", "*** Update File: a", "-one", "+two"))
    assert answer["changed"], answer["text"]
    assert (workspace / "a").read_text() == "two\n2\n"


def test_a_link_inside_is_patched_through_and_stays_one(workspace: Path):
    (workspace / "a").write_text("x\n")
    (workspace / "link").symlink_to("a")
    assert patch(unified("link", "-x\n+y\n"))["changed"]
    assert (workspace / "link").is_symlink()
    assert (workspace / "a").read_text() == "y\n"


@pytest.mark.parametrize(("codec", "mark"), [("utf-16-le", b"\xff\xfe"), ("cp1252", b"")])
def test_a_file_keeps_its_encoding(workspace: Path, codec: str, mark: bytes):
    (workspace / "a").write_bytes(mark + "Grüße\r\nName\r\n".encode(codec))
    answer = patch(unified("a", " Grüße\n-Name\n+Straße\n"))
    assert answer["changed"], answer["text"]
    assert (workspace / "a").read_bytes() == mark + "Grüße\r\nStraße\r\n".encode(codec)


def test_a_file_that_changed_since_the_session_read_it_is_stale(workspace: Path):
    (workspace / "a").write_text("x\n")
    call("read", {"file_path": "a"}, session="s")
    (workspace / "a").write_text("x\nmore\n")
    answer = call("patch", {"patch": unified("a", "-x\n+y\n")}, session="s", yolo=True)
    failed(answer, "stale")


def test_a_dry_run_shows_the_diffs_and_leave_is_asked_once(workspace: Path):
    (workspace / "a").write_text("x\n")
    (workspace / "b").write_text("x\n")
    text = unified("a", "-x\n+y\n") + unified("b", "-x\n+y\n")
    shown = call("patch", {"patch": text}, dry_run=True)
    assert [change["diff"] for change in shown["changes"]] == [
        f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-x\n+y\n" for name in ("a", "b")
    ]
    answer = call("apply_patch", {"input": text})
    assert (answer["exit"], answer["error"]["kind"]) == (75, "approval_required")
    assert (workspace / "a").read_text() == "x\n"


def test_a_protected_file_is_not_patched(workspace: Path):
    (workspace / ".git/config").write_text("x\n")
    failed(patch(unified(".git/config", "-x\n+y\n")), "protected", 77)
    failed(patch(begin("*** Add File: b", "+x", "*** Add File: .envrc", "+x")), "protected", 77)
    assert not (workspace / "b").exists()


def test_a_name_of_odd_bytes_is_found(workspace: Path):
    name = os.fsdecode(b"\xff\xfe f")
    (workspace / name).write_text("x\n")
    text = '--- "a/\\377\\376 f"\n+++ "b/\\377\\376 f"\n@@ -1 +1 @@\n-x\n+y\n'
    answer = patch(text)
    assert answer["changed"], answer["text"]
    assert answer["changes"][0]["sha256"] == hashlib.sha256(b"y\n").hexdigest()
