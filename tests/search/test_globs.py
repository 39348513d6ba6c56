from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcmatch import glob as wcglob

from codetools.core.errors import Failure
from codetools.search.globs import MOST_ALTERNATIVES, escape, expand, keeper, last_names, matcher, split_base

FLAGS = wcglob.GLOBSTAR | wcglob.DOTGLOB | wcglob.BRACE | wcglob.EXTGLOB
NAME = st.text("ab.*?[]!^-{},\\", min_size=0, max_size=5)
PATTERN = st.lists(st.one_of(NAME, st.sampled_from(["**", "*", "*.a", "[!a]b", "{a,b}", "a?"])), min_size=1, max_size=4)
PATH = st.lists(st.text("ab.-^!", min_size=1, max_size=3), min_size=1, max_size=4)


def is_plain(path: str) -> bool:
    return not any(part in (".", "..") for part in path.split("/"))


@settings(max_examples=2000, deadline=None)
@given(PATTERN.map("/".join), st.lists(PATH.map("/".join).filter(is_plain), min_size=1, max_size=6))
def test_globs_mean_what_wcmatch_says(pattern: str, paths: list[str]):
    if any(part in (".", "..") for part in pattern.split("/")) or "//" in pattern or pattern.startswith("/"):
        return
    if pattern == "" or pattern.endswith(("/", "\\")):  # a directory; nothing to escape: a backslash is itself
        return
    ours = matcher(pattern)
    for path in paths:
        assert bool(ours(path)) == wcglob.globmatch(path, pattern, flags=FLAGS), path


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.py", "a.py", True),
        ("*.py", "a/b.py", False),
        ("**/*.py", "b.py", True),
        ("**/*.py", "a/.x/b.py", True),
        ("src/**", "src/a/b", True),
        ("src/**/b", "src/b", True),
        ("a{b,c{d,e}}f", "acef", True),
        ("@(a|b).c", "b.c", True),
        ("!(a).c", "b.c", True),
        ("!(a).c", "a.c", False),
        ("f{1..3}", "f2", True),
        ("[[:digit:]]", "7", True),
        ("a\nb*", "a\nbc", True),
        ("é?", "éx", True),
    ],
)
def test_forms_that_models_write(pattern: str, path: str, expected: bool):
    assert bool(matcher(pattern)(path)) is expected


@given(st.text("ab*?[]{}!\\@(|)+^-.,", min_size=1, max_size=8).filter(lambda name: "/" not in name))
def test_an_escaped_name_matches_itself_alone(name: str):
    match = matcher(escape(name))
    assert match(name)
    assert not match(name + "x")


def test_braces_without_end_are_refused_i6():
    with pytest.raises(Failure) as raised:
        expand("{a,b}" * 20)
    assert raised.value.kind == "usage"
    assert str(MOST_ALTERNATIVES) in raised.value.message


def test_a_kept_path_matches_any_and_is_dropped_with_its_directory():
    keeps = keeper(("*.py", "docs/"), ("test_*", "old"))
    assert keeps is not None
    kept = [
        path for path in ("a.py", "x/b.py", "docs/a/b", "a.c", "x/test_a.py", "old/a.py", "x/old/b.py") if keeps(path)
    ]
    assert kept == ["a.py", "x/b.py", "docs/a/b"]
    assert keeper(()) is None


@pytest.mark.parametrize(
    ("glob", "names"),
    [("*.py", ("*.py",)), ("src/**/*.{c,h}", ("*.c", "*.h")), ("src/**", ("*",)), ("a/@(b|c)", ("*",)), ("x", ("x",))],
)
def test_the_last_name_of_every_match_is_known(glob: str, names: tuple[str, ...]):
    assert last_names(glob) == names


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("/usr/lib/*.so", ("/usr/lib", "*.so")),
        ("../x/**/a", ("../x", "**/a")),
        ("*.py", ("", "*.py")),
        ("/*", ("/", "*")),
        ("src/a.py", ("src", "a.py")),
    ],
)
def test_leading_directories_without_wildcards_are_split_off(pattern: str, expected: tuple[str, str]):
    assert split_base(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 60 + "b", "a" * 250),
        ("**/a/" * 30 + "b", "a/" * 2000 + "x"),
        ("**/*a*a*a*a*a*a*b", "a" * 250 + "/" + "a" * 250),
    ],
)
def test_i6_no_name_makes_a_glob_long(pattern: str, path: str):
    before = process_time()
    assert not matcher(pattern)(path)
    assert matcher(pattern.removesuffix("b") + "*")(path)
    assert process_time() - before < 1


def test_braces_that_stand_for_too_much_are_a_usage_error():
    for pattern in ("{1..100000000}", "{a,b}" * 25):
        with pytest.raises(Failure, match="stand for over"):
            matcher(pattern)
