import sys
import zlib
from base64 import b64decode

import pytest

from codetools.core.errors import Failure
from codetools.core.limits import Limits
from codetools.core.path import Path
from codetools.files.media.image import Picture, image_of
from tests.files.media.samples import BLUE, opened, picture

TAKEN = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WebP": "image/webp"}
CONVERTED = {"BMP": "image/png", "TIFF": "image/jpeg", "HEIC": "image/jpeg", "AVIF": "image/jpeg"}


def image(content: bytes, format: str, **limits: int) -> Picture:
    return image_of(content, format, Path("a.img"), Limits(**limits), lambda: None)


def image_without_extra(content: bytes, format: str, **limits: int) -> Picture:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "PIL", None)  # as if it were not installed
        return image(content, format, **limits)


def told(found: Picture) -> list[str]:
    return [notice.message for notice in found.notices]


@pytest.mark.parametrize("format", TAKEN)
def test_what_models_take_passes_unchanged(format: str):
    content = picture(format)
    found = image(content, format)
    assert (found.image.media_type, found.image.width, found.image.height) == (TAKEN[format], 60, 40)
    assert (b64decode(found.image.base64), told(found)) == (content, [])


@pytest.mark.parametrize("format", CONVERTED)
def test_other_kinds_are_converted_and_it_is_said(format: str):
    found = image(picture(format), format)
    assert found.image.media_type == CONVERTED[format]
    assert opened(b64decode(found.image.base64)).size == (60, 40)
    assert told(found) == [f"a.img: {format} converted to {CONVERTED[format].partition('/')[2].upper()}"]


@pytest.mark.parametrize(("orientation", "corner"), [(3, (57, 37)), (6, (37, 2)), (8, (2, 57))])
@pytest.mark.parametrize("format", ["PNG", "JPEG", "WebP", "TIFF", "HEIC", "AVIF"])
def test_an_image_is_turned_upright(format: str, orientation: int, corner: tuple[int, int]):
    found = image(picture(format, orientation=orientation), format)
    made = opened(b64decode(found.image.base64)).convert("RGB")
    assert made.size == ((60, 40) if orientation == 3 else (40, 60))
    red, _, blue = made.getpixel(corner)
    assert (red < 90, blue > 160) == (True, True), (BLUE, made.size)
    assert made.getexif().get(0x0112, 1) == 1
    if format != "HEIC":  # its decoder turns it unasked
        assert told(found)[0].startswith("a.img: turned upright")


def test_a_large_image_is_scaled_down_with_the_factor_i6():
    found = image(picture("PNG", (1000, 400)), "PNG", image_side=500)
    assert (found.image.width, found.image.height, found.width, found.height) == (500, 200, 1000, 400)
    assert opened(b64decode(found.image.base64)).size == (500, 200)
    assert told(found) == ["a.img: scaled down from 1000x400, factor 0.5"]


def test_an_image_of_many_bytes_is_made_to_fit_i6():
    import os

    noise = opened(picture("PNG", (200, 200)))
    noise.frombytes(os.urandom(200 * 200 * 3))
    from io import BytesIO

    file = BytesIO()
    noise.save(file, "PNG")
    found = image(file.getvalue(), "PNG", image_bytes=20_000)
    assert len(b64decode(found.image.base64)) <= 20_000
    assert found.image.media_type == "image/jpeg"


@pytest.mark.parametrize(
    ("mode", "colour"), [("1", 1), ("L", 7), ("P", 3), ("LA", (1, 2)), ("RGBA", (1, 2, 3, 4)), ("I;16", 300)]
)
def test_every_mode_of_a_png_can_be_scaled(mode: str, colour: object):
    found = image(picture("PNG", (100, 50), mode=mode, colour=colour), "PNG", image_side=50)
    assert (found.image.width, found.image.height) == (50, 25)


def test_a_decompression_bomb_is_refused_before_it_is_decoded_i6():
    content = bytearray(picture("PNG"))
    content[16:24] = (100_000).to_bytes(4, "big") * 2
    content[29:33] = zlib.crc32(content[12:29]).to_bytes(4, "big")
    with pytest.raises(Failure, match="more pixels") as caught:
        image(bytes(content), "PNG")
    assert caught.value.kind == "binary"
    with pytest.raises(Failure, match="more pixels"):
        image(picture("TIFF", (300, 300)), "TIFF", media_pixels=10_000)


@pytest.mark.parametrize("format", [*TAKEN, *CONVERTED])
def test_a_damaged_image_is_refused_so_that_no_model_gets_it(format: str):
    content = picture(format, (300, 300))
    with pytest.raises(Failure) as caught:
        image(content[: len(content) // 3], format)
    assert caught.value.kind == "binary"


@pytest.mark.parametrize("format", TAKEN)
def test_without_the_extra_what_models_take_passes_unchanged(format: str):
    content = picture(format)
    found = image_without_extra(content, format)
    assert (found.image.media_type, found.image.width, found.image.height) == (TAKEN[format], 60, 40)
    assert b64decode(found.image.base64) == content


@pytest.mark.parametrize("format", CONVERTED)
def test_without_the_extra_other_kinds_name_the_install(format: str):
    with pytest.raises(Failure) as caught:
        image_without_extra(picture(format), format)
    assert (caught.value.kind, caught.value.exit_code) == ("unavailable", 69)
    assert caught.value.hint == "Install it: pip install 'codetools-cli[media]'"


def test_without_the_extra_what_could_not_be_done_is_said():
    found = image_without_extra(picture("JPEG", (1000, 400), orientation=6), "JPEG", image_side=500)
    assert told(found) == [
        "a.img is not upright: its EXIF orientation is 6",
        f"a.img (1000x400, {len(b64decode(found.image.base64)):,} bytes) could not be scaled down without the extra"
        " `media`",
    ]
    with pytest.raises(Failure, match="damaged PNG") as caught:
        image_without_extra(picture("PNG")[:20], "PNG")
    assert caught.value.kind == "binary"
