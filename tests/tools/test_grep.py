import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from codetools.search.matches import GrepResult
from codetools.tools.grep import grep as tool
from tests.calls import call
from tests.search.engines import Place, engines, make


def grep(pattern: str, **arguments: object) -> dict:
    return call("grep", {"pattern": pattern, **arguments})


def match(path: str, line: int, column: int, byte_offset: int, text: str, *spans: tuple[int, int]) -> dict:
    places = [{"start": start, "end": end} for start, end in spans]
    return {"path": path, "line": line, "column": column, "byte_offset": byte_offset, "text": text, "spans": places}


def test_matches_are_grouped_by_file_and_described(workspace: Path):
    make(workspace, {"src/a.py": "import os\nfoo = 1\nbar\nfoo(foo)\n", "b.txt": "a foo\n"})
    answer = grep("foo")
    assert answer["text"] == "b.txt\n  1: a foo\n\nsrc/a.py\n  2: foo = 1\n  4: foo(foo)"
    assert (answer["exit"], answer["ok"], answer["changed"]) == (0, True, False)
    assert answer["data"] == {
        "pattern": "foo",
        "matches": [
            match("b.txt", 1, 3, 2, "a foo", (2, 5)),
            match("src/a.py", 2, 1, 10, "foo = 1", (0, 3)),
            match("src/a.py", 4, 1, 22, "foo(foo)", (0, 3), (4, 7)),
        ],
        "total_matches": 3,
        "total_files": 2,
        "files_searched": 2,
        "skipped": {
            "withheld": 0,
            "binary": 0,
            "unreadable": 0,
            "large": 0,
            "ignored": 0,
            "links": 0,
            "special": 0,
        },
        "engine": "ripgrep",
        "timed_out": False,
        "is_numbered": True,
    }


def test_context_lines_stand_beside_matches_with_gaps_shown(workspace: Path):
    make(workspace, {"f": "".join(f"{number}\n" for number in range(1, 10))})
    answer = grep("^(2|7)$", context=1)
    assert answer["text"] == "f\n  1- 1\n  2: 2\n  3- 3\n  --\n  6- 6\n  7: 7\n  8- 8"
    assert [line["line"] for line in answer["data"]["context"]] == [1, 3, 6, 8]
    assert grep("^5$", before=2, after=1)["text"] == "f\n  3- 3\n  4- 4\n  5: 5\n  6- 6"


def test_files_and_counts_are_other_forms(workspace: Path):
    make(workspace, {"b": "foo\nfoo\n", "a/x": "foo\n", "c": "bar\n"})
    files = grep("foo", output_mode="files_with_matches")
    assert (files["text"], files["data"]["files"]) == ("a/x\nb", [{"path": "a/x"}, {"path": "b"}])
    counts = grep("foo", output_mode="count")
    assert (counts["text"], counts["data"]["counts"]) == (
        "a/x:1\nb:2",
        [{"path": "a/x", "count": 1}, {"path": "b", "count": 2}],
    )
    assert counts["data"]["total_matches"] == 3


def test_more_matches_are_proved_and_reached_by_the_next_call_i6(workspace: Path):
    make(workspace, {f"f{number}": "foo\nfoo\nfoo\n" for number in range(4)})
    shown: list[tuple[str, int]] = []
    arguments: dict = {"pattern": "foo", "head_limit": 5}
    for _ in range(3):
        answer = call("grep", arguments)
        shown += [(match["path"], match["line"]) for match in answer["data"]["matches"]]
        cut = answer["data"].get("truncated")
        if cut is None:
            break
        assert (cut["unit"], cut["total"], cut["limit"]) == ("matches", 12, 5)
        assert "of 12 matches shown" in answer["text"]
        arguments = cut["next"]["arguments"]
    assert shown == [(f"f{number}", line) for number in range(4) for line in (1, 2, 3)]


def test_a_limit_that_is_just_met_cuts_nothing(workspace: Path):
    make(workspace, {"a": "foo\nfoo\n", "b": "foo\n"})
    assert "truncated" not in grep("foo", head_limit=3)["data"]
    assert grep("foo", head_limit=2)["data"]["truncated"]["total"] == 3
    assert grep("foo", output_mode="files_with_matches", head_limit=1)["data"]["truncated"]["total"] == 2
    assert len(grep("foo", head_limit=0)["data"]["matches"]) == 3


def test_the_default_limit_is_the_settings_and_none_is_still_a_cap(workspace: Path):
    make(
        workspace,
        {"a": "foo\n" * 300, ".codetools/config.yaml": "limits: {grep_matches_most: 260, grep_line_chars: 40}\n"},
    )
    assert len(grep("foo")["data"]["matches"]) == 250
    assert len(grep("foo", head_limit=0)["data"]["matches"]) == 260


def test_nothing_found_is_an_answer_that_names_what_was_passed_over(workspace: Path):
    make(workspace, {".gitignore": "*.log\n", "a.log": "foo\n", "dist/x": "foo\n", "b": "bar\n"})
    answer = grep("foo")
    assert (answer["exit"], answer["ok"], answer["data"]["matches"]) == (1, True, [])
    assert answer["text"] == (
        "No matches for foo in 2 files.\n[Passed over: 2 ignored entries (a.log, dist); include_ignored searches them]"
    )
    assert answer["data"]["skipped"]["ignored"] == 2
    found = grep("foo", include_ignored=True)
    assert [match["path"] for match in found["data"]["matches"]] == ["a.log", "dist/x"]


def test_default_excludes_hold_only_below_what_was_named(workspace: Path):
    make(workspace, {"build/src/a": "foo\n", "build/build/b": "foo\n", "node_modules/c": "foo\n"})
    assert grep("foo")["exit"] == 1
    assert [match["path"] for match in grep("foo", path="build")["data"]["matches"]] == ["build/src/a"]


def test_a_project_that_lies_under_a_directory_called_build_is_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    root = tmp_path / "build" / "dist" / "project"
    make(root, {".git/HEAD": "", "a": "foo\n"})
    monkeypatch.chdir(root)
    assert grep("foo")["text"] == "a\n  1: foo"


def test_git_itself_is_searched_only_by_name(workspace: Path):
    make(workspace, {".git/config": "foo\n", "a": "bar\n"})
    assert grep("foo", include_ignored=True)["exit"] == 1
    assert grep("foo", path=".git")["data"]["matches"][0]["path"] == ".git/config"


def test_files_that_hold_secrets_are_not_shown_and_said_whether_they_match_or_not(workspace: Path):
    make(workspace, {".env": "KEY=foo\n", "sub/server.pem": "nothing\n", ".env.example": "KEY=foo\n", "a": "foo\n"})
    answer = grep("foo")
    assert [match["path"] for match in answer["data"]["matches"]] == [".env.example", "a"]
    assert (answer["data"]["total_matches"], answer["data"]["files_searched"]) == (2, 2)
    assert answer["data"]["skipped"]["withheld"] == 2
    assert "[Not searched: 2 files that may hold secrets (.env, sub/server.pem); read asks for them]" in answer["text"]
    without_match = grep("bar")
    assert without_match["data"]["skipped"]["withheld"] == 2
    assert grep("foo", output_mode="files_with_matches")["text"].startswith(".env.example\na\n[Not searched: 2 files")


def test_a_secret_file_that_is_named_is_asked_about(workspace: Path):
    make(workspace, {".env": "KEY=foo\n"})
    answer = grep("foo", path=".env")
    assert (answer["exit"], answer["error"]["kind"]) == (75, "approval_required")
    allowed = call("grep", {"pattern": "foo"}, allow=("read(.env)",))
    assert [match["path"] for match in allowed["data"]["matches"]] == [".env"]
    assert call("grep", {"pattern": "foo"}, yolo=True)["data"]["total_matches"] == 1


def test_what_a_rule_denies_is_neither_shown_nor_counted_i2(workspace: Path):
    make(workspace, {"private/a": "foo\n", "open/b": "foo\n"})
    for mode in ("content", "files_with_matches", "count"):
        answer = call("grep", {"pattern": "foo", "output_mode": mode}, deny=("read(private/**)",))
        assert "private/a" not in json.dumps(answer["data"])
        assert answer["data"]["total_files"] == 1
        assert "[Not searched: what is denied by read(private/**)]" in answer["text"]
    assert call("grep", {"pattern": "foo", "path": "private/a"}, deny=("read(private/**)",))["exit"] == 77


def test_outside_is_asked_about_and_a_link_that_leads_out_refused_i3(workspace: Path, tmp_path: Path):
    make(tmp_path, {"out/f": "foo\n"})
    (workspace / "link").symlink_to(tmp_path / "out")
    assert grep("foo", path=str(tmp_path / "out"))["exit"] == 75
    assert grep("foo", path="link")["error"]["kind"] == "outside_workspace"
    answer = call("grep", {"pattern": "foo", "path": "../out"}, yolo=True)
    assert answer["data"]["matches"][0]["path"] == str(tmp_path / "out/f")


def test_every_printed_path_passes_back(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    make(workspace, {"top": "foo\n", "src/deep/a b": "foo\n", "src/-x": "foo\n"})
    (workspace / "src" / os.fsdecode(b"n\xff")).write_text("foo\n")
    monkeypatch.chdir(workspace / "src")
    answer = grep("foo", path="..")
    assert [match["path"] for match in answer["data"]["matches"]] == ["./-x", "deep/a b", "n�", "../top"]
    for match in answer["data"]["matches"]:
        name = {"path_b64": match["path_b64"]} if "path_b64" in match else {"path": match["path"]}
        assert grep("foo", **name)["data"]["matches"] == [match]


def test_binary_files_with_a_match_are_said(workspace: Path):
    make(workspace, {"b.bin": b"\0foo", "a": "x\n"})
    answer = grep("foo")
    assert answer["exit"] == 0
    assert answer["data"]["binary_files"] == [{"path": "b.bin"}]
    assert "1 binary file matches, lines not shown (b.bin)" in answer["text"]


def test_long_lines_are_cut_around_the_match_i6(workspace: Path):
    make(workspace, {"a.js": "x" * 5000 + "needle" + "y" * 5000 + "\n"})
    (match,) = grep("needle")["data"]["matches"]
    assert (len(match["text"]), match["column"], match["byte_offset"]) == (500, 5001, 5000)
    (span,) = match["spans"]
    assert match["text"][span["start"] : span["end"]] == "needle"


def test_globs_and_types_narrow(workspace: Path):
    make(workspace, {"a.py": "foo\n", "b.js": "foo\n", "src/c.py": "foo\n", "src/old/d.py": "foo\n"})

    def files(**arguments: object) -> list[str]:
        return [match["path"] for match in grep("foo", **arguments)["data"]["matches"]]

    assert files(glob="*.py") == ["a.py", "src/c.py", "src/old/d.py"]
    assert files(glob=["src/**", "!old"]) == ["src/c.py"]
    assert files(type="js") == ["b.js"]
    assert files(type="py", glob="src/*") == ["src/c.py"]
    assert grep("foo", glob=["src/**"])["data"]["files_searched"] == 2
    unknown = grep("foo", type="nope")
    assert (unknown["exit"], unknown["error"]["kind"]) == (2, "usage")
    assert "nope" in unknown["error"]["message"]


@pytest.mark.parametrize("pattern", ["(foo", "[z-a]", "(?=a)", "a\\nb"])
def test_a_pattern_that_cannot_be_searched_says_why(workspace: Path, pattern: str):
    answer = grep(pattern)
    assert (answer["exit"], answer["error"]["kind"]) == (2, "usage")
    assert len(answer["error"]["message"].splitlines()) == 1
    assert answer["error"]["hint"]


def test_arguments_are_read_as_models_write_them(workspace: Path):
    make(workspace, {"a.py": "x\nFoo\ny\n", "b.js": "foo\n"})
    answer = call(
        "grep", {"regex": "foo", "-i": True, "-n": True, "-A": 1, "-B": "1", "include": "*.py", "max_results": 5}
    )
    assert answer["text"].startswith("a.py\n  1- x\n  2: Foo\n  3- y")
    assert grep("foo", **{"-C": 1, "ignoreCase": True, "glob": '["*.py"]'})["data"]["total_matches"] == 1


def test_an_empty_pattern_and_a_missing_path_are_told_apart(workspace: Path):
    assert grep("")["error"]["kind"] == "usage"
    missing = grep("foo", path="nowhere")
    assert (missing["exit"], missing["error"]["kind"]) == (66, "not_found")


def test_a_named_odd_file_is_refused_at_once_i6(workspace: Path):
    os.mkfifo(workspace / "fifo")
    assert grep("foo", path="fifo")["error"]["kind"] == "not_a_file"


def test_plain_rows_are_ripgreps(workspace: Path):
    make(workspace, {"a b.py": "x\nfoo\ny\n", "c": "foo\n"})
    assert result("foo").plain() == "a b.py:2:foo\nc:1:foo"
    assert result("foo", context=1).plain() == "a b.py-1-x\na b.py:2:foo\na b.py-3-y\n--\nc:1:foo"
    assert result("foo", line_numbers=False).plain() == "a b.py:foo\nc:foo"
    assert result("foo", output_mode="count").plain() == "a b.py:1\nc:1"
    assert result("nothing").plain() == ""


def test_display_marks_paths_numbers_and_matches(workspace: Path):
    make(workspace, {"a": "a foo, foo\n"})
    lines = [[(span.role, span.text) for span in line] for line in result("foo").display()]
    assert lines == [
        [("path", "a")],
        [
            ("line_number", "1"),
            ("dim", ": "),
            ("plain", "a "),
            ("match", "foo"),
            ("plain", ", "),
            ("match", "foo"),
            ("plain", ""),
        ],
    ]
    assert result("foo").status() == "1 match in 1 file"


def result(pattern: str, **arguments: object) -> GrepResult:
    """Return the result itself, for its forms."""
    from codetools.core.path import Path as Written
    from codetools.engine.call import call as engine_call
    from codetools.engine.engine import start
    from codetools.engine.options import Options

    outcome = engine_call(start(Options(root=Written("."))), "grep", {"pattern": pattern, **arguments})
    assert isinstance(outcome.data, GrepResult)
    return outcome.data


def test_unreadable_files_are_a_notice_beside_matches_and_an_error_without(workspace: Path):
    make(workspace, {"a": "foo\n", "closed": "foo\n"})
    (workspace / "closed").chmod(0)
    found = without_privileges("foo", workspace)
    assert (found["ok"], found["data"]["skipped"]["unreadable"]) == (True, 1)
    assert "1 file could not be read (closed)" in found["text"]
    nothing = without_privileges("bar", workspace)
    assert (nothing["ok"], nothing["error"]["kind"]) == (False, "io")
    assert "closed: Permission denied" in nothing["error"]["message"]


def without_privileges(pattern: str, directory: Path) -> dict:
    """Run `call grep` as a process that file modes hold for, root or not."""
    drop = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"] if os.geteuid() == 0 else []
    command = [*drop, sys.executable, "-P", "-m", "codetools", "call", "grep", json.dumps({"pattern": pattern})]
    ran = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    return json.loads(ran.stdout)


def test_the_tool_declares_that_it_only_reads():
    assert tool.effects.read_only
    assert not tool.effects.stages


def typed(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "codetools", "grep", *words], capture_output=True)


def test_options_of_grep_mean_what_they_mean_there(workspace: Path):
    make(workspace, {"a": "foo\nbar\n", "sub/b": "foo\n", "-x": "foo\n"})
    assert typed("-rn", "-E", "fo+", "sub").stdout == b"sub/b:1:foo\n"
    assert typed("-R", "-e", "-foo|bar", "a").stdout == b"a:2:bar\n"
    assert typed("-v", "foo", "a").stdout == b"a:2:bar\n"
    assert typed("-l0", "foo").stdout == b"./-x\0a\0sub/b\0"
    assert typed("-c0", "foo", "a").stdout == b"a\x001\n"
    found, missed = typed("-q", "foo"), typed("-q", "nothing")
    assert (found.returncode, found.stdout, found.stderr) == (0, b"", b"")
    assert (missed.returncode, missed.stdout, missed.stderr) == (1, b"", b"")


def test_several_places_are_searched_in_the_order_given(workspace: Path):
    make(workspace, {"a/x": "foo\n", "b": "foo\nfoo\n", "c": "foo\n"})
    assert typed("foo", "b", "a", "b", ".").stdout == b"b:1:foo\nb:2:foo\na/x:1:foo\nc:1:foo\n"
    data = grep("foo", path="b", paths=["a", "b"])["data"]
    assert (data["total_matches"], data["total_files"]) == (3, 2)
    cut = grep("foo", path="b", paths=["a", "c"], head_limit=3)
    assert [match["path"] for match in cut["data"]["matches"]] == ["b", "b", "a/x"]
    following = cut["data"]["truncated"]["next"]["arguments"]
    assert [match["path"] for match in call("grep", following)["data"]["matches"]] == ["c"]
    assert grep("foo", path="a", paths=["missing"])["exit"] == 66
    assert grep("foo", path="a", paths=["../.."])["exit"] == 75


@pytest.mark.parametrize("pattern", ["foo", "f(oo)?", "nothing"])
def test_lines_without_a_match_are_found_by_both_engines(pattern: str, tmp_path: Path):
    make(tmp_path, {"a": "foo\nbar\r\nxfoo", "b": "foo\n", "c": ""})
    rows = [Place(engine, tmp_path).rows(pattern, is_inverted=True) for engine in engines()]
    counts = [Place(engine, tmp_path).counts(pattern, is_inverted=True) for engine in engines()]
    assert rows[0] == rows[1]
    assert counts[0] == counts[1] == {path: len(found) for path, found in rows[0].items()}
    assert grep("x", invert_match=True, multiline=True)["error"]["kind"] == "usage"


def test_a_pattern_may_come_from_a_file(workspace: Path):
    make(workspace, {"pattern": "^foo$\n", "a": "foo\nfoot\n"})
    assert typed("--pattern-file", "pattern", "a").stdout == b"a:1:foo\n"


def test_a_file_that_is_not_utf8_is_named(workspace: Path):
    make(workspace, {"latin": b"foo caf\xe9\n", "utf8": "foo café\n", "far": b"foo\ncaf\xe9\n"})
    answer = grep("foo")
    assert [notice["kind"] for notice in answer["notices"]] == ["encoding"]
    assert "(latin)" in answer["notices"][0]["message"]


def test_what_default_excludes_alone_hide_is_named(workspace: Path):
    make(workspace, {"a": "foo\n", "build/b": "foo\n", "dist/c": "foo\n", "node_modules/d": "foo\n", "sub/build/e": ""})
    make(workspace, {".gitignore": "/dist/\n!build/\n"})
    (notice,) = grep("foo")["notices"]
    assert notice["message"] == "Not searched by default: node_modules; include_ignored searches them"
    assert grep("foo", path="a")["notices"] == grep("foo", include_ignored=True)["notices"] == []


def test_the_cap_that_no_argument_lifts_is_named(workspace: Path):
    (workspace.parent / "config.yaml").write_text("limits: {grep_matches_most: 2}\n")
    make(workspace, {"a": "foo\n" * 5})
    answer = call("grep", {"pattern": "foo", "head_limit": 0}, config="../config.yaml")
    assert "limits.grep_matches_most" in answer["notices"][0]["message"]


def test_i6_a_search_that_ran_out_of_time_with_nothing_found_says_no_such_thing(workspace: Path, home: Path):
    (workspace / "huge").write_bytes(b"")
    os.truncate(workspace / "huge", 1 << 40)
    settings = home / "short.yaml"
    settings.write_text("limits: {search_seconds: 0.3, grep_file_bytes: 2000000000000}\n")
    outcome = call("grep", {"pattern": "nowhere"}, config=settings)
    assert (outcome["exit"], outcome["error"]["kind"]) == (124, "timeout")
    assert outcome["data"]["timed_out"] is True
    assert "No matches" not in outcome["text"]


def test_newest_first_is_an_option_in_every_form(workspace: Path):
    make(workspace, {"a": "foo\n", "b": "foo\n", "sub/c": "foo\n"})
    for name, moment in (("a", 2000), ("b", 1000), ("sub/c", 3000)):
        os.utime(workspace / name, (moment, moment))
    assert [match["path"] for match in grep("foo", sort="modified")["data"]["matches"]] == ["sub/c", "a", "b"]
    for mode, key in (("files_with_matches", "files"), ("count", "counts")):
        rows = grep("foo", sort="modified", output_mode=mode)["data"][key]
        assert [row["path"] for row in rows] == ["sub/c", "a", "b"]
    assert [match["path"] for match in grep("foo")["data"]["matches"]] == ["a", "b", "sub/c"]


def test_matches_are_marked_in_the_text_when_asked(workspace: Path):
    make(workspace, {"a": "a foo and a foo\nbar\n"})
    answer = grep("fo+", mark=True, context=1)
    assert answer["text"] == "a\n  1: a >>foo<< and a >>foo<<\n  2- bar"
    assert answer["data"]["matches"][0]["text"] == "a foo and a foo"


def test_what_was_passed_over_is_counted_where_something_was_found_too(workspace: Path):
    make(workspace, {".gitignore": "*.log\n", "a.log": "foo\n", "dist/x": "foo\n", "b": "foo\n"})
    (workspace / "link").symlink_to("b")
    os.mkfifo(workspace / "pipe")
    skipped = grep("foo")["data"]["skipped"]
    assert (skipped["ignored"], skipped["links"], skipped["special"]) == (2, 1, 1)
    assert "ignored" not in grep("foo", glob="b")["data"]["skipped"]


def test_a_file_that_is_too_large_costs_no_other_file_and_is_named_i6(workspace: Path):
    make(workspace, {"a": "foo\n", "sub/z": "foo\n"})
    (workspace / "sub/huge").write_bytes(b"foo\n")
    os.truncate(workspace / "sub/huge", 1 << 40)
    for arguments in ({}, {"glob": "**"}, {"output_mode": "files_with_matches"}):
        answer = grep("foo", **arguments)
        assert (answer["data"]["total_files"], answer["data"]["timed_out"]) == (2, False)
        assert answer["data"]["skipped"]["large"] == 1
        said = "Not searched: 1 file larger than 512M (limits.grep_file_bytes) (sub/huge); name one to search it"
        assert {"kind": "large", "message": said} in answer["notices"]


def test_secrets_in_a_directory_of_secrets_are_counted_and_those_allowed_are_searched(workspace: Path):
    make(workspace, {"home/.ssh/id_a": "foo\n", "home/.ssh/config": "foo\n", "x/config.json": "foo\n", "z": "foo\n"})
    make(workspace, {".gitignore": "!keep.pem\n", "keep.pem": "foo\n"})
    answer = grep("foo")
    assert [match["path"] for match in answer["data"]["matches"]] == ["x/config.json", "z"]
    assert answer["data"]["skipped"]["withheld"] == 3
    assert answer["data"]["files_searched"] == 3
    assert grep("foo", glob="*")["data"]["skipped"]["withheld"] == 3
    allowed = call("grep", {"pattern": "foo"}, allow=("read(home/.ssh/**)",))
    assert [match["path"] for match in allowed["data"]["matches"]][:2] == ["home/.ssh/config", "home/.ssh/id_a"]


def test_a_second_pattern_is_refused_never_dropped(workspace: Path):
    (workspace / "a.py").write_text("one\ntwo\n")
    done = typed("-e", "one", "-e", "two")
    assert (done.returncode, b"'a|b'" in done.stderr) == (2, True)
    assert typed("-e", "one|two", "-c").stdout == b"a.py:2\n"


@pytest.mark.parametrize("option", ["--hidden", "--exclude", "--exclude-dir", "--max-count", "-P", "-uu", "-o"])
def test_an_option_of_other_greps_says_what_to_do_instead(workspace: Path, option: str):
    done = typed(option, "x")
    assert (done.returncode, f"there is no {option}: ".encode() in done.stderr) == (2, True)


def test_other_harnesses_names_for_it_are_understood(workspace: Path):
    (workspace / "a.py").write_text("a.b\n")
    arguments = {"pattern": "a.b", "dir_path": ".", "include_pattern": "*.py", "literal_text": True}
    assert call("search_file_content", arguments)["data"]["total_matches"] == 1
