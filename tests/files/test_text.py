import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetools.core.errors import Failure
from codetools.files.text import UTF_8, Encoding, as_utf_8, detect, line_ending


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
    ("text", "codec", "name"),
    [
        ("Привет, мир! Это проверка кодировки.", "cp1251", "cp1251"),
        ("Привет, мир! Это проверка кодировки.", "koi8-r", "koi8-r"),
        ("x = 1  # значение по умолчанию\n", "cp1251", "cp1251"),
        ("これはテストです。日本語の文章。", "cp932", "cp932"),
        ("これはテストです。日本語の文章。", "euc_jp", "euc_jp"),
        ("这是一个测试，我们在中国学习的时候", "gbk", "gb18030"),
        ("안녕하세요 여러분 반갑습니다", "cp949", "cp949"),
        ("déjà vu à l'école où naïve", "cp1252", "windows-1252"),
        ("ÄÖÜ ÜBER ÄÄÄÄ ÖÖÖÖ", "latin-1", "windows-1252"),
        ("Αυτό είναι ελληνικό κείμενο", "cp1253", "windows-1252"),
        ("© 2024 Größe 5 µm ±2 °C", "latin-1", "windows-1252"),
    ],
)
def test_a_legacy_encoding_is_a_guess_and_a_conservative_one(text: str, codec: str, name: str):
    found = detect(text.encode(codec))
    assert (found.name, found.is_guessed) == (name, True)
    if codec != "cp1253":
        assert found.decode(text.encode(codec)) == text


def test_utf_16_without_a_mark_is_known_by_its_latin_letters_only():
    assert detect("plain text\r\n".encode("utf-16-le")).name == "utf-16-le"
    assert detect("plain text\r\n".encode("utf-16-be")).name == "utf-16-be"
    assert detect("漢字だけの文".encode("utf-16-le")).name not in ("utf-16-le", "utf-16-be")


def test_utf_32_is_known_by_its_mark():
    content = b"\xff\xfe\0\0" + "aé\n𝄞".encode("utf-32-le")
    found = detect(content)
    assert (found.name, b"".join(as_utf_8(iter([content]), found)).decode()) == ("utf-32-le", "aé\n𝄞")


@pytest.mark.parametrize("codec", ["cp932", "gb18030", "big5", "utf-16-le", "utf-7", "iso2022_jp", "cp037", "euc_kr"])
def test_encodings_whose_ascii_bytes_mean_other_things_are_wide(codec: str):
    assert Encoding(codec).is_wide


@pytest.mark.parametrize("codec", ["utf-8", "latin-1", "windows-1252", "cp1251", "koi8-r", "mac-roman", "iso8859-15"])
def test_encodings_whose_lf_is_a_byte_are_not_wide(codec: str):
    assert not Encoding(codec).is_wide


@given(st.binary(max_size=60), st.sampled_from(["utf-16-le", "utf-32-be", "cp932", "gb18030", "utf-7", "cp037"]))
def test_wide_text_becomes_utf_8_and_the_same_bytes_again_or_is_refused(content: bytes, codec: str):
    encoding = Encoding(codec)
    try:
        working = encoding.to_utf_8(content, "a.txt")
    except Failure:
        return
    assert encoding.from_utf_8(working, "a.txt") == content


def test_a_character_that_a_wide_encoding_lacks_is_an_error():
    with pytest.raises(Failure, match="U\\+1F600") as caught:
        Encoding("cp932").from_utf_8("😀".encode(), "a.txt")
    assert caught.value.kind == "encoding"


@pytest.mark.parametrize("shift", range(4))
def test_a_large_text_is_told_piece_by_piece_whatever_character_a_piece_ends_in(shift: int):
    whole = b"x" * shift + "\U0001f600".encode() * 600_000
    assert detect(whole) == Encoding(UTF_8)
    assert detect(whole[:-1], is_whole=False) == Encoding(UTF_8)
    assert detect(whole[:-1]).name == detect(whole + b"\xff").name == "utf-8-invalid"
    assert detect(whole[: len(whole) // 2] + b"\x80" + whole[len(whole) // 2 :]) != Encoding(UTF_8)
