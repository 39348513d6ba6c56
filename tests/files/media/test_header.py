import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetools.files.media.header import MEDIA_TYPES, Header, header_of
from tests.files.media.samples import picture


@pytest.mark.parametrize("format", MEDIA_TYPES)
@pytest.mark.parametrize("size", [(1, 1), (60, 40), (300, 1000)])
def test_the_size_is_what_the_decoder_says(format: str, size: tuple[int, int]):
    assert header_of(picture(format, size), format) == Header(MEDIA_TYPES[format], *size)


def test_lossless_and_extended_webp_have_a_size():
    assert header_of(picture("WebP", (61, 39), lossless=True), "WebP") == Header("image/webp", 61, 39)
    assert header_of(picture("WebP", (61, 39), mode="RGBA", colour=(1, 2, 3, 4)), "WebP") == Header(
        "image/webp", 61, 39
    )


def test_a_progressive_jpeg_has_a_size():
    assert header_of(picture("JPEG", (61, 39), progressive=True), "JPEG") == Header("image/jpeg", 61, 39)


@pytest.mark.parametrize("format", ["PNG", "JPEG", "WebP"])
def test_the_orientation_is_that_of_exif(format: str):
    found = header_of(picture(format, orientation=6), format)
    assert found == Header(MEDIA_TYPES[format], 60, 40, 6)


@pytest.mark.parametrize("format", MEDIA_TYPES)
def test_a_header_cut_off_is_damaged_and_never_an_error(format: str):
    content = picture(format, orientation=6 if format != "GIF" else 1)
    assert header_of(content[:12], format) is None
    for end in range(0, min(len(content), 400), 7):
        header_of(content[:end], format)


@given(st.sampled_from(sorted(MEDIA_TYPES)), st.binary(max_size=200))
def test_no_bytes_make_the_parser_fail(format: str, tail: bytes):
    header_of(picture(format, (5, 5))[:20] + tail, format)
