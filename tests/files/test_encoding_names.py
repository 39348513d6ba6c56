import pytest

from codetools.core.errors import Failure
from codetools.files.encoding_names import encoding_named


@pytest.mark.parametrize(
    ("written", "name", "mark"),
    [
        ("UTF8", "utf-8", b""),
        ("utf-8-sig", "utf-8-bom", b"\xef\xbb\xbf"),
        ("utf_8_bom", "utf-8-bom", b"\xef\xbb\xbf"),
        ("utf-16", "utf-16-le", b"\xff\xfe"),
        ("UTF-16BE", "utf-16-be", b""),
        ("utf-32", "utf-32-le", b"\xff\xfe\0\0"),
        ("latin1", "latin-1", b""),
        ("CP1252", "windows-1252", b""),
        ("windows-1251", "cp1251", b""),
        ("Shift_JIS", "shift_jis", b""),
    ],
)
def test_a_new_file_gets_the_encoding_named_and_its_mark(written: str, name: str, mark: bytes):
    found = encoding_named(written)
    assert (found.name, found.bom, found.is_guessed) == (name, mark, False)


@pytest.mark.parametrize(
    ("written", "content", "name", "mark"),
    [
        ("utf-8", b"\xef\xbb\xbfa", "utf-8-bom", b"\xef\xbb\xbf"),
        ("utf-8-bom", b"a", "utf-8", b""),
        ("utf-16", b"\xfe\xff\0a", "utf-16-be", b"\xfe\xff"),
        ("utf-16", b"a\0", "utf-16-le", b""),
        ("utf-16-le", b"\xfe\xff\0a", "utf-16-le", b""),
        ("latin-1", b"\xef\xbb\xbfa", "latin-1", b""),
    ],
)
def test_a_file_that_exists_keeps_the_mark_that_fits_the_name(written: str, content: bytes, name: str, mark: bytes):
    found = encoding_named(written, content)
    assert (found.name, found.bom) == (name, mark)


@pytest.mark.parametrize("written", ["hex", "rot13", "idna", "unicode_escape", "undefined", "../x", "", "a\0b", "é"])
def test_what_is_no_text_encoding_is_refused(written: str):
    with pytest.raises(Failure) as caught:
        encoding_named(written)
    assert caught.value.kind == "usage"


def test_a_misspelt_name_is_answered_with_the_nearest():
    with pytest.raises(Failure) as caught:
        encoding_named("gb2321")
    assert caught.value.hint == "Did you mean gb2312?"
