"""The tiny grammar: what it takes is what bash would run, and everything else is refused (I7)."""

import os
import string
import subprocess

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from codetools.shell.analysis.words import Refused, Script, Simple, parse, quote

BASH_PRINTS = r"""
show() { printf '%s\0' "$#" "$@"; }
"""


def words_of(command: str) -> list[tuple[str, ...]]:
    return [simple.words for simple in parse(command).commands]


def split_by_bash(command: str) -> tuple[str, ...] | None:
    """The words that bash makes of one simple command, or None where it does not take it as such."""
    script = f"{BASH_PRINTS}show {command}"
    done = subprocess.run(
        ["/bin/bash", "--noprofile", "--norc", "-c", script],
        capture_output=True,
        env={"PATH": "/nowhere"},
        cwd="/",
    )
    if done.returncode != 0:
        return None
    count, *words = done.stdout.split(b"\0")[:-1]
    return tuple(os.fsdecode(word) for word in words) if int(count) == len(words) else None


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("ls -la src", Script((Simple(("ls", "-la", "src")),), ())),
        ("  ls  ;\n", Script((Simple(("ls",)),), ())),
        ("a 'b c' \"d e\" f'g'\"h\"", Script((Simple(("a", "b c", "d e", "fgh")),), ())),
        ("a ''", Script((Simple(("a", "")),), ())),
        (
            "a && b || c; d | e\nf",
            Script(tuple(Simple((word,)) for word in "abcdef"), ("&&", "||", ";", "|", ";")),
        ),
        ("a &&\n\n b", Script((Simple(("a",)), Simple(("b",))), ("&&",))),
        ("ls 2>/dev/null", Script((Simple(("ls",), None, "null"),), ())),
        ("ls 2>&1 | head", Script((Simple(("ls",), None, "stdout"), Simple(("head",))), ("|",))),
        ("wc -l < 'a b'", Script((Simple(("wc", "-l"), "a b"),), ())),
        ("wc<f", Script((Simple(("wc",), "f"),), ())),
        ("find . ! -name x", Script((Simple(("find", ".", "!", "-name", "x")),), ())),
        ("grep ': a=b,c@d%e^f+g' x", Script((Simple(("grep", ": a=b,c@d%e^f+g", "x")),), ())),
        ("git log HEAD~2 a~~ b^~1", Script((Simple(("git", "log", "HEAD~2", "a~~", "b^~1")),), ())),
        ("cat café.txt", Script((Simple(("cat", "café.txt")),), ())),
        ('grep "a\\|b" f', Script((Simple(("grep", "a\\|b", "f")),), ())),
        ("[ -f x ]", Script((Simple(("[", "-f", "x", "]")),), ())),
        ("echo 'a\nb'", Script((Simple(("echo", "a\nb")),), ())),
    ],
)
def test_plain_lists_are_understood(command: str, script: Script):
    assert parse(command) == script


@pytest.mark.parametrize(
    "command",
    [
        "", "  \n", ";", "ls &&", "| ls", "ls ; ; ls", "ls\n&& ls", "&& ls", "ls |", "ls &", "a & b", "a |& b",
        "a ;; b", "echo $HOME", 'echo "$HOME"', "echo `x`", 'echo "`x`"', "echo $(x)", "echo \\x", 'echo "a\\\\b"',
        "\\ls", "echo $'x'", "echo *", "echo a?", "echo [ab]", "echo {a,b}", "echo ~", "echo a:~b", "echo a=~",
        "(ls)", "{ ls; }",
        "! ls", "a !b", "ls # x", "echo a#b", "X=1 ls", "X+=1 ls", "A=1", "if true", "time ls", "'time' ls",
        "coproc ls", "for x", "[[ a ]]", "''", "ls > f", "ls >> f", "ls >| f", "ls 2> f", "ls 2>/dev/nullx",
        "ls 2>&1x", "ls 2>&2", "ls &> f", "ls <> f", "ls << E", "ls <<< x", "ls <(x)", "ls < a < b", "ls 0<f",
        "ls 1>&2", "ls 2>&1 2>&1", "ls <", "< f", "2>/dev/null", "ls <&3", "echo 'a", 'echo "a', "ls\rtouch x",
        "ls\x00", "ls\x1b", "echo \u00a0x", "echo 'a\u00a0b'", "ls\u2028rm", "echo a\u202eb", "echo a\u200bb",
        "echo a\ufeffb", "echo \udcff", "f() ls", "echo a;;", "e" * 100_001,
    ],
)  # fmt: skip
def test_i7_everything_else_is_refused(command: str):
    with pytest.raises(Refused):
        parse(command)


ALPHABET = string.ascii_lowercase[:4] + "0129 \t\n'\"-_./:,+@%=^!~#*?[]{}()<>|&;$`\\é"


@settings(max_examples=300, deadline=None)
@given(st.text(ALPHABET, max_size=14))
@example("a''b")
@example("2>&1")
@example("a 2>/dev/null b")
@example("a'b'\"c\" d")
@example("a!b")
@example("a~b")
@example("a=b~c")
@example("a=b~")
@example("a ! b")
@example("a=b c")
def test_i7_words_are_what_bash_makes_of_them(text: str):
    """As arguments of a known command, so that nothing runs that the alphabet could name."""
    try:
        script = parse(f"show {text}")
    except Refused:
        return
    if len(script.commands) != 1 or script.commands[0].stdin is not None:
        return
    assert split_by_bash(text) == script.commands[0].words[1:]


@settings(max_examples=150, deadline=None)
@given(st.text(ALPHABET, max_size=20))
def test_i7_bash_takes_every_script_that_is_understood(text: str):
    try:
        parse(text)
    except Refused:
        return
    assert subprocess.run(["/bin/bash", "-n", "-c", "--", text], capture_output=True).returncode == 0


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30))
@example("-n")
@example("'")
@example("$(touch x)\n`y`")
def test_a_quoted_word_is_one_word_to_bash(word: str):
    assert split_by_bash(quote(word)) == (word,)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(ALPHABET + "zZ", min_size=1, max_size=8), min_size=1, max_size=4))
def test_quoted_words_are_understood_again(words: list[str]):
    try:
        again = words_of("cat " + " ".join(quote(word) for word in words))
    except Refused:
        again = []
    assert again == [("cat", *words)] or any("'" in word for word in words)  # a quote is written with a backslash
