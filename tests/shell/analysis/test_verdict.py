"""Verdicts: the file of right answers, and that what is judged to read is what runs and changes nothing."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from codetools.core.access import CommandPart
from codetools.shell.analysis.verdict import Judgement, judge
from codetools.shell.sandbox import reading_jail
from codetools.system.command import Command
from codetools.system.process import run_process
from tests.shell.places import make_repository, make_workspace, place_at

CASES = json.loads((Path(__file__).parent.parent.parent / "data/shell_verdicts.json").read_text())
RANK = {"read_only": 0, "ask": 1, "banned": 2}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_workspace(tmp_path_factory.mktemp("judged"))


def verdict(root: Path, command: str, directory: str = ".") -> str:
    return judge(command, place_at(root, directory)).verdict


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_repository(make_workspace(tmp_path_factory.mktemp("judged_in_git")))


@pytest.mark.parametrize("place", ["root", "repository"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["command"][:60])
def test_no_command_is_judged_looser_than_it_is(case: dict, place: str, request: pytest.FixtureRequest):
    root = request.getfixturevalue(place)
    command = case["command"].replace("/home/user/project", str(root))
    assert verdict(root, command) in {case["verdict"], *case["also_ok"]}


def run_jailed(judged: Judgement, root: Path) -> tuple[int | None, bytes]:
    output = b""

    def sink(stream: int, chunk: bytes) -> None:
        nonlocal output
        output += chunk

    jail = reading_jail((str(root.resolve()),), (os.path.realpath("/bin/bash"), *judged.programs))
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "dumb"}
    command = Command(("/bin/bash", "-c", "--", judged.script), environment, str(root), jail=jail)
    ending = run_process(command, sink, timeout_seconds=30)
    return ending.exit_code, output


def snapshot(root: Path) -> list[tuple]:
    paths = sorted(root.rglob("*"))
    return [(str(path), path.lstat().st_mode, path.lstat().st_mtime_ns, path.lstat().st_size) for path in paths]


READERS = [
    "cat f.txt src/app.py", "cat -n 'f.txt'", "head -2 f.txt", "head -n1 f.txt", "tail -n +2 f.txt",
    "wc -l f.txt README.md", "ls", "ls -la src", "ls -1R src", "ls missing 2>&1",
    "ls missing 2>/dev/null || echo none", "grep -rn TODO src", "grep -c foo f.txt", "grep -e foo -- f.txt",
    "grep nothing f.txt", "egrep 'foo|bar' f.txt", "fgrep -i FOO f.txt", "sort -r f.txt", "uniq f.txt",
    "cut -d: -f1 f.txt", "cat f.txt | tr a-z A-Z | head -1", "find . -name '*.py' -type f", "find src ! -name '*.py'",
    "sed -n '1,2p' f.txt", "sed -n '$p' f.txt", "echo hello; echo 'a  b'", "printf '%s\\n' hi there",
    "cd src && ls && cat app.py", "cd src; cd deep; ls", "pwd", "true && echo yes", "false || echo no",
    "test -f f.txt && echo there", "basename /a/b.c .c", "dirname /a/b", "stat -c '%s %n' f.txt",
    "readlink -f link_to_src", "realpath src/../f.txt", "wc -c < f.txt", "diff f.txt README.md", "cmp f.txt f.txt",
    "nl -ba f.txt", "od -c f.txt", "md5sum f.txt", "sha256sum f.txt README.md", "base64 f.txt", "seq 3", "tac f.txt",
    "rev f.txt", "paste f.txt README.md", "cat link_to_src/more.py", "du -a --apparent-size src", "uname", "id -u",
    "date -u +%Y", "fold -w 5 f.txt", "comm f.txt f.txt", "cat < f.txt\nls src", "ls -d .env", "/bin/ls src",
]  # fmt: skip


@pytest.mark.parametrize("command", READERS)
def test_readers_give_under_the_jail_what_they_give_without(command: str, root: Path):
    judged = judge(command, place_at(root))
    assert judged.verdict == "read_only", judged.reason
    before = snapshot(root)
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "dumb"}
    free = subprocess.run(
        ["/bin/bash", "-c", command], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment
    )
    code, output = run_jailed(judged, root)
    assert (code, output.replace(b"/usr/bin/", b"")) == (free.returncode, free.stdout)
    assert snapshot(root) == before


@pytest.mark.parametrize(
    "command",
    [case["command"] for case in CASES if case["verdict"] != "banned"],
    ids=lambda command: command[:60],
)
def test_nothing_changes_under_the_jail_whatever_runs(command: str, tmp_path: Path):
    """The wall alone, without the verdict: every case's raw text, in a throw-away workspace, by any program."""
    root = make_workspace(tmp_path)
    before = snapshot(tmp_path)
    output: list[bytes] = []
    jail = reading_jail((str(root.resolve()),), ("/usr", "/bin"))
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": str(root)}
    job = Command(("/bin/bash", "-c", "--", command), environment, str(root), jail=jail)
    run_process(job, lambda stream, chunk: output.append(chunk), timeout_seconds=3)
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize(
    "command",
    [
        "cat .env", "cat link_to_env", "head < .env", "grep -n x .env", "diff f.txt .env", "cat ../project-evil/f",
        "ls ..", "ls /", "cat src/../../id_rsa", "cd .. && ls", "cd ../project-evil; cat f",
        "cd src && cat ../../id_rsa", "cd", "cd -", "cd src && cd ../.. && ls", "ls -L", "grep -R x .",
        "sort -o out f.txt", "sort --output=out f.txt", "sort --outp=out f.txt", "sort -T. f.txt",
        "sort --compress-program=x f.txt", "uniq f.txt out", "tail -f f.txt", "tail --follow f.txt",
        "head --lin=1 f.txt", "find . -delete", "find . -exec ls ';'", "find . -fls out", "find -L .",
        "find . -files0-from f", "wc --files0-from=f.txt", "du --files0-from=f.txt", "grep -f .env x",
        "md5sum -c f.txt", "date 010100002020", "date -f f.txt", "date --set=x", "rg --pre=x y", "rg --search-zip x",
        "rg -L x", "rg -f .env", "file -m x f.txt", "xxd -r f.txt", "xxd f.txt out", "xxd -ps f.txt out",
        "tree -o out", "printf -v x y", "test -v x", "test a -eq b", "test -f a -a -f b", "hostname x",
        "base64 f.txt out", "sed p f.txt", "sed -n '1p;w out' f.txt", "sed -n 1p -i f.txt", "sed -n 1e f.txt", "env",
        "printenv", "git status", "make", "xargs ls", "./cat x", "bin/ls", "/tmp/ls", "/usr/bin/../bin/ls", "unknown",
        "tee x", "awk 1 f.txt", "less f.txt", "jq . f.txt", "ps aux", "diff -r src sub", "cat f.txt &", "cat $X",
        "cat --hel", "sleep --x", "ls; touch x", "cat x | tee y", "cd src && make",
    ],
)  # fmt: skip
def test_i7_what_is_not_in_the_table_is_asked(command: str, root: Path):
    assert verdict(root, command) == "ask"


@pytest.mark.parametrize(
    "command",
    [
        "sudo ls", "env FOO=1 curl x", "timeout -k 5 10 wget x", "nice -n 5 nohup curl x", "xargs -n1 curl",
        "find . -exec curl {} ';'", "sh -c 'curl x'", "bash -lc \"echo; sudo ls\"", "/usr/bin/curl x", "c''url x",
        "\\curl x", "$(which curl) x", "`which curl` x", "echo $(curl x)", "echo \"$(curl x)\"", "x=1 curl y",
        "if true; then curl x; fi", "(curl x)", "{ curl x; }", "{curl,x}", "ls & curl x", "ls |& curl x",
        "cat <(curl x)", "! curl x", "$'\\x63url' x", "eval curl x", "env -S 'curl x'", "sudo -u me rm x",
        "bash <<EOF\ncurl x\nEOF", "mkfs.ext4 /dev/x", "ls\ncurl x", "ls; curl x",
    ],
)  # fmt: skip
def test_banned_programs_are_seen_through_wrappers(command: str, root: Path):
    assert verdict(root, command) == "banned"


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf /", "rm -r -f /*", "rm -rf ~", "rm -rf ~/*", "rm -rf $HOME", "rm -rf \"$DIR\"/*", "rm -rf ${X}/",
        "rm -rf .", "rm -rf ./", "rm -rf ..", "rm --recursive /etc", "rm -fr x /usr/", "sudo rm -rf /",
        "sh -c 'rm -rf /'", "chmod -R 777 /", "chown -R me ~", "find / -delete", "find / -name x -exec rm {} +",
        "mv / x", "dd if=x of=/dev/sda", "echo x > /dev/sda", "cat x >> /dev/nvme0n1", "true && rm -rf /",
        "x | xargs rm -rf /", "mkfs -t ext4 /dev/sda1",
    ],
)  # fmt: skip
def test_critical_removal_is_told_apart_from_what_a_rule_lifts(command: str, root: Path):
    judged = judge(command, place_at(root))
    assert judged.verdict == "banned"
    assert any(part.is_critical for part in judged.parts)


def test_removing_the_workspace_or_what_holds_it_is_critical(root: Path):
    for command, directory in (
        (f"rm -rf {root}", "."),
        (f"rm -rf {root.parent}", "."),
        ("rm -rf ..", "src"),
        ("rm -rf ../", "src"),
    ):
        assert [part.is_critical for part in judge(command, place_at(root, directory)).parts] == [True]


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf build", "rm f.txt", "rm -rf ./src/x", "echo curl", "grep -rn curl .", "cat <<EOF > x\ncurl y\nEOF",
        "chmod -R u+x src", "find . -delete", "dd if=/dev/sda of=x", "git commit -m 'use curl; then sudo'",
        "echo 'rm -rf /'", "python3 -c 'print(1)'", "mv f.txt g.txt", "cp -r src dst",
    ],
)  # fmt: skip
def test_harmless_mentions_are_not_banned(command: str, root: Path):
    assert verdict(root, command) != "banned"


def test_a_list_is_judged_by_its_worst_part(root: Path):
    judged = judge("ls src && touch x; sudo ls", place_at(root))
    assert [part.verdict for part in judged.parts if not part.is_guess] == ["read_only", "ask", "banned"]
    assert (judged.verdict, judged.reason) == ("banned", "sudo is on the list of banned commands")
    assert judged.script == ""


def test_parts_say_words_reason_and_kind(root: Path):
    judged = judge("grep -c foo f.txt | sort", place_at(root))
    assert judged.parts == (
        CommandPart(("grep", "-c", "foo", "f.txt"), "read_only", "it only reads", "search", is_harmless=True),
        CommandPart(("sort",), "read_only", "it only reads", "read", is_harmless=True),
    )
    assert [access.reached for access in judged.shows] == [f"{root.resolve()}/f.txt"]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("git status", ("git", "status")),
        ("npm run 'a b' 2>&1", ("npm", "run", "a b")),
        ("wc -l < f.txt", None),
        ("a && b", None),
        ("a $X", None),
        ("X=1 a", None),
        ("a > b", None),
    ],
)
def test_rules_see_only_one_simple_command_of_literal_words(command: str, words: tuple | None, root: Path):
    assert judge(command, place_at(root)).words == words


def test_i8_what_runs_is_quoted_and_found_in_the_systems_own_directories(root: Path, monkeypatch: pytest.MonkeyPatch):
    planted = root / "bin/cat"
    planted.parent.mkdir(exist_ok=True)
    planted.write_text("#!/bin/sh\necho planted\n")
    planted.chmod(0o755)
    monkeypatch.setenv("PATH", f"{planted.parent}:/usr/bin")
    judged = judge("cat 'f.txt' 2>/dev/null | head -n 1; cd src && ls", place_at(root))
    assert judged.script == (
        "'/usr/bin/cat' 'f.txt' 2>/dev/null | '/usr/bin/head' '-n' '1'\nbuiltin 'cd' 'src' && '/usr/bin/ls'"
    )
    assert judged.programs == ("/usr/bin/cat", "/usr/bin/head", "/usr/bin/ls")


def test_a_search_of_a_tree_passes_over_names_that_hold_secrets(root: Path):
    (root / "tree/.aws").mkdir(parents=True, exist_ok=True)
    (root / "tree/.aws/config").write_text("TODO secret\n")
    (root / "tree/server.pem").write_text("TODO secret\n")
    (root / "tree/plain.txt").write_text("TODO plain\n")
    for command in (
        "grep -rl TODO tree",
        "grep -rl TODO tree --include='*'",
        "grep -rl --include='*.pem' TODO tree",
        "rg -l --hidden TODO tree",
        "rg -l -uu -g '*.pem' TODO tree",
    ):
        judged = judge(command, place_at(root))
        assert judged.verdict == "read_only", judged.reason
        _, output = run_jailed(judged, root)
        assert b".pem" not in output
        assert b".aws" not in output
    assert b"plain.txt" in run_jailed(judge("rg -l TODO tree", place_at(root)), root)[1]
    assert b"plain.txt" in run_jailed(judge("grep -rl TODO tree", place_at(root)), root)[1]


def test_i7_a_directory_changed_too_often_is_asked(root: Path):
    (root / "/".join("d" * 20)).mkdir(parents=True)
    assert verdict(root, "; ".join(["cd d"] * 5)) == "read_only"
    assert verdict(root, "; ".join(["cd d"] * 20)) == "ask"


def test_judging_a_hostile_text_takes_no_time(root: Path):
    for text in ("$(" * 20_000, "'" * 99_999, "a;" * 40_000, "`" * 50_000, "<<A\n" * 5_000, "{" * 50_000, "-" * 90_000):
        assert verdict(root, text) in ("ask", "banned")


def test_i7_printf_that_sets_a_variable_is_asked_about(root: Path):
    for command in ("printf %n PATH", "printf '%5ln' CDPATH; cd src", "printf '%s % n' x PATH"):
        assert judge(command, place_at(root)).verdict == "ask", command
    assert judge("printf '100%%n %s' x", place_at(root)).verdict == "read_only"


def test_i3_directories_with_links_are_not_compared_unasked(root: Path):
    (root / "one").mkdir()
    (root / "two").mkdir()
    assert judge("diff one two", place_at(root)).verdict == "read_only"
    (root / "two/x").symlink_to("../.env")
    assert judge("diff one two", place_at(root)).verdict == "ask"
    assert judge("diff f.txt two", place_at(root)).verdict == "ask"
