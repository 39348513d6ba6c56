"""What bash would run is what was found: any script is understood as bash understands it, or not at all (I7)."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codetools.shell.analysis.commands import commands_of
from codetools.shell.analysis.found import Found

# with an empty PATH, bash gives every command that is no builtin to this function: an oracle of what it runs
ORACLE = r"""
command_not_found_handle() { printf '%s\0' "$@" $'\1' >>"$LOG"; }
"""
NAMES = ["aa", "bb", "cc", "dd"]
WORDS = [
    "x", "-y", "'q r'", '"s t"', "a\\ b", "1", "--k=v", "''", '""', "'$x'", "'`'", "e'f'g", 'h"i"j', "#k", "l#m", "-",
    "'\n'", "@", "%", "=", "a=b", "!", "~n", "$x", '"$x"', "$(dd z)", '"`cc`"', "${x:-(}", "{}", "{p,q}", "[", "]",
    "if", "then", "}", "{", "in", "do", "esac", "\\\n", "$((1+2))", "*nothing*", "$'o'", '"\\""', '"\\\\"', "\\;",
]  # fmt: skip
GLUE = [" ; ", " && ", " || ", " | ", "\n", " & ", ";", "|&", " # c\n", "&&\n", " |\n", "\\\n", " \\\n "]

simple = st.builds(
    lambda name, words, before, after: " ".join([*before, name, *words, *after]),
    st.sampled_from([*NAMES, "'aa'", "a\\a", 'a"a"', "! bb", "time cc", "command", "time -p aa", "env", "eval"]),
    st.lists(st.sampled_from([*WORDS, *NAMES]), max_size=4),
    st.lists(st.sampled_from(["v=1", "w='a b'", "u=$(cc in)", "t="]), max_size=2),
    st.lists(
        st.sampled_from(
            [">/dev/null", "2>&1", "</dev/null", "2>/dev/null", "<<<y", ">/dev/null late", "<<E\ndoc\nE\n",
             "- <<'E'\n$(bb)\nE\n", "<<E\n$(bb in) `cc`\nE\n", "<<-E\n\tx\n\tE\n", "&>/dev/null"]
        ),
        max_size=1,
    ),
)  # fmt: skip


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds(lambda a, glue, b: a + glue + b, inner, st.sampled_from(GLUE), inner),
        inner.map(lambda a: f"( {a}\n)"),
        inner.map(lambda a: f"{{ {a}\n}}"),
        st.builds(lambda a, b: f"if {a}\nthen {b}\nfi", inner, inner),
        st.builds(lambda a, b: f"for i in 1 2; do {a}\ndone; {b}", inner, inner),
        st.builds(lambda a, b: f"case x in x) {a}\n;; *) {b}\n;; esac", inner, inner),
        inner.map(lambda a: f"f() {{ {a}\n}}; f"),
        inner.map(lambda a: f'cc $( {a}\n) "$(aa "$( {a}\n)")"'),
        inner.map(lambda a: f"bb <( {a}\n)"),
        inner.map(lambda a: f"until {a}\ndo break; done"),
        inner.map(lambda a: "eval " + "'" + a.replace("'", "'\\''") + "'"),
        inner.map(lambda a: "[[ x == x ]] && " + a),
    )


scripts = st.recursive(simple, compound, max_leaves=4)
pieces = st.lists(
    st.sampled_from([*NAMES, *WORDS, *GLUE, " ", "'", '"', "`", "$(", ")", "(", "{ ", ";}", "<(", "\\", "$", "\n", ";;",
                     "if ", "then ", "fi", "for i in ", "do ", "done", "case x in ", "esac", "<<E\n", "\nE\n", "#", "=",
                     "f() ", "2>/dev/null", "<<<", "&", "\t", "[[ ", " ]]", "((", "))", "${", "}", "~", "<<'E'\n"]),
    min_size=1,
    max_size=9,
).map("".join)  # fmt: skip


def run_by_bash(script: str) -> list[tuple[str, ...]] | None:
    """The words of every command that bash ran and is no builtin; None where it ran out of time."""
    directory = tempfile.mkdtemp()
    try:
        log = Path(directory, "log")
        log.touch()
        startup = Path(directory, "startup")
        startup.write_text(ORACLE)
        work = Path(directory, "work")
        work.mkdir()
        environment = {
            "BASH_ENV": str(startup),
            "PATH": "/nowhere",
            "LOG": str(log),
            "FUNCNEST": "4",
            "HOME": str(work),
        }
        try:
            subprocess.run(
                ["/bin/bash", "-c", script],
                env=environment,
                cwd=work,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=5,
            )
        except subprocess.TimeoutExpired:
            return None
        texts = log.read_bytes().decode(errors="surrogateescape").split("\1\0")
        return [tuple(text.split("\0")[:-1]) for text in texts if text]
    finally:
        shutil.rmtree(directory)


def is_found(words: tuple[str, ...], commands: list[Found]) -> bool:
    return any(fits(words, command) for command in commands)


def fits(words: tuple[str, ...], command: Found) -> bool:
    """Whether these are the words of a command: those that bash makes may be anything, and any number."""
    if not command.words:
        return False
    for index, word in enumerate(command.words):
        if not word.is_static:
            return index > 0 or not command.words[0].is_static
        if index >= len(words) or words[index] != word.text:
            return False
    return len(words) == len(command.words)


def check(script: str) -> None:
    commands = commands_of(script)
    if any(command.trouble for command in commands):
        return  # it is asked about
    ran = run_by_bash(script)
    if ran is None:
        return
    unseen = [words for words in ran if not is_found(words, commands)]
    assert not unseen, (script, unseen, [command.words for command in commands])


EXAMPLES = int(os.environ.get("CODETOOLS_TEST_SCRIPTS", "100"))
PATIENT = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@pytest.mark.skipif(not os.path.exists("/bin/bash"), reason="bash is the oracle")
@PATIENT
@given(scripts)
def test_i7_a_script_is_understood_as_bash_does_or_is_asked_about(script: str):
    check(script)


@pytest.mark.skipif(not os.path.exists("/bin/bash"), reason="bash is the oracle")
@PATIENT
@given(pieces)
def test_i7_any_text_is_understood_as_bash_does_or_is_asked_about(script: str):
    check(script)


@pytest.mark.parametrize(
    "script",
    [
        "aa x\nbb y", "aa $(bb)", "cat <<E\n$(aa)\nE\nbb", "aa - <<'E'\nbb\nE", "aa > f b", "timeout 5 aa b",
        "for i in 1 2; do aa $i; done", "aa | bb && cc || dd", "f() { aa; }; f", "sh -c 'aa; bb'", "eval 'aa b'",
    ],
)  # fmt: skip
def test_usual_scripts_are_understood(script: str):
    assert not any(command.trouble for command in commands_of(script))
