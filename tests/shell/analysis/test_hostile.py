"""Texts that are made to be costly: each is judged within a second of computing, and no cap makes a verdict looser."""

import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from codetools.shell.analysis.verdict import judge
from tests.shell.places import make_repository, make_workspace, place_at

MEGABYTE = 1 << 20
MOST_SECONDS = 1.0
REPEATED = (
    "a;", "a|", "a&&", "cd a;", "cd src;", "cd ..;", "sudo ", "curl ", "rm ", "rm -rf ", "rm -rf / ", "chmod -R ",
    "find . -exec ", "mkfs.ext4 ", "git ", "git log;", "git -c a=b ", "npm install -g ", "((((", "((a))", "$(", "$(a) ",
    "`", "<<A\n", "<<'A'\n", "<<-A\n\t", "cat <<A\nb\nA\n", "'", '"', '"$(', "\\", "{a,b}", "{", "}", "[", "x=1 ",
    "if a;then ", "case a in a) ", "f(){ f|f& };f;", ">a;", "env ", "timeout 1 ", "xargs ", "strace ", "bash -c ",
    "sh -c 'sh -c ", "eval ", "echo a|bash;", "cat f.txt;", "grep -r a . | ", "é", "\u200b", "~/", "../", "-", "#\n",
    "\\\n",
)  # fmt: skip


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_repository(make_workspace(tmp_path_factory.mktemp("judged")))


def seconds_to_judge(text: str, root: Path) -> float:
    """Return the seconds of computing that a verdict takes; a busy machine gets a second try."""
    place = place_at(root)
    tries: list[float] = []
    while len(tries) < 2 and min(tries, default=MOST_SECONDS) >= MOST_SECONDS:
        began = time.process_time()
        judge(text, place)
        tries.append(time.process_time() - began)
    return min(tries)


@pytest.mark.parametrize("chars", [49_000, MEGABYTE])
@pytest.mark.parametrize("unit", REPEATED)
def test_i6_what_is_repeated_without_end_is_judged_at_once(unit: str, chars: int, root: Path):
    assert seconds_to_judge((unit * (chars // len(unit) + 1))[:chars], root) < MOST_SECONDS


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from((*REPEATED, "curl x", "a ", "\n", " ", "$x", "|| ")), min_size=1, max_size=6))
@example(["rm -rf ", "a", "/"])
def test_i6_any_mixture_is_judged_at_once(root: Path, units: list[str]):
    for chars in (20_000, 200_000):
        text = "".join(units)
        assert seconds_to_judge((text * (chars // len(text) + 1))[:chars], root) < MOST_SECONDS


@pytest.mark.parametrize(
    "banned", ["curl x", "rm -rf /", "env curl x", "git push --force", "bash -c 'curl x'", "eval 'curl x'"]
)
@pytest.mark.parametrize(
    "around",
    ["{}" + "; a b" * 2_000, "a b;" * 2_000 + "{}", "{}" + " " * 60_000, "a b;" * 20_000 + "{}", "{}\n" + "((" * 500],
)
def test_i7_a_text_that_is_too_long_is_no_looser(around: str, banned: str, root: Path):
    assert judge(around.format(banned), place_at(root)).verdict == "banned"


def test_i7_what_cannot_all_be_looked_at_is_refused_and_says_so(root: Path):
    judged = judge("rm -rf " * 100_000, place_at(root))
    assert judged.verdict == "banned"
    assert "too long to be understood" in judged.reason
