"""Verdicts are git's own: `git check-ignore --no-index` in throw-away repositories is the oracle."""

import os
import random
import subprocess
from pathlib import Path

import pytest

from codetools.search.find import path_order
from tests.search.engines import Place, make

NAMES = ["a", "b", "foo", "bar", "foo.c", "foo.o", "x y", "é", "#c", "!d", "[e", "a*b", "lib", "Foo"]
PATTERNS = [
    "foo",
    "/foo",
    "foo/",
    "*.o",
    "!foo.o",
    "**/bar",
    "bar/**",
    "a/**/b",
    "/a/b",
    "a/b",
    "a/*",
    "!a/b",
    "*",
    "!*/",
    "!foo.c",
    "[a-f]oo",
    "[!a]",
    "[^a]",
    "fo?",
    "\\#c",
    "\\!d",
    "\\[e",
    "# comment",
    "",
    "foo.c   ",
    "x\\ y",
    "x y",
    "é",
    "a\\*b",
    "lib/",
    "!lib/",
    "/*",
    "!/a",
    "foo*",
    "*o",
    "**",
    "a/",
    "/lib/foo",
    "FOO",
]


def git_visible(root: Path, files: list[str]) -> list[str]:
    environment = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "-q", "."], cwd=root, env=environment, check=True)
    answer = subprocess.run(
        ["git", "-c", "core.fsmonitor=false", "check-ignore", "--no-index", "-z", "--stdin"],
        cwd=root,
        env=environment,
        input="\0".join(files).encode(),
        stdout=subprocess.PIPE,
        check=False,
    )
    assert answer.returncode in (0, 1)
    ignored = set(answer.stdout.decode().split("\0"))
    return sorted((name for name in files if name not in ignored), key=path_order)


def plant(root: Path, seed: int) -> list[str]:
    """Make a random tree with ignore files at several levels; return its files."""
    chance = random.Random(seed)
    files: dict[str, str | bytes] = {}
    for _ in range(chance.randrange(5, 25)):
        parts = chance.choices(NAMES, k=chance.randrange(1, 4))
        if not any("/".join(parts[:count]) in files for count in range(1, len(parts))):
            files.setdefault("/".join(parts), "text\n")
    files = {name: text for name, text in files.items() if not any(other.startswith(name + "/") for other in files)}
    directories = {"", *(name.rsplit("/", 1)[0] + "/" for name in files if "/" in name)}
    for directory in sorted(directories):
        if directory == "" or chance.random() < 0.3:
            lines = chance.choices(PATTERNS, k=chance.randrange(1, 5))
            end = chance.choice(["\n", "\n", "\r\n"]) if "foo.c   " not in lines else "\n"
            files[directory + ".gitignore"] = end.join(lines) + chance.choice(["", end])
    make(root, files)
    return list(files)


@pytest.mark.parametrize("seed", range(60))
def test_random_trees_are_seen_as_git_sees_them(place: Place, seed: int):
    files = plant(place.directory, seed)
    assert place.names() == git_visible(place.directory, files)


def test_rules_hold_outside_a_repository_too(place: Place):
    make(
        place.directory, {".gitignore": "*.log\n", "a.log": "", "sub/.gitignore": "!b.log\n", "sub/b.log": "", "c": ""}
    )
    assert place.names() == [".gitignore", "c", "sub/.gitignore", "sub/b.log"]


def test_ignore_files_rank_above_gitignore_and_default_excludes_below(place: Place):
    make(
        place.directory,
        {
            ".gitignore": "one\n!build/\n",
            ".ignore": "!one\ntwo\n",
            "one": "",
            "two": "",
            "build/x": "",
            "dist/x": "",
            "three": "",
        },
    )
    assert place.names(rules=("build", "dist", "three")) == [".gitignore", ".ignore", "build/x", "one"]
    why = {entry.path: entry.why for entry in place.listing(rules=("build", "dist", "three")).passed}
    assert why == {"dist": "default", "three": "default", "two": "ignored"}


def test_the_repository_and_the_user_have_excludes_of_their_own(place: Place, home: Path):
    (home / ".config/git").mkdir(parents=True)
    (home / ".config/git/ignore").write_text("*.user\n")
    make(place.directory, {".git/info/exclude": "*.mine\n", "a.user": "", "b.mine": "", "c": "", "d/e.mine": ""})
    assert place.names() == ["c"]


def test_the_users_settings_name_another_excludes_file(place: Place, home: Path):
    (home / ".gitconfig").write_text("[core]\n\texcludesFile = ~/mine\n")
    (home / "mine").write_text("*.user\n")
    make(place.directory, {"a.user": "", "c": ""})
    assert place.names() == ["c"]


def test_rules_above_the_place_hold_up_to_the_repository(place: Place):
    make(
        place.directory,
        {".gitignore": "*.log\n", "repo/.git/HEAD": "", "repo/a.log": "", "plain/a.log": "", "plain/b": ""},
    )
    assert place.names(at="plain") == ["b"]
    assert place.names(at="repo") == ["a.log"]


def test_a_named_directory_is_searched_though_it_is_ignored(place: Place):
    make(place.directory, {".gitignore": "build/\n", "build/x": "", "build/build/y": ""})
    assert place.names(at="build") == ["x"]
    assert place.names(at="build", include_ignored=True) == ["build/y", "x"]


def test_what_is_ignored_is_found_when_asked_but_never_git_itself(place: Place):
    make(
        place.directory,
        {".gitignore": "*.log\n", "a.log": "", ".git/config": "", "sub/.git/config": "", "sub/.git2": ""},
    )
    assert place.names() == [".gitignore", "sub/.git2"]
    assert place.names(include_ignored=True) == [".gitignore", "a.log", "sub/.git2"]
    assert place.names(at=".git") == ["config"]


def test_hidden_files_are_seen(place: Place):
    make(place.directory, {".github/workflows/ci.yml": "", ".hidden": "", "shown": ""})
    assert place.names() == [".github/workflows/ci.yml", ".hidden", "shown"]


@pytest.mark.parametrize("content", [b"[z-a]\n*.log\n", b"\xef\xbb\xbf*.log\n", b"a\0b\n*.log"])
def test_a_broken_line_costs_no_other_line(place: Place, content: bytes):
    make(place.directory, {".gitignore": content, "a.log": "", "b": ""})
    assert place.names() == [".gitignore", "b"]


def test_globs_narrow_and_never_bring_back_what_is_ignored(place: Place):
    make(
        place.directory,
        {".gitignore": "*.log\n", "a.log": "", "b.py": "", "sub/c.py": "", "sub/d.txt": "", "sub/e.pyi": ""},
    )
    assert place.names(only=("*.log",)) == []
    assert place.names(only=("*.py",)) == ["b.py", "sub/c.py"]
    assert place.names(only=("sub/**",)) == ["sub/c.py", "sub/d.txt", "sub/e.pyi"]
    assert place.names(only=("/*.py",)) == ["b.py"]
    assert place.names(only=("*.{py,txt}",), without=("b*",)) == ["sub/c.py", "sub/d.txt"]
    assert place.names(without=("sub",)) == [".gitignore", "b.py"]
    assert place.names(type="py") == ["b.py", "sub/c.py", "sub/e.pyi"]
    assert place.names(type="py", only=("sub/*",)) == ["sub/c.py", "sub/e.pyi"]
    assert place.names(names=("*.PY",)) == ["b.py", "sub/c.py"]
    assert place.names(depth=1) == [".gitignore", "b.py"]
