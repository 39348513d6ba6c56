import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codetools.config.glob import escape, is_literal, literal, match_name, match_path

NAMES = st.text(alphabet="ab.*?[]-!\\", max_size=8)
PATHS = st.lists(st.text(alphabet="ab.*", min_size=1, max_size=4), min_size=1, max_size=4).map("/".join)
PATTERNS = st.lists(
    st.one_of(st.just("**"), st.text(alphabet="ab.*?", min_size=1, max_size=4)), min_size=1, max_size=4
).map("/".join)


def brute_name(pattern: str, name: str) -> bool:
    """Try every way; no classes and no escapes."""
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(brute_name(pattern[1:], name[count:]) for count in range(len(name) + 1))
    return bool(name) and pattern[0] in ("?", name[0]) and brute_name(pattern[1:], name[1:])


def brute_path(pattern: list[str], path: list[str]) -> bool:
    if not pattern:
        return not path
    if pattern[0] == "**":
        least = 1 if len(pattern) == 1 else 0
        return any(brute_path(pattern[1:], path[count:]) for count in range(least, len(path) + 1))
    return bool(path) and brute_name(pattern[0], path[0]) and brute_path(pattern[1:], path[1:])


@settings(derandomize=True, max_examples=1500)
@given(PATTERNS, PATHS)
def test_a_path_matches_as_trying_every_way_says(pattern: str, path: str):
    assert match_path(pattern, path) == brute_path(pattern.split("/"), path.split("/"))


@settings(derandomize=True, max_examples=500)
@given(NAMES)
def test_an_escaped_name_is_a_pattern_for_itself_alone(name: str):
    assert match_name(escape(name), name)
    assert is_literal(escape(name))
    assert literal(escape(name)) == name
    assert not match_name(escape(name), name + "a")


@settings(derandomize=True, max_examples=500)
@given(NAMES, NAMES)
def test_any_text_is_a_pattern(pattern: str, name: str):
    match_name(pattern, name)
    match_path(pattern, name)


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.py", "a.py", True),
        ("*.py", "a/b.py", False),
        ("*", ".hidden", True),
        ("src/**", "src/a", True),
        ("src/**", "src/a/b", True),
        ("src/**", "src", False),
        ("**/x", "x", True),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("**", "a/b", True),
        ("a**b", "axxb", True),
        ("a**b", "a/b", False),
        ("[ab]c", "bc", True),
        ("[!ab]c", "bc", False),
        ("[^ab]c", "xc", True),
        ("[a-c]", "b", True),
        ("[a-]", "-", True),
        ("[]a]", "]", True),
        ("[!]]", "]", False),
        ("[a", "[a", True),
        ("\\*", "*", True),
        ("\\*", "a", False),
        ("a\\", "a\\", True),
        ("A", "a", False),
        ("/etc/**", "/etc/passwd", True),
        ("/**", "/etc/passwd", True),
        ("?", "é", True),
        ("[a-c]/x", "b/x", True),
    ],
)
def test_a_pattern_means(pattern: str, path: str, expected: bool):
    assert match_path(pattern, path) == expected


@pytest.mark.parametrize(
    ("pattern", "path"),
    [("a*" * 40 + "b", "a" * 4000), ("**/a/" * 30 + "b", "a/" * 500 + "c"), ("*?" * 50 + "b", "a" * 2000)],
)
def test_i6_no_pattern_takes_exponential_time(pattern: str, path: str):
    started = time.monotonic()
    assert not match_path(pattern, path)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("pattern", ["*", "a?", "[ab]", "**/a", "a/**"])
def test_a_wildcard_is_no_literal(pattern: str):
    assert not is_literal(pattern)
