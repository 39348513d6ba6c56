"""git's own answer is the oracle: `git check-ignore -v --no-index` in throw-away repositories.

What differs, and why: a `.gitignore` that is a link is read by neither, but said here; `core.excludesFile` and
`core.ignoreCase` of a repository's own settings are not read (I1); a `.git` that is a file is not followed to its
`info/exclude`; git refuses a path beyond a link, here it is judged where it really lies; a path that does not exist is
a directory where it ends in `/`.
"""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from codetools.search.said import NOT_READ
from tests.calls import call
from tests.needs import program
from tests.search.engines import Place, engines, make

NAMES = [
    "a",
    "b",
    "foo",
    "bar",
    "foo.c",
    "foo.o",
    "x y",
    "é",
    "#c",
    "!d",
    "[e",
    "a*b",
    "lib",
    "Foo",
    "b1",
    "]",
    "-",
    "x ",
]
PIECES = [
    *(
        "* ** ? / / a b foo lib [a-c] [!a] [^a] []a] [[:alpha:]] [[:digit:]b] [[:bogus:]] [a [[] [\\]] [a-] [b-] [!]a] "
        "\\a \\ \\* ! # é **/ /** a** *.o *** [é] \\/ o . [--a] /foo"
    ).split(),
    "\\ ",
    " ",
    "\t",
]
TREES = 60


def check(*paths: str, **options: object) -> dict:
    return call("gitignore_check", {"paths": list(paths)}, **options)


def git(root: Path, home: Path, paths: list[str]) -> dict[str, tuple[str, str, str]]:
    """Return what git says of each path: file, line and pattern."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "-q", "."], cwd=root, env=environment, check=True)
    answer = subprocess.run(
        ["git", "-c", "core.fsmonitor=false", "check-ignore", "--no-index", "-v", "-n", "-z", "--stdin"],
        cwd=root,
        env=environment,
        input="\0".join(paths).encode(),
        capture_output=True,
        check=False,
    )
    assert answer.returncode in (0, 1), answer.stderr
    fields = answer.stdout.decode().split("\0")[:-1]
    return {fields[at + 3]: (fields[at], fields[at + 1], fields[at + 2]) for at in range(0, len(fields), 4)}


def lines(chance: random.Random) -> bytes:
    rows = ["".join(chance.choices(PIECES, k=chance.randrange(1, 5))) for _ in range(chance.randrange(1, 6))]
    end = chance.choice(["\n", "\n", "\r\n"])
    return (chance.choice(["", "", "\ufeff"]) + end.join(rows) + chance.choice(["", end])).encode()


def plant(root: Path, home: Path, seed: int) -> list[str]:
    """Make a random tree with nasty patterns in ignore files of every kind; return its paths."""
    chance = random.Random(seed)
    files: dict[str, str | bytes] = {}
    for _ in range(chance.randrange(5, 20)):
        name = "/".join(chance.choices(NAMES, k=chance.randrange(1, 4)))
        if not any(name.startswith(other + "/") or other.startswith(name + "/") for other in files):
            files[name] = ""
    paths = list(files)
    directories = {"", *(name.rsplit("/", 1)[0] + "/" for name in paths if "/" in name)}
    for directory in sorted(directories):
        if directory == "" or chance.random() < 0.4:
            files[directory + ".gitignore"] = lines(chance)
    if chance.random() < 0.5:
        files[".git/info/exclude"] = lines(chance)
    if chance.random() < 0.5:
        make(home, {".config/git/ignore": lines(chance)})
    make(root, files)
    return [*paths, *(directory.rstrip("/") for directory in directories if directory), "gone", "foo/gone.o"]


@pytest.mark.parametrize("seed", range(TREES))
def test_random_trees_are_judged_as_git_judges_them(workspace: Path, home: Path, seed: int):
    program("git")
    paths = [path for path in plant(workspace, home, seed) if not _is_beyond(workspace, path)]
    expected = git(workspace, home, paths)
    answer = check(*paths)
    assert answer["ok"], answer["text"]
    for checked in answer["data"]["paths"]:
        by = checked["git_by"]
        said = ("", "", "") if by is None else (_relative(by["file"], home), str(by["line"]), by["pattern"])
        wanted = expected[checked["path"]]
        assert (_relative(wanted[0], home), *wanted[1:]) == said, checked
        assert checked["git"] is bool(wanted[2] and not wanted[2].startswith("!")), checked


def _is_beyond(root: Path, path: str) -> bool:
    return (root / path).parent.is_file()


def _relative(file: str, home: Path) -> str:
    return file.replace(str(home), "~")


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("engine", engines(), ids=lambda engine: engine.name)
def test_what_is_ignored_is_what_searches_leave_out(workspace: Path, engine: object, seed: int):
    from tests.search.test_ignore import plant as plant_tree

    files = plant_tree(workspace, seed)
    visible = set(Place(engine, workspace).names())  # type: ignore[arg-type]
    judged = {checked["path"]: checked["ignored"] for checked in check(*files)["data"]["paths"]}
    assert judged == {name: name not in visible for name in files}


def test_every_source_of_rules_is_named(workspace: Path, home: Path):
    make(home, {".config/git/ignore": "*.user\n"})
    make(
        workspace,
        {
            ".gitignore": "# logs\n*.log\n!keep.log\n/deep/\n",
            ".ignore": "*.mine\n",
            ".codetoolsignore": "\n*.ours\n",
            ".git/info/exclude": "*.repo\n",
            "deep/x/y": "",
            "sub/.gitignore": "only\n",
        },
    )
    answer = check(
        "a.log", "keep.log", "deep/x/y", "a.mine", "a.ours", "a.repo", "a.user", "build/x", "sub/only", "b", ".git/HEAD"
    )
    assert answer["text"].split("\n") == [
        "a.log: ignored by .gitignore:2: *.log",
        "keep.log: not ignored: .gitignore:3: !keep.log takes it back",
        "deep/x/y: ignored by .gitignore:4: /deep/; it lies in deep",
        "a.mine: ignored by .ignore:1: *.mine; git does not ignore it",
        "a.ours: ignored by .codetoolsignore:2: *.ours; git does not ignore it",
        "a.repo: ignored by .git/info/exclude:1: *.repo (the repository's own excludes)",
        f"a.user: ignored by {home}/.config/git/ignore:1: *.user (the user's own excludes)",
        "build/x: ignored by the default excludes (search.exclude): build; git does not ignore it; it lies in build",
        "sub/only: ignored by sub/.gitignore:1: only",
        "b: not ignored",
        ".git/HEAD: ignored by name: .git is searched only where it is named; git does not ignore it; it lies in .git",
    ]
    assert (answer["exit"], answer["data"]["total_ignored"]) == (0, 9)
    assert answer["data"]["paths"][0] == {
        "path": "a.log",
        "ignored": True,
        "by": {
            "source": "gitignore",
            "file": ".gitignore",
            "line": 2,
            "pattern": "*.log",
            "takes_back": False,
            "of": "a.log",
        },
        "git": True,
        "git_by": {
            "source": "gitignore",
            "file": ".gitignore",
            "line": 2,
            "pattern": "*.log",
            "takes_back": False,
            "of": "a.log",
        },
    }


def test_a_path_that_is_not_ignored_is_an_answer_of_no(workspace: Path):
    make(workspace, {"a": ""})
    answer = check("a")
    assert (answer["exit"], answer["ok"], answer["text"]) == (1, True, "a: not ignored")


def test_what_git_ignores_and_searches_see_is_said(workspace: Path):
    make(workspace, {".gitignore": "*.log\n", ".ignore": "!a.log\n", "a.log": ""})
    answer = check("a.log")
    assert answer["text"] == (
        "a.log: not ignored: .ignore:1: !a.log takes it back; git ignores it by .gitignore:1: *.log"
    )


def test_rules_above_the_workspace_hold_up_to_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make(tmp_path, {".gitignore": "*\n", "repo/.git/HEAD": "", "repo/.gitignore": "*.log\n", "repo/pkg/a.log": ""})
    (tmp_path / "repo/pkg/.codetools").mkdir()
    monkeypatch.chdir(tmp_path / "repo/pkg")
    assert check("a.log")["text"] == f"a.log: ignored by {tmp_path}/repo/.gitignore:1: *.log"
    assert check("a.log", "b")["data"]["total_ignored"] == 1


def test_without_a_repository_git_has_no_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make(tmp_path, {"ws/.gitignore": "*.log\n", "ws/.codetools/x": ""})
    monkeypatch.chdir(tmp_path / "ws")
    (checked,) = check("a.log")["data"]["paths"]
    assert (checked["ignored"], checked["git"], checked["git_by"]) == (True, None, None)


def test_a_directory_that_does_not_exist_is_one_by_its_slash(workspace: Path):
    make(workspace, {".gitignore": "out/\n"})
    assert check("out")["exit"] == 1
    assert check("out/")["exit"] == 0
    assert check("out/x")["exit"] == 0


def test_hostile_ignore_files_cost_a_notice_or_the_deadline_i6(workspace: Path):
    os.mkfifo(workspace / ".gitignore")
    (workspace / ".ignore").symlink_to("/etc/passwd")
    answer = check("a")
    assert (answer["exit"], answer["notices"][0]["kind"]) == (1, "rules")
    assert f"{NOT_READ} (.ignore, .gitignore)" in answer["text"]
    (workspace / ".gitignore").unlink()
    make(workspace, {".gitignore": "".join(f"*a{n}*\n" for n in range(100_000))})
    assert f"{NOT_READ} (.ignore, .gitignore)" in check("some/deep/a_path")["text"]
    lines = "".join(f"*a{n}*b*c*d*\n" for n in range(10_000))
    make(workspace, {f"{'d/' * level}.gitignore": lines for level in range(15)})
    make(workspace, {".codetools/config.yaml": "limits: {search_seconds: 0.1}\n"})
    assert check("d/" * 15 + "a_path")["error"]["kind"] == "timeout"


def test_odd_names_stand_in_one_row_each(workspace: Path):
    make(workspace, {".gitignore": "*\n"})
    answer = check("a\nb", "-x", "é")
    assert answer["text"].split("\n")[0] == '"a\\nb": ignored by .gitignore:1: *'
    ran = subprocess.run(
        [sys.executable, "-m", "codetools", "gitignore", "check", "a\tb", "c"], capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout) == (0, '.gitignore:1:*\t"a\\tb"\n.gitignore:1:*\tc\n')


def test_a_path_outside_is_asked_about(workspace: Path):
    assert check("/etc/passwd")["exit"] == 75


def test_no_program_is_run(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    make(workspace, {".gitignore": "a\n"})
    monkeypatch.setattr(os, "fork", None)
    monkeypatch.setattr(subprocess, "Popen", None)
    assert check("a")["exit"] == 0
