import pytest

from codetools.core.errors import Failure
from codetools.files.kind import kind_of
from codetools.files.text import as_utf_8, detect, line_ending


@pytest.mark.parametrize(
    ("content", "name", "is_guessed"),
    [
        (b"", "utf-8", False),
        (b"plain", "utf-8", False),
        ("häß 漢".encode(), "utf-8", False),
        (b"\xef\xbb\xbfabc", "utf-8-bom", False),
        (b"\xff\xfea\0", "utf-16-le", False),
        (b"\xfe\xff\0a", "utf-16-be", False),
        ("Grüße".encode("latin-1"), "windows-1252", True),
        (b"\x93quoted\x94", "windows-1252", True),
        (b"\x81\xe9", "latin-1", True),
        ("漢字が多い文書".encode() + b"\xff", "utf-8-invalid", True),
    ],
)
def test_an_encoding_is_told_by_the_bytes(content: bytes, name: str, is_guessed: bool):
    found = detect(content)
    assert (found.name, found.is_guessed) == (name, is_guessed)


def test_a_character_cut_off_at_the_end_is_forgiven_in_a_part():
    assert detect("aé".encode()[:-1], is_whole=False).name == "utf-8"
    assert detect("aé".encode()[:-1]).is_guessed


def test_a_character_that_the_encoding_lacks_is_an_error():
    with pytest.raises(Failure, match=r"U\+6F22") as caught:
        detect(b"caf\xe9").encode("漢", "a.txt")
    assert caught.value.kind == "encoding"


def test_wide_text_is_recoded_across_chunks():
    text = "aé漢\r\n𝄞\n"
    for codec, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
        content = mark + text.encode(codec)
        chunks = iter([content[at : at + 3] for at in range(0, len(content), 3)])
        assert b"".join(as_utf_8(chunks, detect(content))).decode() == text


@pytest.mark.parametrize(
    ("content", "style"),
    [
        (b"a", "none"),
        (b"a\nb", "lf"),
        (b"a\r\nb\r\n", "crlf"),
        (b"a\rb\r", "cr"),
        (b"a\r\nb\n", "mixed"),
        (b"a\rb\nc\n", "lf"),
    ],
)
def test_line_endings_are_named(content: bytes, style: str):
    assert line_ending(content) == style


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"", "text"),
        (b"BMW and MZ and PK", "text"),
        (b"\xff\xfeh\0i\0", "text"),
        (b"a\0b", "binary"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "image"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image"),
        (b"GIF89a", "image"),
        (b"%PDF-1.7\n", "pdf"),
        (b"PK\x03\x04\x14\0\0\0", "archive"),
        (b"\x1f\x8b\x08\0", "archive"),
        (b"\x7fELF\x02\x01\x01\0", "executable"),
        (b"SQLite format 3\0", "database"),
    ],
)
def test_the_first_bytes_decide_the_kind(head: bytes, name: str):
    assert kind_of(head).name == name
