import time

import pytest

from codetools.search.ignore_file import IgnoreFile, rules_of, split_lines, without_blanks
from codetools.search.wildmatch import wild_matcher


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("foo", "foo", True),
        ("fo?", "foo", True),
        ("a/*", "a/b", True),
        ("a/*", "a/b/c", False),
        ("a/**", "a/b/c", True),
        ("**/c", "c", True),
        ("**/c", "a/b/c", True),
        ("**/c", "xc", False),
        ("a/**/c", "a/c", True),
        ("a/**/c", "a/b/b/c", True),
        ("a**c", "a/c", False),
        ("a**c", "abc", True),
        ("[!a]b", "ab", False),
        ("[^a]b", "xb", True),
        ("[]a]", "]", True),
        ("[[:digit:]x]", "7", True),
        ("[[:bogus:]]", "b", False),
        ("[a", "a", False),
        ("a[/]b", "a/b", False),
        ("\\*", "*", True),
        ("\\", "\\", False),
    ],
)
def test_a_pattern_matches_as_in_git(pattern: str, text: str, expected: bool):
    assert bool(wild_matcher(pattern.encode(), is_path=True)(text.encode())) is expected


def test_a_hostile_pattern_takes_linear_time_i6():
    started = time.monotonic()
    assert not wild_matcher(b"*a" * 60 + b"b", is_path=True)(b"a" * 4000)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    ("line", "expected"), [(b"a  ", b"a"), (b"a\\ ", b"a\\ "), (b"a\\  ", b"a\\ "), (b"a\\", b"a\\"), (b"a\t", b"a\t")]
)
def test_only_blanks_after_a_backslash_count_at_the_end(line: bytes, expected: bytes):
    assert without_blanks(line) == expected


def test_line_ends_marks_and_comments_are_no_part_of_a_pattern():
    lines = split_lines(b"\xef\xbb\xbffoo\r\n# note\n\n\\#x\nbar\r")
    assert [(rule.line, rule.pattern) for rule in rules_of(lines)] == [(1, "foo"), (4, "\\#x"), (5, "bar")]


def test_the_last_line_that_holds_decides():
    file = IgnoreFile(".gitignore", rules_of([b"*.log", b"!a.log", b"build/"]))
    rule = file.decide(b"d/a.log", False)
    assert rule is not None
    assert (rule.line, rule.takes_back) == (2, True)
    assert file.decide(b"build", False) is None
    assert file.decide(b"build", True) is not None
