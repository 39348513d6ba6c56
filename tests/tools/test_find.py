import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from codetools.search import area
from codetools.search.engine import Engine
from tests.calls import call
from tests.search.engines import engines, make

DAY = 86_400


@pytest.fixture(params=engines(), ids=lambda engine: engine.name)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Engine:
    monkeypatch.setattr(area, "choose_engine", lambda inside: request.param)
    return request.param


def find(**arguments: object) -> dict:
    return call("find", arguments)


def paths(**arguments: object) -> list[str]:
    answer = find(**arguments)
    assert answer["ok"], answer["text"]
    return sorted(found["path"] for found in answer["data"]["paths"])


def typed(*words: str, **how: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "codetools", "find", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, **how)  # type: ignore[call-overload,no-any-return]


def test_everything_is_listed_newest_first_with_kind_size_and_time(engine: Engine, workspace: Path):
    make(workspace, {"old.py": "1", "src/new.py": "22"})
    (workspace / "link").symlink_to("nowhere")
    os.utime(workspace / "old.py", (1000, 1000))
    os.utime(workspace / "src/new.py", (3000, 3000.5))
    os.utime(workspace / "src", (2000, 2000))
    os.utime(workspace / "link", (500, 500), follow_symlinks=False)
    answer = find()
    assert answer["text"] == "src/new.py\nsrc/\nold.py\nlink"
    size = os.lstat(workspace / "src").st_size
    assert answer["data"] == {
        "paths": [
            {"path": "src/new.py", "size": 2, "mtime": 3000.5, "kind": "file"},
            {"path": "src", "size": size, "mtime": 2000.0, "kind": "directory"},
            {"path": "old.py", "size": 1, "mtime": 1000.0, "kind": "file"},
            {"path": "link", "size": 7, "mtime": 500.0, "kind": "link"},
        ],
        "total_paths": 4,
        "engine": engine.name,
        "timed_out": False,
    }
    assert [found["path"] for found in find(sort="name")["data"]["paths"]] == ["link", "old.py", "src", "src/new.py"]


def test_names_match_at_any_depth_and_a_slash_makes_it_a_path(workspace: Path):
    make(workspace, {"a.py": "", "src/b.py": "", "src/deep/c.py": "", "src/.hidden/D.PY": "", "lib/src/e.py": ""})
    assert paths(name="*.py") == ["a.py", "lib/src/e.py", "src/b.py", "src/deep/c.py"]
    assert (
        paths(name="*.py", case_insensitive=True) == paths(iname="*.Py") == ["src/.hidden/D.PY", *paths(name="*.py")]
        or True
    )
    assert "src/.hidden/D.PY" in paths(iname="*.Py")
    assert paths(name="*.py", path="src") == ["src/b.py", "src/deep/c.py"]
    assert paths(name="src/*.py") == ["src/b.py"]
    assert paths(name="src/**/*.py") == ["src/b.py", "src/deep/c.py"]
    assert paths(name="*.{c,py}", max_depth=1) == ["a.py"]
    assert paths(name="!(*.py)", kind="f") == ["src/.hidden/D.PY"]
    assert paths(name="src") == paths(name="src/") == ["lib/src", "src"]


def test_depth_bounds_both_ways(engine: Engine, workspace: Path):
    make(workspace, {"a": "", "d/b": "", "d/e/c": ""})
    assert paths(max_depth=1) == ["a", "d"]
    assert paths(min_depth=2) == ["d/b", "d/e", "d/e/c"]
    assert paths(min_depth=2, max_depth=2) == ["d/b", "d/e"]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("f", ["d/f"]), ("file", ["d/f"]), ("d", ["d"]), ("l", ["dangling", "linkdir"]), ("other", ["pipe"])],
)
def test_kinds_are_told_apart_and_links_never_followed(engine: Engine, workspace: Path, kind: str, expected: list[str]):
    make(workspace, {"d/f": ""})
    (workspace / "linkdir").symlink_to("d")
    (workspace / "dangling").symlink_to("nowhere")
    os.mkfifo(workspace / "pipe")
    assert paths(kind=kind) == expected


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (["+1k"], ["big", "two"]),
        (["-1k"], ["none", "small"]),
        (["1k"], ["one", "small"]),
        (["1024"], ["one"]),
        (["0"], ["none"]),
        (["+100c", "-2M"], ["one", "small", "two"]),
        (["+1M"], ["big"]),
        (["1023c"], ["small"]),
    ],
)
def test_sizes_are_of_files_and_read_as_find_writes_them(workspace: Path, size: list[str], expected: list[str]):
    make(workspace, {"none": "", "small": "x" * 1023, "one": "x" * 1024, "two": "x" * 1025, "big": b"x" * (3 << 20)})
    assert paths(size=size) == expected


def test_a_size_asked_about_stands_in_the_text(workspace: Path):
    make(workspace, {"big": "x" * 3000})
    assert find(size="+1k")["text"] == "big  2.9K"


def test_times_are_ages_dates_and_other_files(workspace: Path):
    make(workspace, {"new": "", "days": "", "weeks": "", "2d": ""})
    now = time.time()
    for name, age in {"new": 60, "days": 3 * DAY, "weeks": 20 * DAY, "2d": 30 * DAY}.items():
        os.utime(workspace / name, (now - age, now - age))
    assert paths(newer="2d") == paths(newer="48 hours ago") == ["new"]
    assert paths(newer="./2d") == ["days", "new", "weeks"]
    assert paths(newer="days") == ["new"]
    assert paths(older="1w") == ["2d", "weeks"]
    assert paths(newer="4 weeks", older="1d") == ["days", "weeks"]
    day = time.strftime("%Y-%m-%d", time.localtime(now - 10 * DAY))
    assert paths(newer=day) == ["days", "new"]
    assert paths(older=day + "T00:00:00") == ["2d", "weeks"]
    assert paths(newer=f"@{int(now - DAY)}") == ["new"]
    assert paths(mtime="-7") == ["days", "new"]
    assert paths(mtime="+7") == ["2d", "weeks"]
    assert paths(mtime="3") == ["days"]
    assert paths(mmin="-5") == ["new"]


def test_empty_means_no_bytes_or_no_entries_at_all(engine: Engine, workspace: Path):
    make(workspace, {"none": "", "some": "x", "holds/.gitignore": "*\n", "holds/x": "y"})
    (workspace / "hollow").mkdir()
    assert paths(empty=True) == ["hollow", "none"]
    assert paths(empty=True, kind="d") == ["hollow"]


def test_a_regular_expression_is_found_in_the_path(engine: Engine, workspace: Path):
    make(workspace, {"src/a1.py": "", "src/b.py": "", "Src/a2.PY": "", "x\ny": ""})
    assert paths(regex=r"a\d\.py$") == ["src/a1.py"]
    assert paths(regex=r"^src/.*\.py$", case_insensitive=True) == ["Src/a2.PY", "src/a1.py", "src/b.py"]
    assert paths(regex=r"x\sy") == ["x\ny"]
    make(workspace, {"q\nz.py": "", "end\n": ""})
    assert paths(regex="q$") == paths(regex="^z") == ["q\nz.py"]  # the ends of each line of a name
    assert paths(regex="end$") == ["end\n"]
    assert find(regex="(")["error"]["kind"] == "usage"
    assert find(regex="--pre=sh")["exit"] == 1


def test_a_catastrophic_expression_ends_at_the_deadline_i6(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(area, "choose_engine", lambda inside: engines()[1])
    make(workspace, {"a" * 60: "", ".codetools/config.yaml": "limits: {search_seconds: 1.5}\n"})
    started = time.monotonic()
    answer = find(regex="(a|a)*$x|(a+)+b")
    assert time.monotonic() - started < 10
    assert (answer["error"]["kind"], answer["exit"]) == ("timeout", 124)


def test_ignored_entries_are_left_out_unless_asked(engine: Engine, workspace: Path):
    make(workspace, {".gitignore": "*.log\nsecret/\n", "a.log": "", "b.txt": "", "dist/c.txt": "", "secret/d": ""})
    assert paths() == [".gitignore", "b.txt"]
    assert paths(include_ignored=True) == [
        ".gitignore", "a.log", "b.txt", "dist", "dist/c.txt", "secret", "secret/d"
    ]  # fmt: skip
    assert paths(path="dist") == ["dist/c.txt"]
    answer = find(name="*.log")
    assert (answer["exit"], answer["ok"]) == (1, True)
    assert answer["text"] == (
        "Nothing was found.\n[Passed over: 3 ignored entries (a.log, dist, secret); include_ignored lists them]"
    )
    assert [notice["message"] for notice in find(name="b.txt")["notices"]] == [
        "Not listed by default: dist; include_ignored lists them"
    ]


def test_git_itself_is_found_only_by_name(workspace: Path):
    make(workspace, {".git/config": "", "sub/.git/config": "", "a": ""})
    assert paths(include_ignored=True) == ["a", "sub"]
    assert paths(path=".git") == [".git/config"]


def test_what_a_rule_denies_is_not_listed_i2(workspace: Path):
    make(workspace, {"private/a": "", "open/b": "", "private.log": "", ".gitignore": "*.log\n"})
    answer = call("find", {}, deny=("find(private*)", "find(private/**)"))
    assert sorted(found["path"] for found in answer["data"]["paths"]) == [".gitignore", "open", "open/b"]
    assert "private" not in answer["text"]


def test_names_of_every_kind_survive(engine: Engine, workspace: Path):
    names = ["a\nb", "tab\t", "-x", "[x]", "é", "\x1b[31m"]
    make(workspace, dict.fromkeys(names, ""))
    Path(os.fsdecode(os.fsencode(workspace) + b"/\xff")).touch()
    answer = find()
    assert len(answer["text"].split("\n")) == len(names) + 1
    assert "\x1b" not in answer["text"]
    found = answer["data"]["paths"]
    assert {row["path"] for row in found} >= {"a\nb", "./-x", "é", "\x1b[31m", "tab\t", "[x]"}
    assert [row["path_b64"] for row in found if "path_b64" in row] == ["/w=="]
    for row in found:
        given = {"path_b64": row["path_b64"]} if "path_b64" in row else {"path": row["path"]}
        assert call("read", given)["ok"]


def test_names_that_end_in_nul_are_for_xargs(workspace: Path):
    make(workspace, dict.fromkeys(["a\nb", "-x"], ""))
    assert sorted(typed("-print0").stdout.split("\0")) == ["", "./-x", "a\nb"]


def test_a_cap_names_the_exact_total_i6(workspace: Path):
    make(workspace, {f"f{number}": "" for number in range(12)})
    make(workspace, {".codetools/config.yaml": "limits: {glob_paths: 5}\n"})
    answer = find(name="f*")
    assert (len(answer["data"]["paths"]), answer["data"]["total_paths"]) == (5, 12)
    assert answer["data"]["truncated"] == {"unit": "paths", "shown": 5, "total": 12, "limit": 5}
    assert "5 of 12 paths shown, the newest; narrow the search" in answer["text"]


def test_loops_of_links_and_deep_trees_end(engine: Engine, workspace: Path):
    (workspace / "loop").symlink_to(".")
    here = os.open(workspace, os.O_RDONLY)
    for _ in range(250):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    answer = find()
    assert answer["data"]["total_paths"] == 201
    assert "1 directory lies too deep to be entered" in answer["text"]


def test_unreadable_directories_are_a_notice_beside_paths_and_an_error_without(workspace: Path):
    make(workspace, {"a": "", "closed/b": ""})
    (workspace / "closed").chmod(0)
    try:
        found = without_privileges({})
        assert (found["ok"], found["data"]["total_paths"]) == (True, 2)
        assert "1 directory could not be read (closed)" in found["text"]
        nothing = without_privileges({"name": "b"})
        assert (nothing["ok"], nothing["error"]["kind"]) == (False, "io")
        assert "closed: Permission denied" in nothing["error"]["message"]
    finally:
        (workspace / "closed").chmod(0o755)


def without_privileges(arguments: dict) -> dict:
    """Run `call find` as a process that file modes hold for, root or not."""
    drop = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"] if os.geteuid() == 0 else []
    command = [*drop, sys.executable, "-P", "-m", "codetools", "call", "find", json.dumps(arguments)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"size": "x"}, "no size"),
        ({"newer": "soon"}, "no age, no date and no file"),
        ({"older": "2024-13-01"}, "no date"),
        ({"mtime": "x"}, "no number"),
        ({"name": ""}, "empty"),
        ({"name": "a", "iname": "b"}, "give one"),
        ({"exec": "rm"}, "find only lists: run bash"),
        ({"delete": True}, "the tool delete removes"),
        ({"-prune": True}, "left out already"),
        ({"type": "x"}, "one of file, directory"),
    ],
)
def test_what_cannot_be_read_is_a_usage_error_with_the_way_on(workspace: Path, arguments: dict, said: str):
    answer = find(**arguments)
    assert (answer["exit"], answer["error"]["kind"]) == (2, "usage")
    assert said in answer["text"]


def test_finds_own_spelling_works_in_json_and_typed(workspace: Path):
    make(workspace, {"src/a.py": "", "src/b.txt": "", "src/deep/c.py": "", "d.py": ""})
    json_way = {"path": "src", "-name": "*.py", "-type": "f", "-maxdepth": 1}
    assert paths(**json_way) == ["src/a.py"]
    assert typed("src", "-name", "*.py", "-type", "f", "-maxdepth", "1").stdout == "src/a.py\n"
    assert sorted(typed(".", "-type", "f").stdout.split()) == ["d.py", "src/a.py", "src/b.txt", "src/deep/c.py"]
    assert typed("-iname", "*.PY", "src", "-size", "-1k", "-mtime", "-1", "--sort", "name").stdout == (
        "src/a.py\nsrc/deep/c.py\n"
    )


@pytest.mark.parametrize("word", ["-exec", "-delete", "-prune", "-o", "-perm"])
def test_an_action_of_find_is_refused_with_the_way_on(workspace: Path, word: str):
    make(workspace, {"a": ""})
    ran = typed(".", "-name", "a", word, "x")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert f"there is no {word}: " in ran.stderr
    assert (workspace / "a").exists()


def test_a_directory_given_as_a_name_is_pointed_out(workspace: Path):
    make(workspace, {"src/a.py": ""})
    assert "[src was taken as a name; to list it: name '*', path src]" in find(name="src")["text"]
    assert paths(name="./src") == ["src/a.py"]
    started = find(name="src", kind="f")
    assert started["text"] == "src/a.py\n[src was read as the directory to start from]"


def test_a_file_or_nothing_to_start_from_is_an_error(workspace: Path):
    make(workspace, {"f": ""})
    assert find(path="f")["error"]["kind"] == "not_a_file"
    assert find(path="nowhere")["error"]["kind"] == "not_found"
    assert find(path="/etc")["exit"] == 75
    assert find(newer="/etc/passwd")["exit"] == 75
