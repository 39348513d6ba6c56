"""I9: nothing from a file reaches a terminal unescaped."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetools.render.escape import escape_line, escape_span, escape_text

ANY_TEXT = st.text(st.characters(exclude_categories=()))
STEERS = [
    *(chr(code) for code in range(0x20) if chr(code) not in "\n\t"),
    *(chr(code) for code in range(0x7F, 0xA0)),
    *"\u061c\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069",
    *"\u00ad\ufeff\u180e\u3164\U000e0001\U000e0041\U000e007f\U000e0100\ud800\udfff\udc80\udcff",
]


@pytest.mark.parametrize("character", STEERS, ids=lambda character: f"{ord(character):x}")
def test_i9_what_steers_or_hides_is_made_visible(character: str):
    for escape in (escape_text, escape_span, escape_line):
        shown = escape(f"a{character}b")
        assert shown.isascii()
        assert shown.isprintable()
        assert shown[:2] == "a\\"


@given(ANY_TEXT)
def test_i9_no_text_leaves_a_control_or_an_invisible_character(text: str):
    assert not [
        found for found in escape_text(text) if unicodedata.category(found) in ("Cc", "Cs") and found not in "\n\t"
    ]
    line = escape_line(text)
    assert not [found for found in line if unicodedata.category(found) in ("Cc", "Cs", "Zl", "Zp")]
    assert escape_line(line) == line
    escape_text(text).encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b]0;title\x07", r"\x1b[31mred\x1b]0;title\x07"),
        ("one\r\ntwo\n", "one\ntwo\n"),
        ("over\rwritten", r"over\rwritten"),
        ("tab\there\n", "tab\there\n"),
        ("caf\udce9", r"caf\xe9"),
        ("\x9b31m", r"\u009b31m"),
        ("user\u202etxt.exe", r"user\u202etxt.exe"),
        ("[bold]not markup[/bold]", "[bold]not markup[/bold]"),
        ("日本語 é ✓ 👍\ufe0f", "日本語 é ✓ 👍\ufe0f"),
    ],
)
def test_i9_texts_are_shown_as_they_are_but_for_what_steers(text: str, shown: str):
    assert escape_text(text) == shown


def test_i9_a_name_or_a_message_is_one_line():
    assert escape_line("a\nb\tc\r\n") == r"a\nb\tc\r\n"
    assert escape_span("a\tb\n") == "a\tb\\n"
