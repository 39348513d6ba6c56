"""The parts of a script: found wherever they stand, judged one by one, harmless only where that is certain."""

from pathlib import Path

import pytest

from codetools.core.access import CommandPart
from codetools.shell.analysis.verdict import judge
from tests.shell.places import make_workspace, place_at


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_workspace(tmp_path_factory.mktemp("parts"))


def asking(root: Path, command: str) -> list[tuple[str, ...]]:
    parts = judge(command, place_at(root)).parts
    return [part.words for part in parts if not part.is_harmless and not part.is_guess]


def part(root: Path, command: str) -> CommandPart:
    return judge(command, place_at(root)).parts[0]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("cd src && npm test 2>&1 | tail -5", ["npm test"]),
        ("timeout -k 5 60 nice -n 3 npm test", ["npm test"]),
        ("NODE_ENV=test time npm test", ["npm test"]),
        ("env CI=1 npm test", ["npm test"]),
        ("sh -c 'cd src; make' && bash -lc \"npm test\"", ["make", "npm test"]),
        ("if [ -f x ]; then npm test; else make; fi", ["npm test", "make"]),
        ('x=$(make) && echo "$(npm test)"', ["make", "npm test"]),
        ("for i in 1 2; do make; done", ["make"]),
        ("f() { make; }; (npm test) & wait", ["make", "npm test"]),
        ("cat <<E\n$(make)\nE\nnpm test", ["make", "npm test"]),
        ("cat <<'E'\n$(make)\nE", []),
        ("bash <<E\nmake\nE", ["make"]),
        ("echo make | sh", ["make"]),
        ("diff <(make) f.txt", ["diff <(make) f.txt", "make"]),
        ("find . -name x -exec make {} ';'", ["make {}"]),
        ("find . | xargs -n1 make", ["make …"]),
        ("eval 'npm test'; trap 'make' EXIT", ["npm test", "make"]),
        ("python3 - <<'E'\nimport os\nE", ["python3 -"]),
        ("set -euo pipefail; make", ["make"]),
        ("while read -r l; do make; done < f.txt", ["make"]),
        ("python -m pip list", ["python -m pip list"]),
    ],
)
def test_the_parts_that_need_a_rule(command: str, words: list[str], root: Path):
    assert [" ".join(each) for each in asking(root, command)] == words


@pytest.mark.parametrize(
    "command",
    [
        "PATH=. ls; (true)", "export PATH=.; ls", "for PATH in .; do ls; done", "read PATH; ls", "echo ${PATH:=.}",
        "echo $((x))", "((x=1)); ls", "[[ -v x ]] && true", "[ -v 'a[1]' ] && (true)", "[ $x ] && (true)",
        "printf -v x y; (true)", "printf $x", "echo ${x@P}", "echo ${!x}", "echo *", "$x y", "coproc ls", "cat $f",
        "printf %n PATH; (ls)", "printf 'x%-+5.2lln' CDPATH; (ls)", "true {PATH}</dev/null; ls", "echo {PATH}>x; ls",
        "echo {a[0]}>x; ls", "npm_config_script_shell=./x ls", "prefix=./x make", "export x=1; ls",
        "npm_config_x=1; (ls)", "ls > $f", "cd $x && (ls)",
        "cat < ../x; (true)", "ls > >(tee x)", "declare -n x=y", "source x; (true)",
    ],
)  # fmt: skip
def test_i7_what_is_not_certain_is_not_harmless(command: str, root: Path):
    assert asking(root, command)


def test_a_redirection_names_the_file_that_it_writes(root: Path):
    found = part(root, "echo x > .git/config")
    assert [path.written for path in found.writes] == [f"{root.resolve()}/.git/config"]
    assert part(root, "(ls) > /dev/null").writes == ()
    assert [path.inside for path in part(root, "(true) > ../x").writes] == [False]


def test_operands_that_are_changed_are_named_too(root: Path):
    for command in ("rm -f .envrc", "cp x .envrc", "cp .envrc src/", "sed -i s/a/b/ .envrc", "dd if=x of=.envrc"):
        assert any(path.written.endswith(".envrc") for path in part(root, command).touches), command


@pytest.mark.parametrize(
    "command",
    [
        "git push -f", "git push origin +main", "git -C . push --forc", "git reset --hard", "npm i -g x",
        "npm --prefix a install -Dg x", "yarn global add x", "python3 -m pip install --user x", ":(){ :|:& };:",
        "kill -9 -1", "rm -rf ../*", "x=$((1)); y=$((z)); curl x", "echo 'curl x' | bash",
    ],
)  # fmt: skip
def test_uses_and_hidden_programs_that_are_banned(command: str, root: Path):
    assert judge(command, place_at(root)).verdict == "banned"


@pytest.mark.parametrize("command", ["git push", "git reset --soft HEAD", "npm install x", "git commit -m 'push -f'"])
def test_other_uses_of_these_programs_are_asked_about(command: str, root: Path):
    assert judge(command, place_at(root)).verdict == "ask"


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("ls | grep x", "search"), ("cat f.txt | sort", "read"), ("echo x", "neutral"), ("cd src", "neutral"),
        ("echo x > y", "write"), ("ls && make", "general"), ("timeout 5 rm x", "write"), ("x=1", "silent"),
    ],
)  # fmt: skip
def test_a_pipeline_falls_to_its_worst_part(command: str, kind: str, root: Path):
    assert judge(command, place_at(root)).kind == kind
