"""git readers: judged by the repository's settings, the same output as git's own, and nothing of its choosing runs."""

import os
import subprocess
from pathlib import Path

import pytest

from codetools.shell.analysis.verdict import Judgement, judge
from codetools.shell.environment import reading_environment
from codetools.shell.sandbox import reading_jail
from codetools.system.command import Command
from codetools.system.plumbing import STDOUT
from codetools.system.process import run_process
from tests.shell.places import make_repository, make_workspace, place_at, run_git

READERS = [
    "git status", "git status --porcelain", "git status -sb", "git log", "git log --oneline -n 1", "git log -1 --stat",
    "git log --graph --all --decorate=short", "git log v1..v2", "git log --format='%h %s' -- f.txt",
    "git log HEAD~1", "git diff --stat", "git diff f.txt", "git diff HEAD~1 -- f.txt", "git diff v1..v2 -- src",
    "git diff --cached", "git diff --name-only HEAD~1", "git show --stat", "git show -s --format=%H v1",
    "git show --no-textconv v1 -- f.txt", "git blame --no-textconv f.txt", "git blame --no-textconv HEAD~1 -- f.txt",
    "git branch", "git branch -a", "git branch --list 'm*'", "git branch --contains v1", "git branch --show-current",
    "git rev-parse HEAD", "git rev-parse --show-toplevel", "git rev-parse --abbrev-ref HEAD", "git ls-files",
    "git ls-files -o --exclude-standard", "git tag", "git tag -l 'v*'", "git describe --tags", "git stash list",
    "git reflog", "git reflog show -n 1", "git remote -v", "git shortlog -sn HEAD", "git rev-list --count HEAD",
    "git ls-tree -r --name-only HEAD", "git cat-file -t HEAD", "git for-each-ref", "git show-ref --tags",
    "git merge-base v1 HEAD", "git grep -n line -- f.txt", "git --no-pager log -1",
    "git log --oneline | wc -l", "git --version", "/usr/bin/git status -s",
]  # fmt: skip
ASKED = [
    "git branch --sort=signature", "git tag --sort=-signature:grade", "git for-each-ref --sort signature",
    "git show", "git log -p", "git blame f.txt", "git stash list -p", "git stash", "git stash pop", "git status -v",
    "git diff .env", "git blame --no-textconv .env", "git show HEAD:.env --no-textconv", "git show HEAD:f.txt",
    "git diff v1:.env v2:.env", "git cat-file -p HEAD:.env", "git cat-file blob HEAD:.env", "git cat-file HEAD",
    "git branch new", "git branch -v new", "git branch --list --no-list -D x", "git tag new", "git tag -i new",
    "git diff --no-index f.txt x", "git diff --output=out", "git diff --ext-diff", "git diff --textconv",
    "git diff ../id_rsa f.txt", "git log --show-signature", "git log '--format=%G?'", "git log '--format=%+GS'",
    "git for-each-ref '--format=%(signature)'", "git log -S secret", "git -C src status", "git -c a.b=c status",
    "git --git-dir=x status", "git --exec-path=. status", "cd src && git status", "git log --outp=x",
    "git reflog expire", "git reflog delete v1", "git remote add x y", "git remote show origin", "git config --list",
    "git fetch", "git",
    "git grep --open-files-in-pager line", "git grep -O line", "git grep -f x", "git diff ':(top)x'",
    "git ls-files -m", "git rev-parse --parseopt", "git diff 'v1^{/x y}'", "git describe --dirty", "git worktree list",
]  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repository(make_workspace(tmp_path)).resolve()


def run_jailed(judged: Judgement, root: Path) -> tuple[int | None, bytes, bytes]:
    output = {STDOUT: b"", 2: b""}

    def sink(stream: int, chunk: bytes) -> None:
        output[stream] += chunk

    jail = reading_jail((str(root),), (os.path.realpath("/bin/bash"), *judged.programs))
    variables = reading_environment({"LC_ALL": "C.UTF-8"}).variables
    command = Command(("/bin/bash", "-c", "--", judged.script), variables, str(root), jail=jail)
    ending = run_process(command, sink, timeout_seconds=30)
    return ending.exit_code, output[STDOUT], output[2]


def snapshot(root: Path) -> list[tuple]:
    paths = sorted(root.rglob("*"))
    return [(str(path), path.lstat().st_mode, path.lstat().st_mtime_ns, path.lstat().st_size) for path in paths]


@pytest.mark.parametrize("command", READERS)
def test_git_readers_give_under_the_jail_what_git_gives(command: str, root: Path):
    judged = judge(command, place_at(root))
    assert judged.verdict == "read_only", judged.reason
    before = snapshot(root)
    found = run_jailed(judged, root)
    assert snapshot(root) == before
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "dumb", "GIT_CONFIG_GLOBAL": "/dev/null"}
    free = subprocess.run(["/bin/bash", "-c", command], cwd=root, capture_output=True, env=environment)
    assert found == (free.returncode, free.stdout, free.stderr)


@pytest.mark.parametrize("command", ASKED)
def test_i7_what_is_not_known_to_only_read_is_asked(command: str, root: Path):
    assert judge(command, place_at(root)).verdict == "ask"


@pytest.mark.parametrize(
    "command", ["git diff", "git diff v1", "git show --no-textconv", "git grep -n e", "git grep -e e v1"]
)
def test_content_of_files_that_hold_secrets_is_left_out(command: str, root: Path):
    (root / "deep/.ssh").mkdir(parents=True)
    (root / "deep/.ssh/config").write_text("here\n")
    run_git(root, "add", "-N", "deep")
    judged = judge(command, place_at(root))
    assert judged.verdict == "read_only", judged.reason
    code, out, err = run_jailed(judged, root)
    assert (code, err) == (0, b"")
    assert b"f.txt" in out or b"app.py" in out
    assert b".env" not in out
    assert b".ssh" not in out


def test_an_objects_number_shows_no_file(root: Path):
    blob = subprocess.run(["git", "rev-parse", "HEAD:.env"], cwd=root, capture_output=True, text=True).stdout.strip()
    for command in (
        f"git show --no-textconv {blob}",
        f"git show --stat {blob}",
        f"git grep -e e {blob}",
        f"git diff {blob} v1",
    ):
        judged = judge(command, place_at(root))
        assert judged.verdict == "ask" or b".env" not in run_jailed(judged, root)[1]
        assert judged.verdict == "ask" or b"line" not in run_jailed(judged, root)[1]


HOSTILE = {
    "fsmonitor": "[core]\n\tfsmonitor = ./evil\n",
    "hooks": "[core]\n\thooksPath = .\n",
    "external diff": "[diff]\n\texternal = ./evil\n",
    "diff driver": '[diff "d"]\n\tcommand = ./evil\n',
    "textconv": '[diff "d"]\n\ttextconv = ./evil\n',
    "clean filter": '[filter "d"]\n\tclean = ./evil\n\trequired = true\n',
    "pager": "[core]\n\tpager = ./evil\n[pager]\n\tstatus = ./evil\n\tlog = ./evil\n",
    "alias": "[alias]\n\tstatus = !./evil\n\tst = !./evil\n",
    "include": "[include]\n\tpath = ../more\n",
    "conditional include": '[includeIf "gitdir:**"]\n\tpath = ../more\n',
    "gpg": "[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ./evil\n",
    "ssh": "[core]\n\tsshCommand = ./evil\n",
    "promisor": '[remote "o"]\n\turl = ext::./evil\n\tpromisor = true\n[extensions]\n\tpartialClone = o\n',
    "continued line": "[core]\n\tquotepath = a \\\n[core]\n",
    "one line": '[core] fsmonitor = "./evil"\n',
    "old form": "[diff.d]\n\ttextconv = ./evil\n",
    "odd case": "[CORE]\n\tFSMonitor = ./evil\n",
    "comment trick": "[user]\n\tname = x ; \\\n\temail = y\n",
    "quoted section": '[filter "a\\"b"]\n\tclean = ./evil\n',
    "byte order mark": "\ufeff[core]\n\tfsmonitor = ./evil\n",
    "worktree": "[core]\n\tworktree = /\n",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_repository_is_asked_about_and_runs_nothing_even_where_the_verdict_errs(case: str, root: Path):
    """The settings appear after the judgement, as a race would have it; the words that run hold against them."""
    commands = [command for command in READERS if "rev-parse" not in command and "tag" not in command]
    judged = {command: judge(command, place_at(root)) for command in commands if "--version" not in command}
    (root / "evil").write_text("#!/bin/sh\ntouch ran ../ran; echo EVIL\n")
    (root / "evil").chmod(0o755)
    for hook in ("post-index-change", "pre-commit", "reference-transaction"):
        (root / hook).symlink_to("evil")
        (root / ".git/hooks" / hook).write_bytes((root / "evil").read_bytes())
        (root / ".git/hooks" / hook).chmod(0o755)
    (root / "more").write_text("[core]\n\tfsmonitor = ./evil\n")
    (root / ".gitattributes").write_text("* diff=d filter=d\n")
    with (root / ".git/config").open("a", encoding="utf-8") as config:
        config.write(HOSTILE[case])
    if case == "byte order mark":
        (root / ".git/config").write_text(HOSTILE[case], encoding="utf-8")
    os.utime(root / "f.txt", (1, 1))
    for command, was in judged.items():
        assert judge(command, place_at(root)).verdict == "ask", command
        _, out, err = run_jailed(was, root)
        assert b"EVIL" not in out + err
    assert not (root / "ran").exists()
    assert not (root.parent / "ran").exists()


def test_a_bare_layout_in_the_tree_is_no_repository(root: Path):
    bare = root / "sub/bare"
    run_git(root, "init", "-q", "--bare", str(bare))
    with (bare / "config").open("a") as config:
        config.write("[core]\n\tfsmonitor = ./evil\n\tworktree = .\n")
    (bare / "evil").write_text("#!/bin/sh\necho EVIL; touch ran\n")
    (bare / "evil").chmod(0o755)
    judged = judge("git status", place_at(root, "sub/bare"))
    assert judged.verdict == "read_only"
    jail = reading_jail((str(root),), (os.path.realpath("/bin/bash"), *judged.programs))
    output: list[bytes] = []
    command = Command(("/bin/bash", "-c", judged.script), reading_environment({}).variables, str(bare), jail=jail)
    ending = run_process(command, lambda stream, chunk: output.append(chunk), timeout_seconds=30)
    assert ending.exit_code == 128
    assert b"bare" in b"".join(output)
    assert not (bare / "ran").exists()


def test_an_approved_filter_in_the_users_own_settings_is_asked_about(root: Path):
    (root / ".gitattributes").write_text("*.bin filter=lfs\n")
    assert judge("git status", place_at(root)).verdict == "ask"
    assert judge("git log", place_at(root)).verdict == "read_only"


def test_a_repository_inside_the_workspace_is_the_one_that_counts(root: Path):
    inner = root / "src/deep"
    run_git(inner, "init", "-q")
    assert judge("git status", place_at(root, "src/deep")).verdict == "read_only"
    run_git(inner, "config", "core.fsmonitor", "./evil")
    assert judge("git status", place_at(root, "src/deep")).verdict == "ask"
    assert judge("git status", place_at(root, "src")).verdict == "read_only"
